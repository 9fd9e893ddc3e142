// SPDX-License-Identifier: MIT
// The legend of the colours, and the range of values that they stand for.
import { bodyColor, mapGradient } from './color_map';
import { element } from './dom';
import { quantityText, words } from './number_text';
import type { SceneMessage, StateMessage } from './protocol';

export class Legend {
  readonly element = element('div', { class: 'legend', role: 'img' });
  private readonly title = element('span', { class: 'legend-title' });
  private readonly bar = element('div', { class: 'legend-bar' });
  private readonly marks = element('div', { class: 'legend-marks' });
  private readonly entries = element('div', { class: 'legend-entries' });
  private field = 'body';
  private unit = '';
  private fixed = false;
  private values: [number, number] | null = null; ///< that colours stand for; null: nothing has any

  constructor() {
    this.bar.style.background = mapGradient();
    this.element.append(this.title, this.bar, this.marks, this.entries);
  }

  /// What the colours are mapped from. Where all values are the same, so are the colours: their differences are rounding.
  get range(): [number, number] {
    const [low, high] = this.values ?? [0, 0];
    return [low, low < high ? high : low + Math.max(1, Math.abs(low))];
  }

  /// Colours stand for `field` from now on; with a range that the scene asks for, or one that the server finds.
  choose(field: string, scene: SceneMessage): void {
    this.field = field;
    this.unit = scene.fields.find((info) => info.name === field)?.unit ?? '';
    const wanted = scene.color !== null && scene.color.field === field ? scene.color.range : null;
    this.fixed = wanted !== null;
    this.values = wanted;
    const byBody = field === 'body';
    this.bar.hidden = this.marks.hidden = byBody;
    this.entries.hidden = !byBody;
    this.showEntries(scene);
    this.title.textContent = byBody ? '' : words(field);
    this.title.hidden = byBody;
    this.showRange();
  }

  /// There are bodies more than before.
  grow(scene: SceneMessage): void { this.showEntries(scene); }

  /// All pages show the range that the server finds for them.
  follow({ ranges }: StateMessage): void {
    if (this.fixed || this.field === 'body') return;
    this.values = ranges.get(this.field) ?? null;
    this.showRange();
  }

  private showEntries(scene: SceneMessage): void {
    this.entries.replaceChildren(
      ...scene.bodies.map((body, i) => {
        const dot = element('span', { class: 'dot' });
        dot.style.background = `#${bodyColor(i).getHexString()}`;
        return element('span', {}, dot, body.name);
      }),
    );
  }

  private showRange(): void {
    const [low, high] = this.values ?? [0, 0];
    const text = (value: number, digits: number) => quantityText(Number(value.toPrecision(digits)), this.unit, digits);
    // Both ends of a narrow range far from zero, as of densities, would look the same with fewer digits.
    const digits = Math.min(8, Math.max(2, Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low))) + 1));
    const texts = this.values === null ? ['no values'] : low < high ? [low, (low + high) / 2, high].map((value) => text(value, digits)) : [text(low, 4)];
    this.marks.replaceChildren(...texts.map((mark) => element('span', {}, mark)));
    this.element.setAttribute('aria-label',
      this.field === 'body' ? 'Colours: one for each body' : `Colours: ${words(this.field)}, ${texts.length === 3 ? `from ${texts[0]} to ${texts[2]}` : texts[0]}`);
  }
}
