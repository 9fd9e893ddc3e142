// SPDX-License-Identifier: MIT
// Sliders for everything that may be changed while the scene runs, made from the descriptions of the parameters; with undo
// and redo.
import { element, iconButton } from './dom';
import { unitText, words } from './number_text';
import type { Parameter, SceneMessage } from './protocol';
import { Slider } from './slider';
import { Throttle } from './throttle';

interface Change { path: string; before: number; after: number }

const undoIcon = 'M9 6 4.5 10.5 9 15M5 10.5h9a4.25 4.25 0 0 1 0 8.5h-3';
const redoIcon = 'M15 6l4.5 4.5L15 15M19 10.5h-9a4.25 4.25 0 0 0 0 8.5h3';

export class ParameterPanel {
  readonly element = element('section', { class: 'panel', 'aria-label': 'Parameters' });
  private readonly groups = element('div');
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly sliders = new Map<string, Slider>();
  private readonly known = new Map<string, number>(); ///< what the server has
  private readonly sending = new Throttle(10);
  private done: Change[] = [];
  private undone: Change[] = [];
  private moving: Change | null = null;

  constructor(private readonly send: (path: string, value: number) => void) {
    this.undoButton = iconButton('Undo', undoIcon, () => this.undo(), 'Ctrl+Z');
    this.redoButton = iconButton('Redo', redoIcon, () => this.redo(), 'Ctrl+Y');
    this.element.append(element('div', { class: 'panel-head' }, element('h2', {}, 'Parameters'), this.undoButton, this.redoButton), this.groups);
  }

  reset(scene: SceneMessage | null): void {
    this.sending.cancel();
    this.sliders.clear();
    this.known.clear();
    this.done = [];
    this.undone = [];
    this.moving = null;
    const parameters = scene?.parameters ?? [];
    this.element.hidden = parameters.length === 0;
    const groups = new Map<string, HTMLElement>();
    for (const parameter of parameters) {
      const { group, name } = splitPath(parameter.path);
      let place = groups.get(group);
      if (place === undefined) groups.set(group, (place = element('div', { class: 'group', role: 'group', 'aria-label': group }, element('h3', {}, group))));
      place.append(this.slider(parameter, name).element);
    }
    this.groups.replaceChildren(...groups.values());
    this.showHistory();
  }

  /// The server says what a parameter is now, whoever changed it.
  show(path: string, value: number): void {
    this.known.set(path, value);
    if (this.moving?.path !== path) this.sliders.get(path)?.show(value);
  }

  /// The server did not take what was asked for.
  refused(): void {
    this.moving = null;
    for (const [path, value] of this.known) this.sliders.get(path)?.show(value);
  }

  undo(): void { this.move(this.done, this.undone, (change) => change.before); }
  redo(): void { this.move(this.undone, this.done, (change) => change.after); }

  private move(from: Change[], to: Change[], target: (change: Change) => number): void {
    const change = from.pop();
    if (change === undefined) return;
    to.push(change);
    this.sliders.get(change.path)?.show(target(change));
    this.send(change.path, target(change));
    this.showHistory();
  }

  private slider(parameter: Parameter, name: string): Slider {
    const slider = new Slider({ label: name, unit: unitText(parameter.unit), value: parameter.value, ...sliderRange(parameter), whole: parameter.whole, doc: parameter.doc },
      (value, done) => this.changed(parameter.path, value, done));
    slider.element.dataset['path'] = parameter.path;
    this.sliders.set(parameter.path, slider);
    this.known.set(parameter.path, parameter.value);
    return slider;
  }

  private changed(path: string, value: number, done: boolean): void {
    this.moving ??= { path, before: this.known.get(path) ?? value, after: value };
    this.moving.after = value;
    this.sending.run(() => this.send(path, value));
    if (!done) return;
    this.sending.flush();
    if (this.moving.before !== value) {
      this.done.push(this.moving);
      this.undone = [];
    }
    this.moving = null;
    this.showHistory();
  }

  private showHistory(): void {
    this.undoButton.disabled = this.done.length === 0;
    this.redoButton.disabled = this.undone.length === 0;
  }
}

/// "bodies.bear.material.youngs_modulus" belongs to the group "bear · material".
function splitPath(path: string): { group: string; name: string } {
  const parts = path.split('.');
  const last = parts.pop() ?? path;
  if (parts[0] === 'bodies' || parts[0] === 'obstacles' || parts[0] === 'emitters') parts.shift();
  // Parts of vectors: "gravity[2]" is "Gravity z".
  const name = words(last).replace(/\[([012])\]$/, (_, axis: string) => ` ${'xyz'[Number(axis)]}`);
  return { group: parts.length === 0 ? 'scene' : parts.map((part) => part.replaceAll('_', ' ')).join(' · '), name };
}

/// The ends of a slider: the bounds where they are near, else two decades around the value.
function sliderRange({ value, min, max }: Parameter): { low: number; high: number; min: number; max: number; logarithmic: boolean } {
  const positive = min >= 0 && value > 0;
  if (positive && !(max / Math.max(min, value / 100) < 50)) {
    const low = Math.max(min, value / 100);
    const high = Math.min(max, value * 100);
    return { low, high, min, max, logarithmic: true };
  }
  const size = Math.max(2 * Math.abs(value), 1);
  return { low: Math.max(min, -size), high: Math.min(max, size), min, max, logarithmic: false };
}
