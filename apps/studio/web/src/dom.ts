// SPDX-License-Identifier: MIT
// Elements made in one expression. Text is always text: nothing that came over the wire is ever parsed as HTML.

type Child = Node | string | null;

/// element('button', { class: 'primary', 'aria-label': 'Play' }, 'Play')
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children) if (child !== null) made.append(child);
  return made;
}

/// A line drawing of 24 × 24, given as the data of its path; decoration only, so hidden from screen readers.
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/// A button that shows an icon only; its name is its label and its tooltip.
export function iconButton(label: string, path: string, onClick: () => void, key?: string): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'icon-button', 'aria-label': label }, icon(path));
  button.title = key === undefined ? label : `${label} (${key})`;
  if (key !== undefined) button.setAttribute('aria-keyshortcuts', key === 'Space' ? 'Space' : key.toUpperCase());
  button.addEventListener('click', onClick);
  return button;
}

export function textButton(text: string, onClick: () => void, kind = ''): HTMLButtonElement {
  const button = element('button', { type: 'button', class: kind }, text);
  button.addEventListener('click', onClick);
  return button;
}

/// One choice of a few, as buttons in a row that work like radio buttons.
export function choice(
  label: string,
  options: readonly { value: string; text: string }[],
  chosen: string,
  onChoose: (value: string) => void,
): HTMLFieldSetElement {
  const set = element('fieldset', { class: 'choice' }, element('legend', {}, label));
  const name = `choice-${(choiceCount += 1)}`;
  for (const option of options) {
    const input = element('input', { type: 'radio', name, value: option.value });
    input.checked = option.value === chosen;
    input.addEventListener('change', () => onChoose(option.value));
    set.append(element('label', {}, input, element('span', {}, option.text)));
  }
  return set;
}
let choiceCount = 0;

/// Chooses an option of a `choice` without telling anybody.
export function showChosen(set: HTMLFieldSetElement, value: string): void {
  for (const input of set.querySelectorAll('input')) input.checked = input.value === value;
}

/// Other options for a list; what was chosen stays if it is still among them.
export function showOptions(list: HTMLSelectElement, names: readonly string[]): void {
  const chosen = list.value;
  list.replaceChildren(...names.map((name) => element('option', { value: name }, name)));
  if (names.includes(chosen)) list.value = chosen;
}

/// True while the user types into a field, where letters are not shortcuts.
export function isTyping(): boolean {
  const focused = document.activeElement;
  return (
    focused instanceof HTMLTextAreaElement ||
    focused instanceof HTMLSelectElement ||
    (focused instanceof HTMLInputElement && focused.type !== 'range' && focused.type !== 'radio' && focused.type !== 'checkbox')
  );
}

/// Hands text or a picture to the browser's downloads.
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = element('a', { href: address, download: name });
  link.click();
  // The browser has taken the address by then; revoking it at once loses the file in some.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
