// SPDX-License-Identifier: MIT
// Pour: while the button is down, a jet comes from where the pointer is, in the plane of the picture.
import type { Vector } from '../../checked';
import { bodiesThatCan, type SceneMessage, type StateMessage } from '../../protocol';
import { Throttle } from '../../throttle';
import type { Bench, Pointer, Tool } from '../tool';
import { PourDrawing } from './pour_drawing';
import { PourPanel } from './pour_panel';

export class PourTool implements Tool {
  readonly name = 'pour';
  readonly title = 'Pour';
  readonly key = 'p';
  readonly icon = 'M3 5h9a5 5 0 0 1 5 5v2M3 10h8a1 1 0 0 1 1 1v1M10 12h9M12 16v2m5-2v2m-2.5 0v3';
  readonly gesture = 'drag';
  private readonly controls = new PourPanel();
  private readonly drawn: PourDrawing;
  private readonly sending = new Throttle(30);
  /// `above`: how far over the pointer it is.
  private jet: { name: string; at: Vector; above: Vector } | null = null;

  constructor(private readonly bench: Bench) { this.drawn = new PourDrawing(bench.view); }

  get panel(): HTMLElement { return this.controls.element; }
  get drawing() { return this.drawn.object; }

  hint(scene: SceneMessage): string | null {
    return bodiesThatCan('pour', scene).length > 0 ? 'Press and hold to pour.' : null;
  }

  hover(pointer: Pointer | null): string | null {
    const place = pointer === null ? null : this.placeFor(pointer);
    if (place === null) {
      if (this.jet === null) this.drawn.hideOffer();
      return null;
    }
    this.drawn.offer(place, this.velocity(), this.controls.radius);
    return 'crosshair';
  }

  press(pointer: Pointer): boolean {
    const at = this.placeFor(pointer);
    if (at === null) return false;
    this.jet = { name: this.bench.freshName('pour'), at, above: minus(at, pointer.onPlane(at)) };
    this.sendJet();
    this.bench.goOn();
    this.drawn.offer(at, this.velocity(), this.controls.radius);
    return true;
  }

  drag(pointer: Pointer): void {
    if (this.jet === null) return;
    this.jet.at = this.withinDomain(plus(pointer.onPlane(this.jet.at), this.jet.above));
    this.sending.run(() => this.sendJet());
    this.drawn.offer(this.jet.at, this.velocity(), this.controls.radius);
  }

  release(): void {
    if (this.jet === null) return;
    this.sending.flush();
    this.bench.send({ type: 'release', name: this.jet.name });
    this.jet = null;
    this.drawn.hideOffer();
  }

  /// All that pour, also those of other pages. Our own one is drawn where it is wanted.
  update(state: StateMessage): void {
    this.drawn.showNozzles(state.nozzles.filter((nozzle) => nozzle.name !== this.jet?.name));
    this.controls.show(state.nozzles);
  }

  grow(scene: SceneMessage): void { this.controls.offer(bodiesThatCan('pour', scene)); }

  reset(scene: SceneMessage | null, again: boolean): void {
    this.sending.cancel();
    this.jet = null;
    this.drawn.hideOffer();
    this.drawn.showNozzles([]);
    this.controls.show([]);
    if (scene !== null) this.controls.fit(scene, bodiesThatCan('pour', scene), again);
  }

  /// At the depth of what is under the pointer, or of the middle of the view; not beside the domain, where the view is turned.
  private placeFor(pointer: Pointer): Vector | null {
    const scene = this.bench.scene();
    if (scene === null || this.controls.body === '') return null;
    const under = pointer.place();
    let place = pointer.onPlane(under ?? this.bench.view.pose().target);
    // What pours down begins above what it falls on.
    if (under !== null && this.controls.direction === 'down') place = plus(place, scaled(scene.up, 1.5 * this.controls.radius));
    if (scene.dimension === 2) place[2] = 0;
    const inside = this.withinDomain(place);
    return under === null && Math.hypot(...minus(place, inside)) > 3 * this.controls.radius ? null : inside;
  }

  private withinDomain(place: Vector): Vector {
    const scene = this.bench.scene();
    const box = scene?.domain ?? null;
    if (scene === null || box === null) return place;
    const room = this.controls.radius + scene.spacing;
    return place.map((x, k) => {
      if (k >= scene.dimension) return x;
      return Math.min(Math.max(x, box.min[k]! + room), Math.max(box.max[k]! - room, box.min[k]! + room));
    }) as Vector;
  }

  private velocity(): Vector {
    const up = this.bench.scene()?.up ?? [0, 0, 1];
    const { right, away } = this.bench.view.axes();
    const { direction, speed } = this.controls;
    const along = direction === 'down' ? scaled(up, -1) : direction === 'up' ? up
      : level(direction === 'away' ? away : scaled(right, direction === 'left' ? -1 : 1), up);
    return scaled(along, speed);
  }

  private sendJet(): void {
    if (this.jet === null) return;
    const { body, radius } = this.controls;
    this.bench.send({ type: 'pour', name: this.jet.name, body, at: this.bench.point(this.jet.at), velocity: this.bench.point(this.velocity()), radius });
  }
}

function plus(a: Vector, b: Vector): Vector { return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]; }
function minus(a: Vector, b: Vector): Vector { return plus(a, scaled(b, -1)); }

function scaled(v: Vector, by: number): Vector { return [by * v[0], by * v[1], by * v[2]]; }

/// Without its part along `up`, and of length 1; straight down where nothing else is left, as seen from above.
function level(v: Vector, up: Vector): Vector {
  const height = v[0] * up[0] + v[1] * up[1] + v[2] * up[2];
  const flat: Vector = [v[0] - height * up[0], v[1] - height * up[1], v[2] - height * up[2]];
  const length = Math.hypot(...flat);
  return length < 0.1 ? scaled(up, -1) : scaled(flat, 1 / length);
}
