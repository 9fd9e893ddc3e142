// SPDX-License-Identifier: MIT
// Grab: takes hold of the phyxels around the one under the pointer and draws them along, with a spring or exactly.
import type { Vector } from '../../checked';
import { bodiesThatCan, type SceneMessage, type StateMessage } from '../../protocol';
import type { Hit } from '../../scene_view';
import { Throttle } from '../../throttle';
import type { Bench, Pointer, Tool } from '../tool';
import { GrabDrawing } from './grab_drawing';
import { GrabPanel } from './grab_panel';

interface Grip { name: string; kind: 'pull' | 'hold'; hit: Hit; radius: number; grabbedAt: Vector; target: Vector }

export class GrabTool implements Tool {
  readonly name = 'grab';
  readonly title = 'Grab';
  readonly key = 'g';
  readonly icon = 'M8 13V5.5a1.5 1.5 0 0 1 3 0V11m0-6.5a1.5 1.5 0 0 1 3 0V11m0-5a1.5 1.5 0 0 1 3 0v6m0-3.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.5a6 6 0 0 1-4.6-2.2L4.4 15a1.6 1.6 0 0 1 2.4-2.1L8 14';
  readonly gesture = 'drag';
  private readonly drawn: GrabDrawing;
  private readonly controls = new GrabPanel();
  private readonly sending = new Throttle(30);
  private grip: Grip | null = null;

  constructor(private readonly bench: Bench) { this.drawn = new GrabDrawing(bench.view); }

  get panel(): HTMLElement { return this.controls.element; }
  get drawing() { return this.drawn.object; }

  hint(scene: SceneMessage): string | null {
    const bodies = bodiesThatCan('grab', scene);
    return bodies.length === 0 ? null : `Drag the ${bodies.length === 1 ? bodies[0]!.name : 'bodies'} to pull.`;
  }

  hover(pointer: Pointer | null): string | null {
    const hit = pointer === null ? null : this.takeable(pointer);
    if (hit === null) {
      if (this.grip === null) this.drawn.hide();
      return null;
    }
    this.drawn.offer(hit, this.radiusFor(hit));
    return 'grab';
  }

  press(pointer: Pointer): boolean {
    const hit = this.takeable(pointer);
    if (hit === null) return false;
    const kind = pointer.shift || this.controls.prescribed ? 'hold' : 'pull';
    const grabbedAt = pointer.onPlane(hit.position);
    this.grip = { name: this.bench.freshName('grab'), kind, hit, radius: this.radiusFor(hit), grabbedAt, target: hit.position };
    this.sendHand(this.grip);
    this.bench.goOn();
    this.show(this.grip);
    return true;
  }

  drag(pointer: Pointer): void {
    const grip = this.grip;
    if (grip === null) return;
    // The particle keeps its distance from the pointer, so that nothing jumps when the drag begins beside its middle.
    const now = pointer.onPlane(grip.hit.position);
    grip.target = grip.hit.position.map((x, k) => x + (now[k] ?? 0) - (grip.grabbedAt[k] ?? 0)) as Vector;
    this.sending.run(() => this.sendHand(grip));
    this.show(grip);
  }

  release(): void {
    if (this.grip === null) return;
    this.sending.flush();
    this.bench.send({ type: 'release', name: this.grip.name });
    this.grip = null;
    this.drawn.hide();
    this.controls.showIdle();
  }

  update(_state: StateMessage): void { if (this.grip !== null) this.show(this.grip); }

  reset(scene: SceneMessage | null): void {
    this.sending.cancel();
    this.grip = null;
    this.drawn.hide();
    this.controls.showIdle();
    if (scene !== null) this.controls.setSpacing(scene.spacing);
  }

  private takeable(pointer: Pointer): Hit | null {
    const hit = pointer.hit();
    return hit?.can.includes('grab') === true ? hit : null;
  }

  private radiusFor(hit: Hit): number { return this.controls.radius * hit.spacing; }

  private sendHand({ name, kind, hit, radius, target }: Grip): void {
    this.bench.send({ type: 'hand', name, kind, body: hit.bodyName, id: hit.id, radius, to: this.bench.point(target) });
  }

  private show(grip: Grip): void {
    const now = this.bench.view.positionOf(grip.hit.bodyName, grip.hit.id) ?? grip.hit.position;
    this.drawn.hold(grip.hit, grip.radius, now, grip.target);
    this.controls.showGrip(grip.hit, grip.kind, distance(now, grip.hit.position), distance(now, grip.target));
  }
}

function distance(a: Vector, b: Vector): number { return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
