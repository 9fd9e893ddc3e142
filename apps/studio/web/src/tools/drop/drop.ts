// SPDX-License-Identifier: MIT
// Drop: a click lets a new body fall. A ghost of it shows where: over what is under the pointer, or in the plane of the
// picture through the middle of the view, lifted until it touches nothing.
import type { Vector } from '../../checked';
import { bodiesThatCan, type SceneMessage, type StateMessage } from '../../protocol';
import type { Bench, Pointer, Tool } from '../tool';
import { DropDrawing } from './drop_drawing';
import { DropPanel } from './drop_panel';
import { distanceTo, halfWidth, moved, sceneShape, type DroppedShape } from './dropped_shape';

const patience = 5000; // after which what is not there was refused [ms]
const axes: readonly Vector[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

export class DropTool implements Tool {
  readonly name = 'drop';
  readonly title = 'Drop';
  readonly key = 'd';
  readonly icon = 'M8 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 13v5m-3-2.5 3 3 3-3M5 21.5h14';
  readonly gesture = 'click';
  private readonly controls = new DropPanel();
  private readonly drawn: DropDrawing;
  /// What was asked for and is not there yet, by name, with the time.
  private readonly asked = new Map<string, { shape: DroppedShape; time: number }>();

  constructor(private readonly bench: Bench) { this.drawn = new DropDrawing(bench.view); }

  get panel(): HTMLElement { return this.controls.element; }
  get drawing() { return this.drawn.object; }

  hint(scene: SceneMessage): string | null {
    return bodiesThatCan('drop', scene).length > 0 ? 'Click where something should fall.' : null;
  }

  hover(pointer: Pointer | null): string | null {
    this.showWaiting();
    const shape = pointer === null ? null : this.shapeFor(pointer);
    if (shape === null) {
      this.drawn.hide();
      return null;
    }
    const fits = this.fits(shape);
    this.drawn.show(shape, fits, this.bottomBelow(shape));
    this.controls.showRoom(fits);
    return fits ? 'copy' : 'not-allowed';
  }

  press(pointer: Pointer): boolean {
    const shape = this.shapeFor(pointer);
    if (shape === null || !this.fits(shape)) return false;
    const name = this.freshName(shape.kind);
    this.asked.set(name, { shape, time: performance.now() });
    this.bench.send({ type: 'drop', name, like: this.controls.like, shape: sceneShape(shape, (place) => this.bench.point(place)) });
    this.bench.goOn();
    return true;
  }

  update(_state: StateMessage): void { this.showWaiting(); }

  grow(scene: SceneMessage): void {
    this.controls.offer(bodiesThatCan('drop', scene));
    this.showWaiting();
  }

  reset(scene: SceneMessage | null, again: boolean): void {
    this.asked.clear();
    this.drawn.hide();
    this.drawn.showWaiting([]);
    if (scene !== null) this.controls.fit(scene, bodiesThatCan('drop', scene), again);
  }

  /// A body appears with the next frame; until then, as while the scene is paused, its ghost stands for it.
  private showWaiting(): void {
    if (this.asked.size === 0) return;
    const there = new Set(this.bench.scene()?.bodies.map((body) => body.name) ?? []);
    for (const [name, { time }] of this.asked)
      if (this.bench.view.particleCount(name) > 0 || (!there.has(name) && performance.now() - time > patience)) this.asked.delete(name);
    this.drawn.showWaiting([...this.asked].filter(([name]) => there.has(name)).map(([, { shape }]) => shape));
  }

  private shapeFor(pointer: Pointer): DroppedShape | null {
    const scene = this.bench.scene();
    if (scene === null || this.controls.like === '') return null;
    const { up } = scene;
    const { kind, size } = this.controls;
    const start: DroppedShape = { kind, size, up, along: this.levelAxis(up), center: [0, 0, 0] };
    const under = pointer.place();
    const center = under === null
      ? pointer.onPlane(this.bench.view.pose().target)
      : moved(under, up, halfWidth(start, up) + this.gap(scene));
    if (scene.dimension === 2) center[2] = 0;
    return this.lifted({ ...start, center: this.withinDomain({ ...start, center }) });
  }

  /// What the new body and those that are there keep apart.
  private gap(scene: SceneMessage): number {
    return 1.2 * Math.max(...scene.bodies.map((body) => body.spacing));
  }

  /// Into the domain from where it reaches out, as far as it has room there at all.
  private withinDomain(shape: DroppedShape): Vector {
    const scene = this.bench.scene();
    const box = scene?.domain ?? null;
    if (scene === null || box === null) return shape.center;
    return shape.center.map((x, k) => {
      if (k >= scene.dimension) return x;
      const room = halfWidth(shape, axes[k]!) + 0.6 * scene.spacing;
      return Math.min(Math.max(x, box.min[k]! + room), Math.max(box.max[k]! - room, box.min[k]! + room));
    }) as Vector;
  }

  /// As high as it must be to touch no particle and no obstacle.
  private lifted(shape: DroppedShape): DroppedShape {
    const scene = this.bench.scene();
    if (scene === null) return shape;
    const { up, center } = shape;
    const gap = this.gap(scene);
    const reach = shape.size + gap;
    const heightOf = (x: number, y: number, z: number) => (x - center[0]) * up[0] + (y - center[1]) * up[1] + (z - center[2]) * up[2];
    // Only what is beside or above it can be in the way.
    const near: number[] = [];
    this.bench.view.forEachPoint((x, y, z) => {
      const height = heightOf(x, y, z);
      const level2 = (x - center[0]) ** 2 + (y - center[1]) ** 2 + (z - center[2]) ** 2 - height * height;
      if (height > -reach && level2 < reach * reach) near.push(x, y, z);
    });
    const free: DroppedShape = { ...shape, center: [...center] };
    for (let attempt = 0; attempt < 200; ++attempt) {
      let deepest = 0;
      for (let k = 0; k < near.length; k += 3) deepest = Math.max(deepest, gap - distanceTo(free, near[k]!, near[k + 1]!, near[k + 2]!));
      if (deepest <= 1e-9) break;
      free.center = moved(free.center, up, Math.max(deepest, 0.25 * gap));
    }
    return free;
  }

  /// False where it would reach out of the domain: it is too large, or there is no room above what is there.
  private fits(shape: DroppedShape): boolean {
    const scene = this.bench.scene();
    const box = scene?.domain ?? null;
    if (scene === null || box === null) return scene !== null;
    return axes.slice(0, scene.dimension).every((axis, k) => {
      const half = halfWidth(shape, axis);
      return shape.center[k]! - half >= box.min[k]! && shape.center[k]! + half <= box.max[k]!;
    });
  }

  /// Straight below it, on the floor of the domain if there is one: a line to it shows how far away it is.
  private bottomBelow(shape: DroppedShape): Vector {
    const { up, center } = shape;
    const floor = this.bench.scene()?.domain?.min ?? moved(center, up, -shape.size);
    return moved(center, up, -center.reduce((sum, x, k) => sum + (x - floor[k]!) * up[k]!, 0));
  }

  /// The level axis of the world that is nearest to the right of the picture.
  private levelAxis(up: Vector): Vector {
    const { right } = this.bench.view.axes();
    const level = axes.filter((axis) => Math.abs(dot(axis, up)) < 0.5);
    return level.reduce((best, axis) => (Math.abs(dot(axis, right)) > Math.abs(dot(best, right)) ? axis : best), level[0] ?? [1, 0, 0]);
  }

  /// "ball", "ball 2", …: one that no body has, nor any that is on its way.
  private freshName(word: string): string {
    const taken = new Set(this.bench.scene()?.bodies.map((body) => body.name) ?? []);
    for (const [name, { time }] of this.asked) if (performance.now() - time < patience) taken.add(name);
    for (let number = 1; ; ++number) {
      const name = number === 1 ? word : `${word} ${number}`;
      if (!taken.has(name)) return name;
    }
  }
}

function dot(a: Vector, b: Vector): number { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
