// SPDX-License-Identifier: MIT
// Fix: a click nails the phyxels around the one under the pointer where they are; a click on a nail takes it out.
import { bodiesThatCan, type Hand, type SceneMessage, type StateMessage } from '../../protocol';
import type { Hit } from '../../scene_view';
import type { Bench, Pointer, Tool } from '../tool';
import { FixDrawing } from './fix_drawing';
import { FixPanel } from './fix_panel';

export class FixTool implements Tool {
  readonly name = 'fix';
  readonly title = 'Fix';
  readonly key = 'f';
  readonly icon = 'M12 22v-7m-5 0h10l-1.6-3.2a3 3 0 0 1-.4-1.4V6.5L16.5 4h-9L9 6.5v3.9c0 .5-.14 1-.4 1.4L7 15Z';
  readonly gesture = 'click';
  private readonly drawn: FixDrawing;
  private readonly controls: FixPanel;

  constructor(private readonly bench: Bench) {
    this.drawn = new FixDrawing(bench.view);
    this.controls = new FixPanel((name) => this.unfix(name));
  }

  get panel(): HTMLElement { return this.controls.element; }
  get drawing() { return this.drawn.object; }

  hint(scene: SceneMessage): string | null {
    return bodiesThatCan('fix', scene).length > 0 ? 'Click the body to nail it down there.' : null;
  }

  hover(pointer: Pointer | null): string | null {
    const hit = pointer === null ? null : this.takeable(pointer);
    if (hit === null) {
      this.drawn.hideOffer();
      return null;
    }
    const nail = this.nailAt(hit);
    this.drawn.offer(hit, this.radiusFor(hit), nail !== null);
    return nail === null ? 'crosshair' : 'pointer';
  }

  press(pointer: Pointer): boolean {
    const hit = this.takeable(pointer);
    if (hit === null) return false;
    const nail = this.nailAt(hit);
    if (nail !== null) this.unfix(nail);
    else
      this.bench.send({
        type: 'hand', name: this.bench.freshName('fix'), kind: 'hold', body: hit.bodyName, id: hit.id,
        radius: this.radiusFor(hit), to: this.bench.point(hit.position),
      });
    return true;
  }

  /// The server knows what is fixed, also what was fixed before this page was loaded.
  update(state: StateMessage): void {
    const nails = state.hands.filter(isNail);
    this.drawn.showNails(nails.map((hand) => hand.position), 0.9 * (this.bench.scene()?.spacing ?? 1));
    this.controls.show(nails);
  }

  reset(_scene: SceneMessage | null): void {
    this.drawn.hideOffer();
    this.drawn.showNails([], 1);
    this.controls.show([]);
  }

  private unfix(name: string): void { this.bench.send({ type: 'release', name }); }

  private takeable(pointer: Pointer): Hit | null {
    const hit = pointer.hit();
    return hit?.can.includes('fix') === true ? hit : null;
  }

  /// The nail within whose region the particle is.
  private nailAt(hit: Hit): string | null {
    const reach = this.radiusFor(hit);
    const near = this.bench.state()?.hands.find(
      (hand) => isNail(hand) && hand.body === hit.bodyName && Math.hypot(...hand.position.map((x, k) => x - (hit.position[k] ?? 0))) <= reach,
    );
    return near?.name ?? null;
  }

  private radiusFor(hit: Hit): number { return this.controls.radius * hit.spacing; }
}

/// Also what a page held exactly when it was closed: somebody must be able to let it go.
function isNail(hand: Hand): boolean { return hand.kind === 'hold'; }
