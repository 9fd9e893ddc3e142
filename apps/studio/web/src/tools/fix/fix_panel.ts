// SPDX-License-Identifier: MIT
// The panel of the fix tool: the size of a region, and what is fixed, to be let go one by one or all at once.
import { element, textButton } from '../../dom';
import { numberText } from '../../number_text';
import type { Hand } from '../../protocol';
import { Slider } from '../../slider';

export class FixPanel {
  readonly element: HTMLElement;
  private readonly size: Slider;
  private readonly nails = element('ul', { class: 'plain-list', 'aria-label': 'Fixed regions' });
  private readonly note = element('p', { class: 'readout' }, 'Click a body to fix the region under the pointer; click it again to let it go.');
  private shown = '';

  constructor(private readonly unfix: (name: string) => void) {
    this.size = new Slider({ label: 'Size of the region', unit: 'spacings', value: 3, low: 0.5, high: 10, min: 0.1, max: 50 }, () => undefined);
    this.element = element('div', {}, this.size.element, this.note, this.nails);
  }

  /// In spacings of the body.
  get radius(): number { return this.size.value; }

  show(nails: readonly Hand[]): void {
    // The list is made anew only when it differs, so that a button keeps the focus while frames come in.
    const names = nails.map((nail) => nail.name).join('|');
    if (names === this.shown) return;
    this.shown = names;
    this.note.hidden = nails.length > 0;
    this.nails.replaceChildren(
      ...nails.map((nail) =>
        element('li', {}, `${nail.body} at ${nail.position.map((x) => numberText(x, 2)).join(', ')} m`, textButton('Let go', () => this.unfix(nail.name), 'small')),
      ),
    );
    if (nails.length > 1)
      this.nails.append(element('li', {}, textButton('Let all go', () => nails.forEach((nail) => this.unfix(nail.name)), 'small')));
  }
}
