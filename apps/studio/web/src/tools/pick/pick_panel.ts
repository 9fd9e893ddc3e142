// SPDX-License-Identifier: MIT
// The panel of the pick tool: what is known about one particle, and fields to name one without a mouse.
import { element, showOptions, textButton } from '../../dom';
import { countText, numberText, quantityText, words } from '../../number_text';
import type { BodyInfo, Picked, SceneMessage } from '../../protocol';

export class PickPanel {
  readonly element: HTMLElement;
  private readonly body = element('select', { 'aria-label': 'Body' });
  private readonly id = element('input', { type: 'number', min: '0', step: '1', 'aria-label': 'Number of the particle', placeholder: 'number' });
  private readonly table = element('dl', { class: 'facts' });
  private readonly note = element('p', { class: 'readout' }, 'Click a particle, or give its number.');
  private readonly clearButton: HTMLButtonElement;

  constructor(ask: (body: string, id: number | null) => void) {
    this.clearButton = textButton('Forget', () => ask(this.body.value, null), 'small');
    const form = element('form', { class: 'row' }, this.body, this.id, element('button', { type: 'submit', class: 'small' }, 'Look'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const id = Number(this.id.value);
      if (this.id.value !== '' && Number.isInteger(id) && id >= 0) ask(this.body.value, id);
    });
    this.element = element('div', {}, form, this.note, this.table, this.clearButton);
    this.clear([]);
  }

  /// The bodies to choose from; the choice stays.
  offer(bodies: readonly BodyInfo[]): void { showOptions(this.body, bodies.map((body) => body.name)); }

  clear(bodies: readonly BodyInfo[]): void {
    this.offer(bodies);
    this.table.replaceChildren();
    this.note.hidden = false;
    this.clearButton.hidden = true;
  }

  /// The particle that is looked at from now on. Its fields are not touched again while frames come: somebody may be about
  /// to name another one.
  name(body: string, id: number): void {
    this.body.value = body;
    this.id.value = String(id);
  }

  show(picked: Picked, scene: SceneMessage): void {
    this.note.hidden = true;
    this.clearButton.hidden = false;
    const rows: [string, string][] = [['Particle', `${picked.body} ${picked.id}`]];
    if (picked.gone) rows.push(['', 'no longer there']);
    else {
      const place = (p: readonly number[]) => `${p.slice(0, scene.dimension).map((x) => numberText(x, 3)).join(', ')} m`;
      rows.push(['Position', place(picked.position)]);
      if (picked.rest !== null) rows.push(['At rest', place(picked.rest)]);
      for (const [name, values] of Object.entries(picked.fields))
        rows.push([words(name), fieldText(values, scene.fields.find((field) => field.name === name)?.unit ?? '')]);
      if (picked.neighbors !== null) rows.push(['Neighbours', countText(picked.neighbors.length)]);
      if (picked.support !== null) rows.push(['Support', quantityText(picked.support, 'm')]);
    }
    this.table.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
  }
}

/// One number as it is, several with their magnitude.
function fieldText(values: readonly number[], unit: string): string {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return quantityText(only, unit);
  const parts = values.map((value) => numberText(value, 3)).join(', ');
  return values.length > 3 ? parts : `${quantityText(Math.hypot(...values), unit)} (${parts})`;
}
