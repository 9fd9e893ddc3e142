// SPDX-License-Identifier: MIT
// A number with a name and a unit: a slider for the hand and a field for exact values. The slider is logarithmic where its
// range spans decades.
import { element, iconButton } from './dom';
import { numberText } from './number_text';

export interface SliderRange {
  low: number; ///< ends of the slider
  high: number;
  logarithmic?: boolean;
}

export interface SliderOptions extends SliderRange {
  label: string;
  unit: string;
  value: number;
  min?: number; ///< what may be typed
  max?: number;
  minExcluded?: boolean; ///< the bound itself may not
  maxExcluded?: boolean;
  whole?: boolean; ///< only whole numbers
  doc?: string;
  onClear?: () => void; ///< somebody wishes that there be no number
}

const ticks = 1000;

export class Slider {
  readonly element: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private current: number;
  private shownText = ''; ///< in the field, unless somebody has typed

  /// `onChange` is called while the slider moves, with `done` at the end of a movement.
  constructor(private readonly options: SliderOptions, private readonly onChange: (value: number, done: boolean) => void) {
    const id = `slider-${(sliderCount += 1)}`;
    this.current = options.value;
    this.range = element('input', { type: 'range', min: '0', max: String(ticks), 'aria-label': options.label, tabindex: '0' });
    this.field = element('input', { type: 'text', inputmode: 'decimal', id, autocomplete: 'off', spellcheck: 'false' });
    if (options.unit !== '') this.field.setAttribute('aria-describedby', `${id}-unit`);
    this.element = element(
      'div',
      { class: 'slider' },
      element('label', { for: id }, options.label),
      element('span', { class: 'quantity' }, this.field, element('span', { class: 'unit', id: `${id}-unit` }, options.unit), this.clearButton()),
      this.range,
    );
    if (options.doc !== undefined && options.doc !== '') this.element.title = options.doc;
    this.range.addEventListener('input', () => this.slide(false));
    this.range.addEventListener('change', () => this.slide(true));
    this.field.addEventListener('change', () => this.type());
    this.field.addEventListener('input', () => this.field.setCustomValidity(''));
    // What is not taken does not stay.
    this.field.addEventListener('blur', () => { if (this.field.hasAttribute('aria-invalid')) this.showText(); });
    this.field.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.showText(); });
    this.show(options.value);
  }

  get value(): number { return this.current; }

  /// Shows a value without telling anybody.
  show(value: number): void {
    this.current = value;
    this.range.value = String(Math.round(ticks * this.place(value)));
    this.range.setAttribute('aria-valuetext', `${numberText(value)} ${this.options.unit}`);
    // Not while somebody is typing another one.
    if (document.activeElement !== this.field || this.field.value === this.shownText) this.showText();
  }

  private clearButton(): HTMLButtonElement | null {
    const { onClear, label } = this.options;
    return onClear === undefined ? null : iconButton(`Clear: ${label}`, 'M7 7l10 10M17 7 7 17', onClear);
  }

  private showText(): void {
    this.field.value = this.shownText = numberText(this.current);
    this.field.removeAttribute('aria-invalid');
    this.field.setCustomValidity('');
  }

  private slide(done: boolean): void {
    const value = this.valueAt(Number(this.range.value) / ticks);
    const rounded = this.options.whole === true ? Math.round(value) : Number(value.toPrecision(3));
    this.show(isAllowed(rounded, this.options) ? rounded : value);
    this.onChange(this.current, done);
  }

  private type(): void {
    if (this.field.value.trim() === '' && this.options.onClear !== undefined) {
      this.options.onClear();
      return;
    }
    const value = numberIn(this.field.value);
    if (this.field.value.trim() === '' || !isAllowed(value, this.options)) {
      refuse(this.field, this.options);
      return;
    }
    this.show(value);
    this.showText();
    this.onChange(value, true);
  }

  private place(value: number): number {
    const { low, high, logarithmic } = this.options;
    const place = logarithmic === true ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return Math.min(1, Math.max(0, Number.isFinite(place) ? place : 0));
  }

  private valueAt(place: number): number {
    const { low, high, logarithmic } = this.options;
    return logarithmic === true ? low * (high / low) ** place : low + (high - low) * place;
  }
}
let sliderCount = 0;

// ---- numbers that are typed ---------------------------------------------------------------------------------------------

/// What may be typed.
export type Allowed = Pick<SliderOptions, 'unit' | 'min' | 'max' | 'minExcluded' | 'maxExcluded' | 'whole'>;

export function numberIn(text: string): number { return Number(text.trim().replace(',', '.')); }

export function isAllowed(value: number, { min = -Infinity, max = Infinity, minExcluded, maxExcluded, whole }: Allowed): boolean {
  return Number.isFinite(value) && (minExcluded === true ? value > min : value >= min) && (maxExcluded === true ? value < max : value <= max) &&
    (whole !== true || Number.isInteger(value));
}

/// Says at the field what may be typed.
export function refuse(field: HTMLInputElement, allowed: Allowed): void {
  field.setAttribute('aria-invalid', 'true');
  field.setCustomValidity(allowedText(allowed));
  field.reportValidity();
}

function allowedText({ min = -Infinity, max = Infinity, minExcluded, maxExcluded, whole, unit }: Allowed): string {
  const bounds = [
    min === -Infinity ? null : `${minExcluded === true ? 'more than' : 'at least'} ${numberText(min)}`,
    max === Infinity ? null : `${maxExcluded === true ? 'less than' : 'at most'} ${numberText(max)}`,
  ].filter((bound) => bound !== null).join(' and ');
  return `A ${whole === true ? 'whole number' : 'number'}${unit === '' ? '' : ` of ${unit}`}${bounds === '' ? '' : `, ${bounds}`}`;
}
