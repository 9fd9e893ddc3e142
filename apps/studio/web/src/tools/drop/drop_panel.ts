// SPDX-License-Identifier: MIT
// The panel of the drop tool: which shape, of what, and how large.
import { choice, element, showChosen, showOptions } from '../../dom';
import type { BodyInfo, SceneMessage } from '../../protocol';
import { Slider } from '../../slider';
import type { ShapeKind } from './dropped_shape';

const inSpace: readonly ShapeKind[] = ['ball', 'box', 'ring', 'rod'];
const inPlane: readonly ShapeKind[] = ['ball', 'box'];

export class DropPanel {
  readonly element: HTMLElement;
  kind: ShapeKind = 'ball';
  private readonly shapes: HTMLFieldSetElement;
  private readonly body = element('select', { id: 'drop-like' });
  private readonly sizePlace = element('div');
  private readonly note = element('p', { class: 'readout', role: 'status' });
  private width: Slider;

  constructor() {
    this.width = sizeSlider(0.1, 0.01, 1);
    this.shapes = choice('Shape', inSpace.map((kind) => ({ value: kind, text: kind })), this.kind, (value) => (this.kind = value as ShapeKind));
    this.element = element(
      'div',
      {},
      this.shapes,
      element('div', { class: 'row' }, element('label', { for: 'drop-like' }, 'Made like'), this.body),
      this.sizePlace,
      this.note,
    );
    this.sizePlace.append(this.width.element);
    this.showRoom(true);
  }

  get size(): number { return this.width.value; }
  get like(): string { return this.body.value; }

  offer(bodies: readonly BodyInfo[]): void { showOptions(this.body, bodies.map((body) => body.name)); }

  /// A size that suits the scene: a sixth of the domain, and enough for a few particles. `again`: as it was set.
  fit(scene: SceneMessage, bodies: readonly BodyInfo[], again: boolean): void {
    this.offer(bodies);
    this.showRoom(true);
    if (again) return;
    const kinds = scene.dimension === 2 ? inPlane : inSpace;
    if (!kinds.includes(this.kind)) this.kind = 'ball';
    for (const input of this.shapes.querySelectorAll('input')) (input.parentElement as HTMLElement).hidden = !kinds.includes(input.value as ShapeKind);
    showChosen(this.shapes, this.kind);
    const spacing = Math.max(scene.spacing, ...bodies.map((body) => body.spacing));
    const { min, max } = scene.domain ?? { min: [0, 0, 0], max: [0, 0, 0] };
    const narrowest = Math.min(...max.slice(0, scene.dimension).map((x, k) => x - (min[k] ?? 0)));
    const size = Math.max(6 * spacing, narrowest > 0 ? narrowest / 6 : 0);
    this.width = sizeSlider(Number(size.toPrecision(2)), 4 * spacing, Math.max(4 * size, narrowest));
    this.sizePlace.replaceChildren(this.width.element);
  }

  showRoom(fits: boolean): void {
    const text = fits ? 'Click where it should fall.' : 'There is no room for it here: it reaches out of the domain.';
    if (this.note.textContent !== text) this.note.textContent = text;
  }
}

function sizeSlider(size: number, low: number, high: number): Slider {
  return new Slider({ label: 'Size', unit: 'm', value: size, low, high, min: 1e-6, max: 1e6, logarithmic: true }, () => undefined);
}
