// SPDX-License-Identifier: MIT
// The tools, their buttons, and which of them is chosen. What is done with it comes from gestures.ts.
import { element, icon, isTyping } from '../dom';
import type { Picked, SceneMessage, StateMessage } from '../protocol';
import { DropTool } from './drop/drop';
import { FixTool } from './fix/fix';
import { Gestures } from './gestures';
import { GrabTool } from './grab/grab';
import { KeyCursor } from './key_cursor';
import { MeasureTool } from './measure/measure';
import { PickTool } from './pick/pick';
import { PointerInput } from './pointer_input';
import { PourTool } from './pour/pour';
import { PushTool } from './push/push';
import type { Bench, Tool } from './tool';
import { WarmTool } from './warm/warm';

const dragged = 'phyxel.has_dragged';

export class Toolbox {
  readonly bar = element('div', { class: 'toolbar', role: 'radiogroup', 'aria-label': 'Tools' });
  readonly panel = element('div', { class: 'tool-panel' });
  readonly hint = element('p', { class: 'hint', role: 'status' });
  /// What lies over the picture.
  readonly overlay: readonly HTMLElement[];
  readonly tools: readonly Tool[];
  private readonly buttons = new Map<Tool, HTMLButtonElement>();
  private active: Tool;
  private readonly gestures: Gestures;
  private readonly cursor: KeyCursor;

  constructor(private readonly bench: Bench) {
    this.tools = [new GrabTool(bench), new FixTool(bench), new PushTool(bench), new WarmTool(bench), new DropTool(bench), new PourTool(bench), new PickTool(bench), new MeasureTool(bench)];
    this.active = this.tools[0]!;
    for (const tool of this.tools) {
      bench.view.overlay.add(tool.drawing);
      this.addButton(tool);
    }
    const chosen = () => this.active;
    const canvas = bench.view.canvas;
    this.gestures = new Gestures(bench, chosen);
    new PointerInput(canvas, this.gestures, chosen);
    this.cursor = new KeyCursor(canvas, this.gestures, chosen);
    this.overlay = [this.bar, this.cursor.element, this.hint];
    this.gestures.onChange(() => this.noteFirstDrag());
    this.choose(this.active);
    this.listenToKeys();
  }

  /// The first tool that can do something in a scene, if only to look at it. `again`: the scene that was there
  /// is begun anew, and what was chosen stays.
  reset(scene: SceneMessage | null, again = false): void {
    this.gestures.forget();
    for (const tool of this.tools) {
      tool.reset(scene, again);
      this.showUse(tool, scene);
    }
    if (scene !== null && !(again && this.active.hint(scene) !== null))
      this.choose(this.tools.find((tool) => tool.hint(scene) !== null) ?? this.active);
    this.showHint();
  }

  /// What is chosen and held stays.
  grow(scene: SceneMessage): void {
    for (const tool of this.tools) {
      tool.grow?.(scene);
      this.showUse(tool, scene);
    }
  }

  update(state: StateMessage): void {
    for (const tool of this.tools) tool.update?.(state);
    this.gestures.refresh();
  }

  showPicked(picked: Picked): void { for (const tool of this.tools) tool.showPicked?.(picked); }

  private showUse(tool: Tool, scene: SceneMessage | null): void {
    const button = this.buttons.get(tool)!;
    button.disabled = scene !== null && tool.hint(scene) === null;
    button.title = !button.disabled ? `${tool.title} (${tool.key})`
      : scene?.kind === 'recorded' ? `${tool.title}: not in a recording` : `${tool.title}: nothing here to use it on`;
  }

  private choose(tool: Tool): void {
    if (this.gestures.holding) return;
    this.active.hover(null);
    this.active = tool;
    for (const [other, button] of this.buttons) {
      button.setAttribute('aria-checked', String(other === tool));
      button.tabIndex = other === tool ? 0 : -1;
    }
    this.panel.replaceChildren(element('h2', {}, tool.title), tool.panel);
    this.panel.closest('.controls')?.scrollTo(0, 0); // where it is
    this.showHint();
    this.gestures.refresh();
  }

  /// Until the first drag, one line says what to do.
  private showHint(): void {
    const scene = this.bench.scene();
    const text = scene === null || localStorage.getItem(dragged) !== null ? null : this.active.hint(scene);
    this.hint.textContent = text ?? '';
    this.hint.hidden = text === null;
  }

  private addButton(tool: Tool): void {
    const button = element(
      'button',
      { type: 'button', role: 'radio', 'aria-label': tool.title, 'aria-keyshortcuts': tool.key, 'data-tool': tool.name },
      icon(tool.icon),
      element('span', {}, tool.title),
    );
    button.addEventListener('click', () => this.choose(tool));
    button.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowDown' || event.key === 'ArrowRight' ? 1 : event.key === 'ArrowUp' || event.key === 'ArrowLeft' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const usable = this.tools.filter((other) => !this.buttons.get(other)!.disabled);
      const next = usable[(usable.indexOf(tool) + step + usable.length) % usable.length] ?? tool;
      this.choose(next);
      this.buttons.get(next)!.focus();
    });
    this.buttons.set(tool, button);
    this.bar.append(button);
  }

  private noteFirstDrag(): void {
    if (!this.gestures.holding || localStorage.getItem(dragged) !== null) return;
    localStorage.setItem(dragged, '1');
    this.showHint();
  }

  private listenToKeys(): void {
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.gestures.release();
      if (isTyping() || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
      const tool = this.tools.find((candidate) => candidate.key === event.key.toLowerCase());
      if (tool !== undefined && this.bench.scene() !== null && !this.buttons.get(tool)!.disabled) this.choose(tool);
    });
  }
}
