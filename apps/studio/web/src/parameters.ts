// SPDX-License-Identifier: MIT
// Sliders for everything that may be changed while the scene runs, made from the descriptions of the parameters; with undo
// and redo.
import { element, iconButton } from './dom';
import { unitText, words } from './number_text';
import type { Parameter, SceneMessage } from './protocol';
import { Slider } from './slider';
import { Throttle } from './throttle';

interface Change { path: string; before: number; after: number; time: number }

const oneChange = 700; // strokes of a key that follow each other as fast are undone together [ms]
const wholeScene = 'scene';
const undoIcon = 'M9 6 4.5 10.5 9 15M5 10.5h9a4.25 4.25 0 0 1 0 8.5h-3';
const redoIcon = 'M15 6l4.5 4.5L15 15M19 10.5h-9a4.25 4.25 0 0 0 0 8.5h3';

export class ParameterPanel {
  readonly element = element('section', { class: 'panel', 'aria-label': 'Parameters' });
  private readonly groups = element('div');
  private readonly places = new Map<string, HTMLElement>(); ///< of the groups, by name
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly sliders = new Map<string, Slider>();
  private readonly ranges = new Map<string, ReturnType<typeof sliderRange>>(); ///< as the scene was opened
  private readonly known = new Map<string, number>(); ///< what the server has
  private readonly asked = new Map<string, number>(); ///< what it was asked for and has not answered yet
  private readonly sending = new Throttle(10);
  private done: Change[] = [];
  private undone: Change[] = [];
  private moving: Change | null = null;
  private takeBack: (() => void) | null = null; ///< what the history was before a change that is not answered yet

  /// `send` returns false if the connection is lost.
  constructor(private readonly send: (path: string, value: number) => boolean) {
    this.undoButton = iconButton('Undo', undoIcon, () => this.undo(), 'Ctrl+Z');
    this.redoButton = iconButton('Redo', redoIcon, () => this.redo(), 'Ctrl+Y');
    this.element.append(element('div', { class: 'panel-head' }, element('h2', {}, 'Parameters'), this.undoButton, this.redoButton), this.groups);
  }

  /// What was done before can still be undone after a restart, which keeps the values.
  reset(scene: SceneMessage | null, again: boolean): void {
    const before = new Map(this.known);
    const kept = again && scene !== null && scene.parameters.every(({ path, value }) => before.get(path) === value);
    this.sending.cancel();
    this.sliders.clear();
    this.known.clear();
    this.asked.clear();
    this.takeBack = null;
    if (!again) this.ranges.clear();
    if (!kept) this.done = this.undone = [];
    this.moving = null;
    this.groups.replaceChildren();
    this.places.clear();
    this.add(scene?.parameters ?? []);
    // Of bodies that were dropped in, and are gone.
    this.done = this.done.filter(({ path }) => this.sliders.has(path));
    this.undone = this.undone.filter(({ path }) => this.sliders.has(path));
    this.showHistory();
  }

  /// There are parameters more than before; those that were there stay, with what was done to them.
  grow(scene: SceneMessage): void {
    for (const { path, value } of scene.parameters) if (this.sliders.has(path)) this.show(path, value);
    this.add(scene.parameters.filter(({ path }) => !this.sliders.has(path)));
  }

  private add(parameters: readonly Parameter[]): void {
    for (const parameter of parameters) {
      const { group, name } = splitPath(parameter.path);
      let place = this.places.get(group);
      if (place === undefined) {
        place = element('div', { class: 'group', role: 'group', 'aria-label': group }, element('h3', {}, group));
        this.places.set(group, place);
        // What concerns the whole scene comes first, however many bodies there are.
        if (group === wholeScene) this.groups.prepend(place);
        else this.groups.append(place);
      }
      place.append(this.slider(parameter, name).element);
    }
    this.element.hidden = this.sliders.size === 0;
  }

  /// The server says what a parameter is now, whoever changed it.
  show(path: string, value: number): void {
    this.known.set(path, value);
    if (this.asked.get(path) === value) this.asked.delete(path);
    if (this.asked.size === 0) this.takeBack = null;
    // What was asked for since then is on its way.
    if (this.moving?.path !== path && !this.asked.has(path)) this.sliders.get(path)?.show(value);
  }

  /// The server did not take what was asked for.
  refused(): void {
    this.moving = null;
    this.takeBack?.();
    this.takeBack = null;
    this.asked.clear();
    for (const [path, value] of this.known) this.sliders.get(path)?.show(value);
    this.showHistory();
  }

  undo(): void { this.move(this.done, this.undone, (change) => change.before); }
  redo(): void { this.move(this.undone, this.done, (change) => change.after); }

  private move(from: Change[], to: Change[], target: (change: Change) => number): void {
    const change = from.at(-1);
    if (change === undefined || !this.ask(change.path, target(change))) return;
    this.keepHistory();
    from.pop();
    to.push(change);
    this.sliders.get(change.path)?.show(target(change));
    this.showHistory();
  }

  private slider(parameter: Parameter, name: string): Slider {
    const range = this.ranges.get(parameter.path) ?? sliderRange(parameter);
    this.ranges.set(parameter.path, range);
    const slider = new Slider({ label: name, unit: unitText(parameter.unit), value: parameter.value, ...range, minExcluded: parameter.minExcluded, maxExcluded: parameter.maxExcluded, whole: parameter.whole, doc: parameter.doc },
      (value, done) => this.change(parameter.path, value, done));
    slider.element.dataset['path'] = parameter.path;
    this.sliders.set(parameter.path, slider);
    this.known.set(parameter.path, parameter.value);
    return slider;
  }

  private change(path: string, value: number, done: boolean): void {
    this.moving ??= { path, before: this.asked.get(path) ?? this.known.get(path) ?? value, after: value, time: 0 };
    const { moving } = this;
    moving.after = value;
    this.sending.run(() => this.ask(path, value));
    if (!done) return;
    this.sending.flush();
    if (this.moving === null) return; // it was refused
    this.moving = null;
    if (moving.before !== value) this.remember({ ...moving, time: performance.now() });
    this.showHistory();
  }

  private keepHistory(): void {
    const [done, undone] = [this.done.map((change) => ({ ...change })), [...this.undone]];
    this.takeBack = () => { [this.done, this.undone] = [done, undone]; };
  }

  private remember(change: Change): void {
    this.keepHistory();
    const last = this.done.at(-1);
    if (last !== undefined && this.undone.length === 0 && last.path === change.path && last.after === change.before && change.time - last.time < oneChange)
      Object.assign(last, { after: change.after, time: change.time });
    else this.done.push(change);
    this.undone = [];
  }

  /// False if it cannot be asked for now; everything is as before then.
  private ask(path: string, value: number): boolean {
    if (!this.send(path, value)) {
      this.refused();
      return false;
    }
    this.asked.set(path, value);
    return true;
  }

  private showHistory(): void {
    this.undoButton.disabled = this.done.length === 0;
    this.redoButton.disabled = this.undone.length === 0;
  }
}

/// "bodies.bear.material.youngs_modulus" belongs to the group "bear · material".
function splitPath(path: string): { group: string; name: string } {
  // A name with a dot or a space stands in brackets: bodies["ball 2"].material.
  const parts = (path.match(/\["[^"]*"\]|[^.[]+(\[\d+\])?/g) ?? [path]).map((part) => part.replace(/^\["|"\]$/g, ''));
  const last = parts.pop() ?? path;
  if (parts[0] === 'bodies' || parts[0] === 'obstacles' || parts[0] === 'emitters') parts.shift();
  // Parts of vectors: "gravity[2]" is "Gravity z".
  const name = words(last).replace(/\[([012])\]$/, (_, axis: string) => ` ${'xyz'[Number(axis)]}`);
  return { group: parts.length === 0 ? wholeScene : parts.map((part) => part.replaceAll('_', ' ')).join(' · '), name };
}

/// The ends of a slider: the bounds where they are near, else two decades around the value.
function sliderRange(parameter: Parameter): { low: number; high: number; min: number; max: number; logarithmic: boolean } {
  const range = wholeRange(parameter);
  // A little less where the bound itself is not allowed.
  const inset = (range.high - range.low) / 500;
  if (parameter.minExcluded && range.low === parameter.min) range.low += inset;
  if (parameter.maxExcluded && range.high === parameter.max) range.high -= inset;
  return range;
}

function wholeRange({ value, min, max }: Parameter): { low: number; high: number; min: number; max: number; logarithmic: boolean } {
  const positive = min >= 0 && value > 0;
  if (positive && !(max / Math.max(min, value / 100) < 50)) {
    const low = Math.max(min, value / 100);
    const high = Math.min(max, value * 100);
    return { low, high, min, max, logarithmic: true };
  }
  const size = Math.max(2 * Math.abs(value), 1);
  return { low: Math.max(min, -size), high: Math.min(max, size), min, max, logarithmic: false };
}
