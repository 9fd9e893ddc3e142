// SPDX-License-Identifier: MIT
// What the panel of parameters shows beside sliders: a number that need not be set, a switch, and one of a few words.
import { element } from './dom';
import { unitText, words } from './number_text';
import type { NumberParameter, ParameterValue, SwitchParameter, WordParameter } from './protocol';
import { isAllowed, numberIn, refuse, Slider, type Allowed, type SliderRange } from './slider';

/// Whatever shows a value and lets it be changed. `show` tells nobody, and takes no notice of values of another kind.
export interface Control {
  readonly element: HTMLElement;
  show(value: ParameterValue): void;
}

/// Called while a value changes, with `done` at the end of a movement.
type OnChange<Value> = (value: Value, done: boolean) => void;

let controlCount = 0;

/// A slider as long as there is a number, else a field that takes one.
export class NumberControl implements Control {
  readonly element = element('div');
  private readonly allowed: Allowed;
  private readonly field: HTMLInputElement;
  private readonly unset: HTMLElement;
  private slider: Slider | null = null;

  constructor(
    private readonly parameter: NumberParameter,
    private readonly name: string,
    private readonly rangeFor: (value: number) => SliderRange,
    private readonly onChange: OnChange<number | null>,
  ) {
    const id = `number-${(controlCount += 1)}`;
    const { min, max, minExcluded, maxExcluded, whole } = parameter;
    this.allowed = { unit: unitText(parameter.unit), min, max, minExcluded, maxExcluded, whole };
    this.field = element('input', { type: 'text', inputmode: 'decimal', id, autocomplete: 'off', spellcheck: 'false', placeholder: 'not set' });
    this.unset = element('div', { class: 'slider' }, element('label', { for: id }, name),
      element('span', { class: 'quantity' }, this.field, element('span', { class: 'unit' }, this.allowed.unit)));
    this.unset.title = parameter.doc;
    this.field.addEventListener('change', () => this.type());
    this.field.addEventListener('input', () => this.field.setCustomValidity(''));
    this.field.addEventListener('blur', () => { if (this.field.hasAttribute('aria-invalid')) this.clearField(); });
    this.field.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.clearField(); });
    this.show(parameter.value);
  }

  show(value: ParameterValue): void {
    if (value === null) {
      if (this.unset.isConnected && this.slider === null) return; // somebody may be typing
      this.slider = null;
      this.clearField();
      this.element.replaceChildren(this.unset);
    } else if (typeof value === 'number') {
      if (this.slider !== null) {
        this.slider.show(value);
        return;
      }
      this.slider = this.makeSlider(value);
      this.element.replaceChildren(this.slider.element);
    }
  }

  private makeSlider(value: number): Slider {
    const { name, parameter: { doc, canBeUnset } } = this;
    const clear = canBeUnset ? { onClear: () => this.take(null) } : {};
    return new Slider({ label: name, value, doc, ...this.allowed, ...this.rangeFor(value), ...clear }, (changed, done) => this.onChange(changed, done));
  }

  private type(): void {
    const { value } = this.field;
    if (value.trim() === '') return;
    if (isAllowed(numberIn(value), this.allowed)) this.take(numberIn(value));
    else refuse(this.field, this.allowed);
  }

  /// The control that had the focus may be gone by now.
  private take(value: number | null): void {
    this.show(value);
    this.onChange(value, true);
    this.element.querySelector<HTMLInputElement>('input[type=text]')?.focus();
  }

  private clearField(): void {
    this.field.value = '';
    this.field.removeAttribute('aria-invalid');
    this.field.setCustomValidity('');
  }
}

export class SwitchControl implements Control {
  readonly element: HTMLElement;
  private readonly box: HTMLInputElement;

  constructor(parameter: SwitchParameter, name: string, onChange: OnChange<boolean>) {
    const id = `switch-${(controlCount += 1)}`;
    this.box = element('input', { type: 'checkbox', role: 'switch', id });
    this.element = element('div', { class: 'row switch' }, element('label', { for: id }, name), this.box);
    this.element.title = parameter.doc;
    this.box.addEventListener('change', () => onChange(this.box.checked, true));
    this.show(parameter.value);
  }

  show(value: ParameterValue): void { if (typeof value === 'boolean') this.box.checked = value; }
}

export class WordControl implements Control {
  readonly element: HTMLElement;
  private readonly list: HTMLSelectElement;

  constructor(parameter: WordParameter, name: string, onChange: OnChange<string>) {
    const id = `word-${(controlCount += 1)}`;
    this.list = element('select', { id }, ...parameter.words.map((word) => element('option', { value: word }, words(word))));
    this.element = element('div', { class: 'row' }, element('label', { for: id }, name), this.list);
    this.element.title = parameter.doc;
    this.list.addEventListener('change', () => onChange(this.list.value, true));
    this.show(parameter.value);
  }

  show(value: ParameterValue): void { if (typeof value === 'string') this.list.value = value; }
}
