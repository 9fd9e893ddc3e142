// SPDX-License-Identifier: MIT
// A pointer for those without a mouse: while the picture has the focus of the keyboard there is a cursor on it that arrow
// keys move. Enter presses and lets go, so that tools work as they do with the mouse.
import { element, icon } from '../dom';
import type { Gestures, Spot } from './gestures';
import type { Tool } from './tool';

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};
const tap = 0.5; // one stroke of a key [rem]
const run = 1.5; // while it stays down

export class KeyCursor {
  readonly element = element('div', { class: 'key-cursor' }, icon('M12 2v7m0 6v7M2 12h7m6 0h7'));
  private readonly label = element('span', { role: 'status' });
  /// From the left and from the top, as parts of the picture.
  private place: readonly [number, number] = [0.5, 0.5];
  private holding = false;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly gestures: Gestures, private readonly tool: () => Tool) {
    this.element.append(this.label);
    this.element.hidden = true;
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('focus', () => { if (canvas.matches(':focus-visible')) this.show(); });
    canvas.addEventListener('blur', () => this.hide());
    for (const used of ['pointerdown', 'pointermove'] as const) canvas.addEventListener(used, () => { if (!this.holding) this.hide(); });
    gestures.onChange(() => this.describe());
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = event.shiftKey ? undefined : directions[event.key];
    if (direction !== undefined) this.move(direction, event.repeat ? run : tap);
    else if (event.key === 'Enter') {
      if (!event.repeat) this.press(event.shiftKey);
    } else return;
    event.preventDefault();
  }

  private move(direction: readonly [number, number], step: number): void {
    const box = this.canvas.getBoundingClientRect();
    const pixels = step * parseFloat(getComputedStyle(document.documentElement).fontSize);
    // The first stroke shows where it is.
    if (!this.element.hidden)
      this.place = [within(this.place[0] + (pixels * direction[0]) / box.width), within(this.place[1] + (pixels * direction[1]) / box.height)];
    this.show();
    if (this.holding) this.gestures.drag(this.spot(false));
  }

  private press(shift: boolean): void {
    if (this.element.hidden) return this.show();
    if (this.holding) return this.letGo();
    if (this.gestures.holding || !this.gestures.press(this.spot(shift))) return;
    this.holding = true;
    if (this.tool().gesture === 'click') this.letGo();
    else this.describe();
  }

  private letGo(): void {
    this.holding = false;
    this.gestures.release();
  }

  private show(): void {
    this.element.hidden = false;
    this.element.style.left = `${100 * this.place[0]}%`;
    this.element.style.top = `${100 * this.place[1]}%`;
    this.element.dataset['side'] = this.place[0] > 0.75 ? 'left' : 'right';
    if (!this.holding) this.gestures.hover(this.spot(false));
    this.describe();
  }

  private hide(): void {
    if (this.element.hidden) return;
    this.element.hidden = true;
    if (this.holding) this.letGo();
    this.gestures.hover(null);
  }

  /// What Enter would do, beside the cursor.
  private describe(): void {
    if (this.element.hidden) return;
    this.holding &&= this.gestures.holding;
    const isReady = this.gestures.offer !== null && this.gestures.offer !== 'not-allowed';
    this.element.dataset['state'] = this.holding ? 'holding' : isReady ? 'ready' : 'idle';
    const text = this.holding ? 'Arrow keys move it, Enter lets go' : isReady ? `Enter: ${this.tool().title.toLowerCase()}` : 'Arrow keys';
    if (this.label.textContent !== text) this.label.textContent = text;
  }

  private spot(shift: boolean): Spot {
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + this.place[0] * box.width, y: box.top + this.place[1] * box.height, shift };
  }
}

function within(part: number): number { return Math.min(1, Math.max(0, part)); }
