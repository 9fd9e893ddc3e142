// SPDX-License-Identifier: MIT
// What the grab tool draws: the phyxels that it would take, and a thread from those that it holds to the pointer.
import { Group } from 'three';
import type { Vector } from '../../checked';
import { accent, GlassBall, Marks, quiet, Thread } from '../../marks';
import type { Hit, SceneView } from '../../scene_view';

export class GrabDrawing {
  readonly object = new Group();
  private readonly region: Marks;
  private readonly thread = new Thread(accent);
  private readonly end = new GlassBall(accent, 0.9);

  constructor(private readonly view: SceneView) {
    this.region = new Marks(view.viewport, quiet, 0.55);
    this.object.add(this.region.object, this.thread.object, this.end.object);
  }

  /// What pressing would take.
  offer(hit: Hit, radius: number): void {
    this.showRegion(hit, radius, hit.position);
    this.thread.hide();
    this.end.hide();
  }

  hold(hit: Hit, radius: number, now: Vector, target: Vector): void {
    this.showRegion(hit, radius, now);
    this.thread.show(now, target);
    this.end.show(target, 0.2 * radius);
    this.view.invalidate();
  }

  hide(): void {
    for (const part of [this.region, this.thread, this.end]) part.hide();
    this.view.invalidate();
  }

  private showRegion(hit: Hit, radius: number, place: Vector): void {
    this.region.show(this.view.particlesNear(hit.bodyName, place, radius), 0.16 * radius);
    this.view.invalidate();
  }
}
