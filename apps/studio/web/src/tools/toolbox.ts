// SPDX-License-Identifier: MIT
// The tools, their buttons, and who gets the pointer: the chosen tool if it has a use for it, the camera otherwise.
import { element, icon, isTyping } from '../dom';
import type { Picked, SceneMessage, StateMessage } from '../protocol';
import { FixTool } from './fix/fix';
import { GrabTool } from './grab/grab';
import { PickTool } from './pick/pick';
import { PushTool } from './push/push';
import type { Bench, Pointer, Tool } from './tool';

const dragged = 'phyxel.has_dragged';

export class Toolbox {
  readonly bar = element('div', { class: 'toolbar', role: 'radiogroup', 'aria-label': 'Tools' });
  readonly panel = element('div', { class: 'tool-panel' });
  readonly hint = element('p', { class: 'hint', role: 'status' });
  readonly tools: readonly Tool[];
  private readonly buttons = new Map<Tool, HTMLButtonElement>();
  private active: Tool;
  private holding = false;
  private lastMove: PointerEvent | null = null;
  private hoverScheduled = false;

  constructor(private readonly bench: Bench) {
    this.tools = [new GrabTool(bench), new FixTool(bench), new PushTool(bench), new PickTool(bench)];
    this.active = this.tools[0]!;
    for (const tool of this.tools) {
      bench.view.overlay.add(tool.drawing);
      this.addButton(tool);
    }
    this.choose(this.active);
    this.listen();
  }

  /// The tool that can do most for a scene: solids are grabbed, fluids pushed, recordings looked at.
  reset(scene: SceneMessage | null): void {
    this.holding = false;
    this.bench.view.cameraMoves = true;
    for (const tool of this.tools) {
      tool.reset(scene);
      this.buttons.get(tool)!.disabled = scene !== null && tool.hint(scene) === null;
    }
    if (scene !== null) this.choose(this.tools.find((tool) => tool.hint(scene) !== null) ?? this.active);
    this.showHint();
  }

  update(state: StateMessage): void {
    for (const tool of this.tools) tool.update(state);
    // What lies under a resting pointer changes with the frames.
    if (!this.holding) this.scheduleHover();
  }

  showPicked(picked: Picked): void { for (const tool of this.tools) tool.showPicked?.(picked); }

  private choose(tool: Tool): void {
    if (this.holding) return;
    this.active.hover(null);
    this.active = tool;
    for (const [other, button] of this.buttons) {
      button.setAttribute('aria-checked', String(other === tool));
      button.tabIndex = other === tool ? 0 : -1;
    }
    this.panel.replaceChildren(element('h2', {}, tool.title), tool.panel);
    this.showHint();
    this.scheduleHover();
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
      { type: 'button', role: 'radio', 'aria-label': tool.title, 'aria-keyshortcuts': tool.key, title: `${tool.title} (${tool.key})`, 'data-tool': tool.name },
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

  private listen(): void {
    const { view } = this.bench;
    const canvas = view.canvas;
    // On the parent and before the camera's own listeners, so that a tool can keep the camera still.
    canvas.parentElement!.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => {
      this.lastMove = event;
      if (this.holding) this.active.drag(this.pointer(event));
      else this.scheduleHover();
    });
    canvas.addEventListener('pointerleave', () => {
      this.lastMove = null;
      if (!this.holding) this.active.hover(null);
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) canvas.addEventListener(end, () => this.letGo());
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.letGo();
      if (isTyping() || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
      const tool = this.tools.find((candidate) => candidate.key === event.key.toLowerCase());
      if (tool !== undefined && this.bench.scene() !== null && !this.buttons.get(tool)!.disabled) this.choose(tool);
    });
  }

  private press(event: PointerEvent): void {
    const canvas = this.bench.view.canvas;
    if (event.target !== canvas || event.button !== 0 || this.holding || this.bench.scene() === null) return;
    canvas.focus({ preventScroll: true });
    if (!this.active.press(this.pointer(event))) return;
    this.holding = true;
    this.bench.view.cameraMoves = false;
    canvas.setPointerCapture(event.pointerId);
    canvas.style.cursor = canvas.style.cursor === 'grab' ? 'grabbing' : canvas.style.cursor;
    localStorage.setItem(dragged, '1');
    this.showHint();
  }

  private letGo(): void {
    if (!this.holding) return;
    this.holding = false;
    this.active.release();
    this.bench.view.cameraMoves = true;
    this.showHint();
    this.scheduleHover();
  }

  /// At most once for each picture, whatever the mouse sends.
  private scheduleHover(): void {
    if (this.hoverScheduled) return;
    this.hoverScheduled = true;
    requestAnimationFrame(() => {
      this.hoverScheduled = false;
      if (this.holding || this.lastMove === null || this.bench.scene() === null) return;
      const cursor = this.lastMove.buttons !== 0 ? null : this.active.hover(this.pointer(this.lastMove));
      this.bench.view.canvas.style.cursor = cursor ?? '';
    });
  }

  private pointer(event: PointerEvent): Pointer {
    const { view } = this.bench;
    return {
      shift: event.shiftKey,
      hit: (reach = 0.75) => view.hit(event.clientX, event.clientY, reach),
      onPlane: (place) => view.onPicturePlane(event.clientX, event.clientY, place),
    };
  }
}
