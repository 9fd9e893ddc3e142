// SPDX-License-Identifier: MIT
// The panel of the grab tool: spring or exact, how large the region is, and what is held at the moment.
import { choice, element } from '../../dom';
import { quantityText } from '../../number_text';
import type { Hit } from '../../scene_view';
import { Slider } from '../../slider';

export class GrabPanel {
  readonly element: HTMLElement;
  prescribed = false;
  private readonly size: Slider;
  private readonly held = element('p', { class: 'readout', role: 'status' });

  constructor() {
    this.size = new Slider({ label: 'Size of the region', unit: 'spacings', value: 2.5, low: 0.5, high: 8, min: 0.1, max: 50 }, () => undefined);
    this.element = element(
      'div',
      {},
      choice('It follows', [{ value: 'spring', text: 'on a spring' }, { value: 'exact', text: 'exactly' }], 'spring', (value) => {
        this.prescribed = value === 'exact';
      }),
      this.size.element,
      this.held,
    );
    this.showIdle();
  }

  /// In spacings of the body that is grabbed.
  get radius(): number { return this.size.value; }

  setSpacing(spacing: number): void { this.size.element.title = `1 spacing is ${quantityText(spacing, 'm')}`; }

  showIdle(): void { this.held.textContent = 'Drag a body. With Shift it follows exactly.'; }

  showGrip(hit: Hit, kind: 'pull' | 'hold', moved: number, behind: number): void {
    const how = kind === 'pull' ? `the spring is ${quantityText(behind, 'm')} long` : 'it follows exactly';
    this.held.textContent = `${hit.bodyName}, phyxel ${hit.id}: moved ${quantityText(moved, 'm')}, ${how}.`;
  }
}
