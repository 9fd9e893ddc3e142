// SPDX-License-Identifier: MIT
// What the pick tool draws: the particle, its neighbours, and the ball within which it has them.
import { Group } from 'three';
import { accent, Marks, quiet, Ring } from '../../marks';
import type { Picked } from '../../protocol';
import type { Hit, SceneView } from '../../scene_view';

export class PickDrawing {
  readonly object = new Group();
  private readonly offered: Marks;
  private readonly chosen: Marks;
  private readonly neighbors: Marks;
  private readonly support = new Ring(accent);

  constructor(private readonly view: SceneView) {
    this.offered = new Marks(view.viewport, quiet, 0.7);
    this.chosen = new Marks(view.viewport, accent);
    this.neighbors = new Marks(view.viewport, quiet, 0.8);
    this.object.add(this.neighbors.object, this.chosen.object, this.offered.object, this.support.object);
  }

  offer(hit: Hit | null): void {
    this.offered.show(hit === null ? [] : [hit.position], 0.6 * (hit?.spacing ?? 0));
    this.view.invalidate();
  }

  show(picked: Picked, spacing: number): void {
    const places = (picked.neighbors ?? []).map((id) => this.view.positionOf(picked.body, id)).filter((place) => place !== null);
    this.chosen.show([picked.position], 0.55 * spacing);
    this.neighbors.show(places, 0.4 * spacing);
    if (picked.support !== null) this.support.show(picked.position, picked.support);
    else this.support.hide();
    this.view.invalidate();
  }

  clear(): void {
    for (const part of [this.offered, this.chosen, this.neighbors, this.support]) part.hide();
    this.view.invalidate();
  }
}
