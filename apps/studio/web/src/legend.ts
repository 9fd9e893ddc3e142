// SPDX-License-Identifier: MIT
// The legend of the colours, and the range of values that they stand for.
import { bodyColor, mapGradient } from './color_map';
import { element } from './dom';
import { fieldHash, type Frame } from './frame_decoder';
import { quantityText, words } from './number_text';
import type { SceneMessage } from './protocol';

const farFromZero = new Set(['density', 'temperature', 'height']);

export class Legend {
  readonly element = element('div', { class: 'legend', role: 'img' });
  private readonly title = element('span', { class: 'legend-title' });
  private readonly bar = element('div', { class: 'legend-bar' });
  private readonly marks = element('div', { class: 'legend-marks' });
  private readonly entries = element('div', { class: 'legend-entries' });
  private field = 'body';
  private unit = '';
  private fixed = false;
  range: [number, number] = [0, 1];

  constructor() {
    this.bar.style.background = mapGradient();
    this.element.append(this.title, this.bar, this.marks, this.entries);
  }

  /// Colours stand for `field` from now on; with a range that the scene asks for, or one that follows the values.
  choose(field: string, scene: SceneMessage): void {
    this.field = field;
    this.unit = scene.fields.find((info) => info.name === field)?.unit ?? '';
    const wanted = scene.color !== null && scene.color.field === field ? scene.color.range : null;
    this.fixed = wanted !== null;
    this.range = wanted ?? [0, 0];
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

  /// Widens at once and narrows slowly, so that colours do not flicker.
  follow(frame: Frame): void {
    if (this.fixed || this.field === 'body' || frame.fieldHash !== fieldHash(this.field)) return;
    const values = frame.bodies.map((body) => body.values).filter((value) => value !== null);
    if (values.length === 0) return;
    // What cannot be negative begins at 0, except where 0 is far away, as for densities.
    const lowest = Math.min(...values.map((value) => value.low));
    const high = Math.max(...values.map((value) => value.high));
    const isNoise = lowest < 0 && -lowest < 1e-6 * high;
    const low = isNoise || (lowest > 0 && !farFromZero.has(this.field)) ? 0 : lowest;
    const [shownLow, shownHigh] = this.range;
    const keep = 0.985;
    this.range = shownLow === shownHigh ? [low, high]
      : [Math.min(low, keep * shownLow + (1 - keep) * low), Math.max(high, keep * shownHigh + (1 - keep) * high)];
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
    const [low, high] = this.range;
    const texts = [low, (low + high) / 2, high].map((value) => quantityText(Number(value.toPrecision(2)), this.unit));
    this.marks.replaceChildren(...texts.map((text) => element('span', {}, text)));
    this.element.setAttribute('aria-label',
      this.field === 'body' ? 'Colours: one for each body' : `Colours: ${words(this.field)} from ${texts[0]} to ${texts[2]}`);
  }
}
