// SPDX-License-Identifier: MIT
// Sliders, switches and choices for everything that may be changed while the scene runs, made from the descriptions of the
// parameters; with undo and redo.
import { NumberControl, SwitchControl, WordControl, type Control } from './controls';
import { element, iconButton } from './dom';
import { words } from './number_text';
import type { NumberParameter, Parameter, ParameterValue, SceneMessage } from './protocol';
import type { SliderRange } from './slider';
import { Throttle } from './throttle';

interface Change { path: string; before: ParameterValue; after: ParameterValue; time: number }

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
  private readonly controls = new Map<string, Control>();
  private readonly ranges = new Map<string, SliderRange>(); ///< as the scene was opened
  private readonly known = new Map<string, ParameterValue>(); ///< what the server has
  private readonly asked = new Map<string, ParameterValue>(); ///< what it was asked for and has not answered yet
  private readonly sending = new Throttle(10);
  private done: Change[] = [];
  private undone: Change[] = [];
  private moving: Change | null = null;
  private takeBack: (() => void) | null = null; ///< what the history was before a change that is not answered yet

  /// `send` returns false if the connection is lost.
  constructor(private readonly send: (path: string, value: ParameterValue) => boolean) {
    this.undoButton = iconButton('Undo', undoIcon, () => this.undo(), 'Ctrl+Z');
    this.redoButton = iconButton('Redo', redoIcon, () => this.redo(), 'Ctrl+Y');
    this.element.append(element('div', { class: 'panel-head' }, element('h2', {}, 'Parameters'), this.undoButton, this.redoButton), this.groups);
  }

  /// What was done before can still be undone after a restart, which keeps the values.
  reset(scene: SceneMessage | null, again: boolean): void {
    // What events of the scene have changed is what it was; only what was done by hand counts.
    const byHand = new Set([...this.done, ...this.undone].map(({ path }) => path));
    const kept = again && scene !== null && scene.parameters.every(({ path, value }) => !byHand.has(path) || this.known.get(path) === value);
    this.sending.cancel();
    this.controls.clear();
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
    this.done = this.done.filter(({ path }) => this.controls.has(path));
    this.undone = this.undone.filter(({ path }) => this.controls.has(path));
    this.showHistory();
  }

  /// There are parameters more than before; those that were there stay, with what was done to them.
  grow(scene: SceneMessage): void {
    for (const { path, value } of scene.parameters) if (this.controls.has(path)) this.show(path, value);
    this.add(scene.parameters.filter(({ path }) => !this.controls.has(path)));
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
      place.append(this.control(parameter, name).element);
    }
    this.element.hidden = this.controls.size === 0;
  }

  /// The server says what a parameter is now, whoever changed it.
  show(path: string, value: ParameterValue): void {
    this.known.set(path, value);
    // Null restores what the scene has, and the answer says what that is.
    const asked = this.asked.get(path);
    if (asked === value || asked === null) this.asked.delete(path);
    if (this.asked.size === 0) this.takeBack = null;
    // What was asked for since then is on its way.
    if (this.moving?.path !== path && !this.asked.has(path)) this.controls.get(path)?.show(value);
  }

  /// The server did not take what was asked for.
  refused(): void {
    this.moving = null;
    this.takeBack?.();
    this.takeBack = null;
    this.asked.clear();
    for (const [path, value] of this.known) this.controls.get(path)?.show(value);
    this.showHistory();
  }

  undo(): void { this.move(this.done, this.undone, (change) => change.before); }
  redo(): void { this.move(this.undone, this.done, (change) => change.after); }

  private move(from: Change[], to: Change[], target: (change: Change) => ParameterValue): void {
    const change = from.at(-1);
    if (change === undefined || !this.ask(change.path, target(change))) return;
    this.keepHistory();
    from.pop();
    to.push(change);
    this.controls.get(change.path)?.show(target(change));
    this.showHistory();
  }

  private control(parameter: Parameter, name: string): Control {
    const { path } = parameter;
    const onChange = (value: ParameterValue, done: boolean) => this.change(path, value, done);
    const control = parameter.kind === 'switch' ? new SwitchControl(parameter, name, onChange)
      : parameter.kind === 'word' ? new WordControl(parameter, name, onChange)
      : new NumberControl(parameter, name, (value) => this.rangeFor(parameter, value), onChange);
    control.element.dataset['path'] = path;
    this.controls.set(path, control);
    this.known.set(path, parameter.value);
    return control;
  }

  /// As before, unless a number that was not set has become one far away.
  private rangeFor(parameter: NumberParameter, value: number): SliderRange {
    const before = this.ranges.get(parameter.path);
    if (before !== undefined && (!parameter.canBeUnset || (before.low <= value && value <= before.high))) return before;
    const range = sliderRange(parameter, value);
    this.ranges.set(parameter.path, range);
    return range;
  }

  private present(path: string): ParameterValue | undefined {
    const asked = this.asked.get(path);
    return asked === undefined ? this.known.get(path) : asked;
  }

  private change(path: string, value: ParameterValue, done: boolean): void {
    this.moving ??= { path, before: this.present(path) ?? null, after: value, time: 0 };
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
  private ask(path: string, value: ParameterValue): boolean {
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
function sliderRange(parameter: NumberParameter, value: number): SliderRange {
  const range = wholeRange(parameter, value);
  // A little less where the bound itself is not allowed.
  const inset = (range.high - range.low) / 500;
  if (parameter.minExcluded && range.low === parameter.min) range.low += inset;
  if (parameter.maxExcluded && range.high === parameter.max) range.high -= inset;
  return range;
}

function wholeRange({ min, max }: NumberParameter, value: number): SliderRange {
  const positive = min >= 0 && value > 0;
  if (positive && !(max / Math.max(min, value / 100) < 50)) {
    const low = Math.max(min, value / 100);
    const high = Math.min(max, value * 100);
    return { low, high, logarithmic: true };
  }
  const size = Math.max(2 * Math.abs(value), 1);
  return { low: Math.max(min, -size), high: Math.min(max, size), logarithmic: false };
}
