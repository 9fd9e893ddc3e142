// SPDX-License-Identifier: MIT
// Mouse, pen and fingers over the picture. A tool that drags takes the gesture where it has a use for it, else the camera
// does; a tool that clicks leaves every drag to the camera. Two fingers always move the camera.
import type { Gestures, Spot } from './gestures';
import type { Tool } from './tool';

const clickReach = { mouse: 5, finger: 12 }; // how far a click may stray [px]

export class PointerInput {
  /// Fingers that are on the picture, with where they are.
  private readonly fingers = new Map<number, PointerEvent>();
  private holder: number | null = null;
  private click: PointerEvent | null = null;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly gestures: Gestures, private readonly tool: () => Tool) {
    const stage = canvas.parentElement!;
    // On the parent and before the camera's own listeners, so that a tool can keep the camera still.
    stage.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    for (const end of ['pointercancel', 'lostpointercapture'] as const) canvas.addEventListener(end, (event) => this.lose(event.pointerId));
    canvas.addEventListener('pointerleave', () => { if (!gestures.holding) gestures.hover(null); });
    // A long press is a gesture of the tool, and the right button moves the view.
    stage.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  private down(event: PointerEvent): void {
    if (event.target !== this.canvas || !event.isTrusted) return;
    // Without the ring that shows where the keys go: the pointer shows that.
    this.canvas.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
    if (event.pointerType === 'touch') {
      if (event.isPrimary) this.fingers.clear(); // the first one: whatever else is there has left without a word
      this.fingers.set(event.pointerId, event);
      if (this.fingers.size > 1) return this.leaveToCamera();
    }
    if (event.button !== 0 || this.gestures.holding) return;
    if (this.tool().gesture === 'click') {
      this.click = event;
      if (event.pointerType === 'touch') this.gestures.hover(spotOf(event));
    } else if (this.gestures.press(spotOf(event))) {
      this.holder = event.pointerId;
      this.canvas.setPointerCapture(event.pointerId);
    }
  }

  private move(event: PointerEvent): void {
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, event);
    if (this.gestures.holding) {
      if (this.holder === event.pointerId) this.gestures.drag(spotOf(event));
    } else if (this.click !== null) {
      const reach = event.pointerType === 'touch' ? clickReach.finger : clickReach.mouse;
      if (Math.hypot(event.clientX - this.click.clientX, event.clientY - this.click.clientY) > reach) this.click = null;
    } else this.gestures.hover(event.buttons === 0 ? spotOf(event) : null);
  }

  private up(event: PointerEvent): void {
    const clicked = this.click?.pointerId === event.pointerId;
    this.lose(event.pointerId);
    if (clicked && this.gestures.press(spotOf(event))) this.gestures.release();
    // A finger that is gone points at nothing.
    this.gestures.hover(event.pointerType === 'touch' ? null : spotOf(event));
  }

  private lose(pointer: number): void {
    this.fingers.delete(pointer);
    if (this.click?.pointerId === pointer) this.click = null;
    if (this.holder !== pointer) return;
    this.holder = null;
    this.gestures.release();
  }

  /// A second finger has come: the first one lets go, and the camera, which has not seen it while a tool had it, is told of it.
  private leaveToCamera(): void {
    this.click = null;
    const first = this.holder === null ? undefined : this.fingers.get(this.holder);
    this.holder = null;
    this.gestures.release();
    this.gestures.hover(null);
    if (first === undefined) return;
    const { pointerId, pointerType, clientX, clientY, isPrimary } = first;
    this.canvas.dispatchEvent(new PointerEvent('pointerdown', { pointerId, pointerType, clientX, clientY, isPrimary }));
  }
}

function spotOf(event: PointerEvent): Spot { return { x: event.clientX, y: event.clientY, shift: event.shiftKey }; }
