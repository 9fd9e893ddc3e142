// SPDX-License-Identifier: MIT
// Push: a ball follows the pointer in the picture plane and pushes everything out of itself, or draws it in.
import { Group } from 'three';
import type { Vector } from '../../checked';
import { accent, GlassBall, Ring } from '../../marks';
import { bodiesThatCan, type SceneMessage } from '../../protocol';
import { Throttle } from '../../throttle';
import type { Bench, Pointer, Tool } from '../tool';
import { PushPanel } from './push_panel';

export class PushTool implements Tool {
  readonly name = 'push';
  readonly title = 'Push';
  readonly key = 'b';
  readonly icon = 'M4 12a5 5 0 1 0 10 0a5 5 0 1 0-10 0m13-4 4 4-4 4m4-4h-5';
  readonly gesture = 'drag';
  readonly drawing = new Group();
  private readonly controls = new PushPanel();
  private readonly sending = new Throttle(30);
  private readonly ball = new GlassBall(accent, 0.25);
  private readonly outline = new Ring(accent);
  private push: { name: string; place: Vector } | null = null;

  constructor(private readonly bench: Bench) { this.drawing.add(this.ball.object, this.outline.object); }

  get panel(): HTMLElement { return this.controls.element; }

  hint(scene: SceneMessage): string | null {
    const bodies = bodiesThatCan('push', scene);
    return bodies.length === 0 ? null : `Drag through the ${bodies.length === 1 ? bodies[0]!.name : 'bodies'} to push.`;
  }

  hover(pointer: Pointer | null): string | null {
    const place = pointer === null ? null : this.placeFor(pointer);
    if (place === null) {
      if (this.push === null) this.hide();
      return null;
    }
    this.show(place, false);
    return 'crosshair';
  }

  press(pointer: Pointer): boolean {
    const place = this.placeFor(pointer);
    if (place === null) return false;
    this.push = { name: this.bench.freshName('push'), place };
    this.sendHand();
    this.bench.goOn();
    this.show(place, true);
    return true;
  }

  drag(pointer: Pointer): void {
    if (this.push === null) return;
    this.push.place = pointer.onPlane(this.push.place);
    this.sending.run(() => this.sendHand());
    this.show(this.push.place, true);
  }

  release(): void {
    if (this.push === null) return;
    this.sending.flush();
    this.bench.send({ type: 'release', name: this.push.name });
    this.push = null;
    this.hide();
  }

  reset(scene: SceneMessage | null, again: boolean): void {
    this.sending.cancel();
    this.push = null;
    this.hide();
    if (scene !== null && !again) this.controls.fit(scene);
  }

  /// One may begin beside a body: whatever comes within the ball's radius counts.
  private placeFor(pointer: Pointer): Vector | null {
    const scene = this.bench.scene();
    if (scene === null) return null;
    const hit = pointer.hit() ?? pointer.hit(this.controls.radius / scene.spacing);
    return hit?.can.includes('push') === true ? pointer.onPlane(hit.position) : null;
  }

  private sendHand(): void {
    if (this.push === null) return;
    const { radius, strength } = this.controls;
    this.bench.send({ type: 'hand', name: this.push.name, kind: 'push', radius, strength, to: this.bench.point(this.push.place) });
  }

  private show(place: Vector, pressed: boolean): void {
    if (pressed) this.ball.show(place, this.controls.radius);
    else this.ball.hide();
    this.outline.show(place, this.controls.radius);
    this.bench.view.invalidate();
  }

  private hide(): void {
    this.ball.hide();
    this.outline.hide();
    this.bench.view.invalidate();
  }
}
