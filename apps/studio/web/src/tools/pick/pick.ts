// SPDX-License-Identifier: MIT
// Pick: a click on a particle shows its number, its fields, its neighbours and its support, frame by frame.
import type { Picked, SceneMessage } from '../../protocol';
import type { Bench, Pointer, Tool } from '../tool';
import { PickDrawing } from './pick_drawing';
import { PickPanel } from './pick_panel';

export class PickTool implements Tool {
  readonly name = 'pick';
  readonly title = 'Look at';
  readonly key = 'l';
  readonly icon = 'M4.5 11a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0m11.2 4.700L21 21M9 11a2 2 0 1 0 4 0a2 2 0 1 0-4 0';
  readonly gesture = 'click';
  private readonly drawn: PickDrawing;
  private readonly controls: PickPanel;
  /// What was asked for last. What comes about anything else was on its way already.
  private wanted: { body: string; id: number } | null = null;

  constructor(private readonly bench: Bench) {
    this.drawn = new PickDrawing(bench.view);
    this.controls = new PickPanel((body, id) => this.ask(body, id));
  }

  get panel(): HTMLElement { return this.controls.element; }
  get drawing() { return this.drawn.object; }

  hint(_scene: SceneMessage): string | null { return 'Click a particle to look at it.'; }

  hover(pointer: Pointer | null): string | null {
    const hit = pointer?.hit(0.55) ?? null;
    this.drawn.offer(hit);
    return hit === null ? null : 'pointer';
  }

  press(pointer: Pointer): boolean {
    const hit = pointer.hit(0.55);
    if (hit === null) return false;
    this.ask(hit.bodyName, hit.id);
    return true;
  }

  showPicked(picked: Picked): void {
    const scene = this.bench.scene();
    if (scene === null || picked.body !== this.wanted?.body || picked.id !== this.wanted.id) return;
    this.controls.show(picked, scene);
    if (picked.gone) this.drawn.clear();
    else this.drawn.show(picked, scene.bodies.find((body) => body.name === picked.body)?.spacing ?? scene.spacing);
  }

  grow(scene: SceneMessage): void { this.controls.offer(scene.bodies); }

  reset(scene: SceneMessage | null): void {
    this.wanted = null;
    this.drawn.clear();
    this.controls.clear(scene?.bodies ?? []);
  }

  private ask(body: string, id: number | null): void {
    if (!this.bench.send({ type: 'pick', body, id })) return;
    this.wanted = id === null ? null : { body, id };
    if (id !== null) return this.controls.name(body, id);
    this.drawn.clear();
    this.controls.clear(this.bench.scene()?.bodies ?? []);
  }
}
