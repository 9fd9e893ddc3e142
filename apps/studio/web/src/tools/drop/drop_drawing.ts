// SPDX-License-Identifier: MIT
// What the drop tool draws: a ghost of the body that would appear, and a line straight down from it.
import {
  BoxGeometry, CapsuleGeometry, Color, Group, Mesh, MeshStandardMaterial, SphereGeometry, TorusGeometry, Vector3, type BufferGeometry,
} from 'three';
import type { Vector } from '../../checked';
import { accent, quiet, Thread } from '../../marks';
import type { SceneView } from '../../scene_view';
import { ringRadius, rodRadius, tubeRadius, type DroppedShape, type ShapeKind } from './dropped_shape';

const refused = new Color(0xd6336c);

export class DropDrawing {
  readonly object = new Group();
  /// Of size 1. A torus of three.js has z as its axis, a capsule lies along y.
  private readonly geometries: Record<ShapeKind, BufferGeometry> = {
    ball: new SphereGeometry(0.5, 48, 24),
    box: new BoxGeometry(1, 1, 1),
    ring: new TorusGeometry(ringRadius, tubeRadius, 20, 64),
    rod: new CapsuleGeometry(rodRadius, 1 - 2 * rodRadius, 12, 32),
  };
  private readonly material = new MeshStandardMaterial({ color: accent, transparent: true, opacity: 0.75, roughness: 0.8 });
  private readonly ghost = this.makeGhost(this.material);
  private readonly waiting = new Group();
  private readonly waitingMaterial = new MeshStandardMaterial({ color: quiet, transparent: true, opacity: 0.75, roughness: 0.8 });
  private readonly line = new Thread(accent);

  constructor(private readonly view: SceneView) {
    this.object.add(this.ghost, this.line.object, this.waiting);
    this.hide();
  }

  show(shape: DroppedShape, fits: boolean, below: Vector): void {
    this.ghost.visible = true;
    this.place(this.ghost, shape);
    this.material.color.copy(fits ? accent : refused);
    this.line.show(shape.center, below);
    this.view.invalidate();
  }

  /// Bodies that are to appear with the next frame.
  showWaiting(shapes: readonly DroppedShape[]): void {
    if (shapes.length === 0 && this.waiting.children.length === 0) return;
    this.waiting.clear();
    for (const shape of shapes) {
      const ghost = this.makeGhost(this.waitingMaterial);
      this.place(ghost, shape);
      this.waiting.add(ghost);
    }
    this.view.invalidate();
  }

  private makeGhost(material: MeshStandardMaterial): Mesh<BufferGeometry, MeshStandardMaterial> {
    const ghost = new Mesh<BufferGeometry, MeshStandardMaterial>(this.geometries.ball, material);
    ghost.renderOrder = 9;
    return ghost;
  }

  private place(ghost: Mesh, shape: DroppedShape): void {
    ghost.geometry = this.geometries[shape.kind];
    ghost.position.fromArray(shape.center);
    ghost.scale.setScalar(shape.size);
    ghost.quaternion.identity();
    if (shape.kind === 'ring') ghost.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3().fromArray(shape.up));
    if (shape.kind === 'rod') ghost.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3().fromArray(shape.along));
  }

  hide(): void {
    this.ghost.visible = false;
    this.line.hide();
    this.view.invalidate();
  }
}
