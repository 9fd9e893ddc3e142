// SPDX-License-Identifier: MIT
// The panel of the measure tool: the distance, what it is along the axes, and between what it is.
import type { Vector } from '../../checked';
import { element, textButton } from '../../dom';
import { quantityText } from '../../number_text';

export class MeasurePanel {
  readonly element: HTMLElement;
  private readonly table = element('dl', { class: 'facts' });
  private readonly note = element('p', { class: 'readout' });
  private readonly forgetButton: HTMLButtonElement;

  constructor(forget: () => void) {
    this.forgetButton = textButton('Forget', forget, 'small');
    this.element = element('div', {}, this.note, this.table, this.forgetButton);
    this.show(null, null, 3);
  }

  show(from: { place: Vector; name: string } | null, to: { place: Vector; name: string } | null, dimension: number): void {
    this.note.textContent = from === null ? 'Click a particle or an obstacle.' : to === null ? 'Click another.' : '';
    this.note.hidden = to !== null;
    this.forgetButton.hidden = from === null;
    const rows: [string, string][] = [];
    if (from !== null && to !== null) {
      const way = to.place.map((x, k) => x - (from.place[k] ?? 0)).slice(0, dimension);
      rows.push(['Distance', quantityText(Math.hypot(...way), 'm', 4)]);
      way.forEach((x, k) => rows.push([`Along ${'xyz'[k]}`, quantityText(x, 'm', 4)]));
      rows.push(['From', from.name], ['To', to.name]);
    }
    this.table.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
  }
}
