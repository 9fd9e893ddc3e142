// SPDX-License-Identifier: MIT
// The panel of the pour tool: of which body, how wide the jet is, how fast, and which way.
import { choice, element, showChosen, showOptions } from '../../dom';
import type { BodyInfo, Nozzle, SceneMessage } from '../../protocol';
import { Slider } from '../../slider';

/// As seen in the picture; `away` from the viewer.
const directions = ['down', 'up', 'left', 'right', 'away'] as const;
export type Direction = (typeof directions)[number];

export class PourPanel {
  readonly element: HTMLElement;
  direction: Direction = 'down';
  private readonly directions: HTMLFieldSetElement;
  private readonly pourable = element('select', { id: 'pour-body' });
  private readonly bodyRow: HTMLElement;
  private readonly sliders = element('div', { class: 'group' });
  private readonly note = element('p', { class: 'readout', role: 'status' });
  private width: Slider;
  private flow: Slider;

  constructor() {
    this.width = widthSlider(0.05, 0.01);
    this.flow = speedSlider(1);
    this.directions = choice('Direction', directions.map((value) => ({ value, text: value })), this.direction, (value) => (this.direction = value as Direction));
    this.bodyRow = element('div', { class: 'row' }, element('label', { for: 'pour-body' }, 'Pours'), this.pourable);
    this.element = element('div', {}, this.directions, this.bodyRow, this.sliders, this.note);
    this.sliders.append(this.width.element, this.flow.element);
    this.show([]);
  }

  get body(): string { return this.pourable.value; }
  get radius(): number { return this.width.value / 2; }
  get speed(): number { return this.flow.value; }

  offer(bodies: readonly BodyInfo[]): void {
    showOptions(this.pourable, bodies.map((body) => body.name));
    this.bodyRow.hidden = bodies.length < 2;
  }

  /// A jet that suits the scene: a few spacings wide, about as fast as what has fallen through a fifth of it.
  /// `again`: as it was set.
  fit(scene: SceneMessage, bodies: readonly BodyInfo[], again: boolean): void {
    this.offer(bodies);
    if (again) return;
    // In a slice nothing goes away from the viewer.
    for (const input of this.directions.querySelectorAll('input'))
      (input.parentElement as HTMLElement).hidden = input.value === 'away' && scene.dimension === 2;
    if (this.direction === 'away' && scene.dimension === 2) this.direction = 'down';
    showChosen(this.directions, this.direction);
    const spacing = Math.max(...bodies.map((body) => body.spacing), 0) || scene.spacing;
    const { min, max } = scene.domain ?? { min: [0, 0, 0], max: [0, 0, 20 * spacing] };
    const tall = max.reduce((sum, x, k) => sum + (x - min[k]!) * Math.abs(scene.up[k] ?? 0), 0);
    this.width = widthSlider(Number((4 * spacing).toPrecision(2)), spacing);
    this.flow = speedSlider(Number(Math.sqrt(2 * 9.81 * 0.2 * Math.max(tall, 20 * spacing)).toPrecision(2)));
    this.sliders.replaceChildren(this.width.element, this.flow.element);
  }

  show(nozzles: readonly Nozzle[]): void {
    const text = nozzles.length === 0 ? 'Press and hold to pour; move to move the jet.' : `Pouring: ${nozzles.length === 1 ? 'one jet' : `${nozzles.length} jets`}.`;
    if (this.note.textContent !== text) this.note.textContent = text;
  }
}

function widthSlider(width: number, spacing: number): Slider {
  return new Slider({ label: 'Width of the jet', unit: 'm', value: width, low: 2 * spacing, high: 30 * spacing, min: 1e-6, max: 1e6, logarithmic: true }, () => undefined);
}

function speedSlider(speed: number): Slider {
  return new Slider({ label: 'Speed', unit: 'm/s', value: speed, low: speed / 10, high: 10 * speed, min: 1e-6, max: 1e4, logarithmic: true }, () => undefined);
}
