// SPDX-License-Identifier: MIT
// What the fix tool draws: the phyxels that it would fix, and a nail in everything that is fixed.
import { Color, Group } from 'three';
import type { Vector } from '../../checked';
import { accent, Marks, quiet } from '../../marks';
import type { Hit, SceneView } from '../../scene_view';

export class FixDrawing {
  readonly object = new Group();
  private readonly region: Marks;
  private readonly again: Marks;
  private readonly nails: Marks;

  constructor(private readonly view: SceneView) {
    this.region = new Marks(view.viewport, quiet, 0.55);
    this.again = new Marks(view.viewport, new Color(0xd6336c), 0.6);
    this.nails = new Marks(view.viewport, accent);
    this.object.add(this.region.object, this.again.object, this.nails.object);
  }

  offer(hit: Hit, radius: number, isFixed: boolean): void {
    const places = this.view.particlesNear(hit.bodyName, hit.position, radius);
    this.region.show(isFixed ? [] : places, 0.16 * radius);
    this.again.show(isFixed ? places : [], 0.16 * radius);
    this.view.invalidate();
  }

  hideOffer(): void {
    this.region.hide();
    this.again.hide();
    this.view.invalidate();
  }

  showNails(places: readonly Vector[], radius: number): void {
    this.nails.show(places, radius);
    this.view.invalidate();
  }
}
