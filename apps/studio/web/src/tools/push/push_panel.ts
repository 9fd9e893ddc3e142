// SPDX-License-Identifier: MIT
// The panel of the push tool: how large the ball is, how strong, and which way.
import { choice, element } from '../../dom';
import type { SceneMessage } from '../../protocol';
import { Slider } from '../../slider';

export class PushPanel {
  readonly element: HTMLElement;
  private readonly sizePlace = element('div');
  private readonly force: Slider;
  private size: Slider;
  private sign = 1;

  constructor() {
    this.size = sizeSlider(0.05);
    this.force = new Slider(
      { label: 'Acceleration at its middle', unit: 'm/s²', value: 100, low: 5, high: 1000, min: 0, max: 1e5, logarithmic: true },
      () => undefined,
    );
    this.element = element(
      'div',
      {},
      choice('The ball', [{ value: '1', text: 'pushes away' }, { value: '-1', text: 'draws in' }], '1', (value) => (this.sign = Number(value))),
      this.sizePlace,
      this.force.element,
      element('p', { class: 'readout' }, 'Drag through a body.'),
    );
    this.sizePlace.append(this.size.element);
  }

  get radius(): number { return this.size.value; }
  get strength(): number { return this.sign * this.force.value; }

  /// A ball that suits the scene: a few spacings, and no less than a tenth of its domain.
  fit(scene: SceneMessage): void {
    const { min, max } = scene.domain ?? { min: [0, 0, 0], max: [0, 0, 0] };
    const widths = max.map((x, k) => x - (min[k] ?? 0)).slice(0, scene.dimension).sort((a, b) => a - b);
    this.size = sizeSlider(Number(Math.max(4 * scene.spacing, 0.12 * (widths[Math.max(widths.length - 2, 0)] ?? 0)).toPrecision(2)));
    this.sizePlace.replaceChildren(this.size.element);
  }
}

function sizeSlider(radius: number): Slider {
  return new Slider({ label: 'Radius', unit: 'm', value: radius, low: radius / 10, high: 10 * radius, min: 1e-6, max: 1e6, logarithmic: true }, () => undefined);
}
