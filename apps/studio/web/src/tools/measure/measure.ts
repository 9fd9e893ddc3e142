// SPDX-License-Identifier: MIT
// Measure: two clicks, on particles or on obstacles, show how far apart the places are. Those on particles go with them.
import { Group } from 'three';
import type { Vector } from '../../checked';
import { accent, Marks, quiet, Thread } from '../../marks';
import type { SceneMessage, StateMessage } from '../../protocol';
import type { Bench, Pointer, Tool } from '../tool';
import { MeasurePanel } from './measure_panel';

/// A particle, or a place that stays where it is.
interface End { readonly particle: { readonly body: string; readonly id: number } | null; place: Vector; readonly name: string }

export class MeasureTool implements Tool {
  readonly name = 'measure';
  readonly title = 'Measure';
  readonly key = 'm';
  readonly icon = 'M3 16 16 3l5 5L8 21Zm4-4 2 2m1-5 3 3m0-6 2 2';
  readonly gesture = 'click';
  readonly drawing = new Group();
  private readonly controls: MeasurePanel;
  private readonly offered: Marks;
  private readonly marked: Marks;
  private readonly line = new Thread(accent);
  /// None, one while the second is looked for, or two.
  private ends: End[] = [];

  constructor(private readonly bench: Bench) {
    this.offered = new Marks(bench.view.viewport, quiet, 0.7);
    this.marked = new Marks(bench.view.viewport, accent);
    this.drawing.add(this.offered.object, this.marked.object, this.line.object);
    this.controls = new MeasurePanel(() => this.forget());
  }

  get panel(): HTMLElement { return this.controls.element; }

  hint(_scene: SceneMessage): string | null { return 'Click two places to see how far apart they are.'; }

  hover(pointer: Pointer | null): string | null {
    const end = pointer === null ? null : this.endAt(pointer);
    this.offered.show(end === null ? [] : [end.place], this.size);
    this.show(this.ends.length === 1 ? end : null);
    return end === null ? null : end.particle === null ? 'crosshair' : 'pointer';
  }

  press(pointer: Pointer): boolean {
    const end = this.endAt(pointer);
    if (end === null) return false;
    this.ends = this.ends.length === 1 ? [...this.ends, end] : [end];
    this.show(null);
    return true;
  }

  update(_state: StateMessage): void {
    if (this.ends.length === 0) return;
    for (const end of this.ends) {
      if (end.particle === null) continue;
      const place = this.bench.view.positionOf(end.particle.body, end.particle.id);
      if (place === null) return this.forget(); // it has left the scene
      end.place = place;
    }
    this.show(null);
  }

  reset(_scene: SceneMessage | null): void {
    this.offered.hide();
    this.forget();
  }

  private get size(): number { return 0.6 * (this.bench.scene()?.spacing ?? 0); }

  private forget(): void {
    this.ends = [];
    this.show(null);
  }

  private endAt(pointer: Pointer): End | null {
    const hit = pointer.hit(0.55);
    if (hit !== null)
      return { particle: { body: hit.bodyName, id: hit.id }, place: hit.position, name: `${hit.bodyName} ${hit.id}` };
    const place = pointer.place();
    return place === null ? null : { particle: null, place, name: 'a place' };
  }

  /// What was clicked, and where the pointer is if it looks for the second end.
  private show(sought: End | null): void {
    const [from, to] = sought === null ? this.ends : [...this.ends, sought];
    this.marked.show(this.ends.map((end) => end.place), this.size);
    if (from !== undefined && to !== undefined) this.line.show(from.place, to.place);
    else this.line.hide();
    this.controls.show(from ?? null, to ?? null, this.bench.scene()?.dimension ?? 3);
    this.bench.view.invalidate();
  }
}
