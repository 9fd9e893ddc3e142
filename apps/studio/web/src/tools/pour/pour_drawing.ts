// SPDX-License-Identifier: MIT
// What the pour tool draws: the mouth of every jet, as a ring across it, and an arrow that shows where it goes.
import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Vector3, type Color } from 'three';
import type { Vector } from '../../checked';
import { accent, quiet } from '../../marks';
import type { Nozzle } from '../../protocol';
import type { SceneView } from '../../scene_view';

export class PourDrawing {
  readonly object = new Group();
  private readonly offered = new Mouth(accent);
  private readonly mouths: Mouth[] = [];

  constructor(private readonly view: SceneView) { this.object.add(this.offered.object); }

  /// Where a jet would begin, or ours does.
  offer(place: Vector, velocity: Vector, radius: number): void {
    this.offered.show(place, velocity, radius);
    this.view.invalidate();
  }

  hideOffer(): void {
    this.offered.object.visible = false;
    this.view.invalidate();
  }

  showNozzles(nozzles: readonly Nozzle[]): void {
    while (this.mouths.length < nozzles.length) {
      const made = new Mouth(quiet);
      this.mouths.push(made);
      this.object.add(made.object);
    }
    this.mouths.forEach((mouth, i) => {
      const nozzle = nozzles[i];
      mouth.object.visible = nozzle !== undefined;
      if (nozzle !== undefined) mouth.show(nozzle.position, nozzle.velocity, nozzle.radius);
    });
    this.view.invalidate();
  }
}

/// A ring and an arrow along y, of radius 1.
class Mouth {
  readonly object: LineSegments;

  constructor(color: Color) {
    const corners = 48;
    const lines: number[] = [];
    const at = (i: number) => [Math.cos((2 * Math.PI * i) / corners), 0, Math.sin((2 * Math.PI * i) / corners)];
    for (let i = 0; i < corners; ++i) lines.push(...at(i), ...at(i + 1));
    for (const [x, z] of [[0.35, 0], [-0.35, 0], [0, 0.35], [0, -0.35]] as const) lines.push(0, 2.6, 0, x, 2.1, z);
    lines.push(0, 0, 0, 0, 2.6, 0);
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(lines), 3));
    this.object = new LineSegments(geometry, new LineBasicMaterial({ color, depthTest: false, transparent: true }));
    this.object.renderOrder = 11;
    this.object.visible = false;
  }

  show(place: Vector, velocity: Vector, radius: number): void {
    const along = new Vector3().fromArray(velocity);
    if (along.lengthSq() === 0) along.set(0, 0, -1);
    this.object.visible = true;
    this.object.position.fromArray(place);
    this.object.scale.setScalar(radius);
    this.object.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along.normalize());
  }
}
