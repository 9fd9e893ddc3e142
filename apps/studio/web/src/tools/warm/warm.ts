// SPDX-License-Identifier: MIT
// Heat gun: while it is held, a ball around what lies under the pointer is warmed. It follows the pointer over the surface,
// and what moves under a pointer that rests.
import { Group } from 'three';
import type { Vector } from '../../checked';
import { accent, GlassBall, hot, Ring } from '../../marks';
import { bodiesThatCan, type SceneMessage, type StateMessage } from '../../protocol';
import type { Hit } from '../../scene_view';
import { Throttle } from '../../throttle';
import type { Bench, Pointer, Tool } from '../tool';
import { WarmPanel } from './warm_panel';

/// What it points at from the moment it is pressed, and where that is.
interface Aim { readonly name: string; pointer: Pointer; place: Vector; sent: Vector; body: string | null }

export class WarmTool implements Tool {
  readonly name = 'warm';
  readonly title = 'Heat gun';
  readonly key = 'h';
  readonly icon = 'M3 7h9v5H3Zm2.5 5-1 7h3.5l1-7m6-5c1.5 1.2 1.5 3.8 0 5m3-7c2.8 2.5 2.8 6.5 0 9';
  readonly gesture = 'drag';
  readonly drawing = new Group();
  private readonly controls = new WarmPanel(() => this.sendSoon());
  private readonly sending = new Throttle(30);
  private readonly ball = new GlassBall(hot, 0.18);
  private readonly outline = new Ring(accent);
  private aim: Aim | null = null;

  constructor(private readonly bench: Bench) { this.drawing.add(this.ball.object, this.outline.object); }

  get panel(): HTMLElement { return this.controls.element; }

  hint(scene: SceneMessage): string | null {
    const bodies = bodiesThatCan('warm', scene);
    return bodies.length === 0 ? null : `Hold the heat gun on the ${bodies.length === 1 ? bodies[0]!.name : 'bodies'}.`;
  }

  hover(pointer: Pointer | null): string | null {
    const hit = pointer === null ? null : warmable(pointer);
    if (hit === null) {
      if (this.aim === null) this.hide();
      return null;
    }
    this.show(hit.position, false);
    return 'crosshair';
  }

  press(pointer: Pointer): boolean {
    const hit = warmable(pointer);
    if (hit === null) return false;
    this.aim = { name: this.bench.freshName('heat'), pointer, place: hit.position, sent: hit.position, body: hit.bodyName };
    this.sendHand();
    this.bench.goOn();
    this.show(hit.position, true);
    return true;
  }

  drag(pointer: Pointer): void {
    if (this.aim === null) return;
    this.aim.pointer = pointer;
    this.follow();
    this.sendSoon();
  }

  release(): void {
    if (this.aim === null) return;
    this.sending.flush();
    this.bench.send({ type: 'release', name: this.aim.name });
    this.aim = null;
    this.controls.showIdle();
    this.hide();
  }

  update(_state: StateMessage): void {
    if (this.aim === null) return;
    this.follow();
    // Every move is kept with the sitting: what trembles is none.
    if (distance(this.aim.place, this.aim.sent) > 0.25 * this.controls.radius) this.sendSoon();
  }

  reset(scene: SceneMessage | null, again: boolean): void {
    this.sending.cancel();
    this.aim = null;
    this.controls.showIdle();
    this.hide();
    if (scene !== null && !again) this.controls.fit(scene);
  }

  /// Beside the bodies it goes on at the distance that it had, and warms what comes into its ball.
  private follow(): void {
    const { aim } = this;
    if (aim === null) return;
    const hit = warmable(aim.pointer);
    aim.body = hit?.bodyName ?? null;
    aim.place = hit?.position ?? aim.pointer.onPlane(aim.place);
    this.show(aim.place, true);
  }

  private sendSoon(): void { if (this.aim !== null) this.sending.run(() => this.sendHand()); }

  private sendHand(): void {
    if (this.aim === null) return;
    const { radius, power } = this.controls;
    this.aim.sent = this.aim.place;
    this.bench.send({ type: 'hand', name: this.aim.name, kind: 'warm', radius, power, to: this.bench.point(this.aim.place) });
  }

  private show(place: Vector, pressed: boolean): void {
    if (pressed) this.ball.show(place, this.controls.radius);
    else this.ball.hide();
    this.outline.show(place, this.controls.radius);
    if (pressed) this.controls.showAim(this.aim?.body ?? null);
    this.bench.view.invalidate();
  }

  private hide(): void {
    this.ball.hide();
    this.outline.hide();
    this.bench.view.invalidate();
  }
}

/// The particle under the pointer, if its body can be warmed.
function warmable(pointer: Pointer): Hit | null {
  const hit = pointer.hit();
  return hit?.can.includes('warm') === true ? hit : null;
}

function distance(a: Vector, b: Vector): number { return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
