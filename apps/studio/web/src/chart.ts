// SPDX-License-Identifier: MIT
// Curves of the energies over time, on a canvas.
import { element } from './dom';
import { quantityText } from './number_text';
import type { SceneMessage, StateMessage } from './protocol';

interface Sample { time: number; values: readonly [number, number, number, number] }

const curves = [
  { name: 'kinetic', color: '--curve-kinetic' },
  { name: 'potential', color: '--curve-potential' },
  { name: 'internal', color: '--curve-internal' },
  { name: 'sum', color: '--curve-sum' },
] as const;

const longest = 4000; // samples; every other one goes when there are more

export class EnergyChart {
  readonly element: HTMLElement;
  private readonly canvas = element('canvas', { role: 'img', 'aria-label': 'Energies over time' });
  private readonly values = curves.map(() => element('span', { class: 'curve-value' }, '–'));
  private samples: Sample[] = [];
  private duration = 0;
  private isLive = true;
  private now = 0;
  private drawing = 0;

  constructor() {
    const key = element('div', { class: 'curve-key' });
    curves.forEach((curve, i) => {
      const dot = element('span', { class: 'dot' });
      dot.style.background = `var(${curve.color})`;
      key.append(element('span', {}, dot, element('span', { class: 'curve-name' }, curve.name), this.values[i]!));
    });
    this.element = element('div', { class: 'chart' }, key, this.canvas);
    new ResizeObserver(() => this.schedule()).observe(this.canvas);
  }

  reset(scene: SceneMessage | null): void {
    this.samples = [];
    this.duration = scene?.duration ?? 0;
    this.isLive = scene?.kind !== 'recorded';
    this.now = 0;
    this.values.forEach((value) => (value.textContent = '–'));
    this.schedule();
  }

  add(state: StateMessage): void {
    const sum = (of: 'kinetic' | 'potential' | 'internal') => state.energies.reduce((total, body) => total + body[of], 0);
    if (state.energies.length === 0) return;
    const [kinetic, potential, internal] = [sum('kinetic'), sum('potential'), sum('internal')];
    const sample: Sample = { time: state.time, values: [kinetic, potential, internal, kinetic + potential + internal] };
    this.now = state.time;
    this.insert(sample);
    // What is nothing beside the others is rounding.
    const least = 1e-9 * Math.max(...sample.values.map(Math.abs));
    sample.values.forEach((value, i) => (this.values[i]!.textContent = quantityText(Math.abs(value) < least ? 0 : value, 'J')));
    this.canvas.setAttribute('aria-label', `Energies at ${quantityText(state.time, 's')}: ${sample.values.map((value, i) => `${curves[i]!.name} ${quantityText(value, 'J')}`).join(', ')}`);
    this.schedule();
  }

  /// The colours of the page have changed.
  schedule(): void {
    if (this.drawing === 0) this.drawing = requestAnimationFrame(() => this.draw());
  }

  /// In order of time, also when a recording is scrubbed; a simulation that was restarted begins anew.
  private insert(sample: Sample): void {
    if (this.isLive && sample.time < (this.samples.at(-1)?.time ?? 0)) this.samples = [];
    const last = this.samples.at(-1);
    if (last === undefined || sample.time > last.time) this.samples.push(sample);
    else {
      const at = this.samples.findIndex((other) => other.time >= sample.time);
      this.samples.splice(at, this.samples[at]?.time === sample.time ? 1 : 0, sample);
    }
    if (this.samples.length > longest) this.samples = this.samples.filter((_, i) => i % 2 === 0);
  }

  private draw(): void {
    this.drawing = 0;
    const box = this.canvas.getBoundingClientRect();
    if (box.width < 1) return;
    const scale = window.devicePixelRatio;
    this.canvas.width = Math.round(box.width * scale);
    this.canvas.height = Math.round(box.height * scale);
    const context = this.canvas.getContext('2d');
    if (context === null) return;
    const style = getComputedStyle(this.canvas);
    const size = parseFloat(style.fontSize) * scale;
    const plot = { left: 0, right: this.canvas.width, top: 1.5 * size, bottom: this.canvas.height - 1.5 * size };
    const all = this.samples.flatMap((sample) => sample.values);
    const high = Math.max(...all, 0);
    const low = Math.min(...all, 0);
    const span = high - low > 0 ? high - low : 1;
    const end = Math.max(this.duration, this.samples.at(-1)?.time ?? 0, 1e-9);
    const x = (time: number) => plot.left + (time / end) * (plot.right - plot.left);
    const y = (value: number) => plot.bottom - ((value - low) / span) * (plot.bottom - plot.top);

    context.font = `${size}px ${style.fontFamily}`;
    context.fillStyle = context.strokeStyle = style.getPropertyValue('--faint');
    context.lineWidth = scale;
    for (const value of low < 0 ? [low, 0, high] : [0, high]) line(context, [[plot.left, y(value)], [plot.right, y(value)]]);
    line(context, [[x(this.now), plot.top], [x(this.now), plot.bottom]]);
    context.fillStyle = style.getPropertyValue('--muted');
    context.textBaseline = 'bottom';
    context.fillText('0 s', plot.left, this.canvas.height);
    context.textAlign = 'right';
    context.fillText(quantityText(end, 's'), plot.right, this.canvas.height);
    if (all.length > 0) context.fillText(quantityText(high, 'J'), plot.right, plot.top - 0.15 * size);

    context.lineWidth = 1.6 * scale;
    context.lineJoin = 'round';
    curves.forEach((curve, i) => {
      context.strokeStyle = style.getPropertyValue(curve.color);
      line(context, this.samples.map((sample) => [x(sample.time), y(sample.values[i]!)]));
    });
  }
}

function line(context: CanvasRenderingContext2D, points: readonly (readonly [number, number])[]): void {
  context.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
}
