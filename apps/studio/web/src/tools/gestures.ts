// SPDX-License-Identifier: MIT
// One gesture of the chosen tool, whoever makes it: the mouse, a finger, or the cursor of the keyboard. Hovering is asked
// for at most once for each picture, whatever comes in.
import type { Bench, Pointer, Tool } from './tool';

/// A pixel of the window.
export interface Spot { readonly x: number; readonly y: number; readonly shift: boolean }

export class Gestures {
  private spot: Spot | null = null;
  private held = false;
  private scheduled = false;
  private listeners: (() => void)[] = [];
  /// The cursor of what pressing would do; null if the tool has no use for the spot.
  offer: string | null = null;

  constructor(private readonly bench: Bench, private readonly tool: () => Tool) {}

  get holding(): boolean { return this.held; }

  /// Called when something is taken or let go, or when the offer may be another.
  onChange(listener: () => void): void { this.listeners.push(listener); }

  hover(spot: Spot | null): void {
    this.spot = spot;
    if (spot !== null) this.refresh();
    else if (!this.held) this.show(this.tool().hover(null));
  }

  /// What lies under a resting pointer changes with the frames, and with the tool.
  refresh(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      if (this.held || this.spot === null || this.bench.scene() === null) return;
      this.show(this.tool().hover(this.pointer(this.spot)));
    });
  }

  /// True: the tool has taken something, and gets everything until `release`.
  press(spot: Spot): boolean {
    if (this.held || this.bench.scene() === null || !this.tool().press(this.pointer(spot))) return false;
    this.held = true;
    this.spot = spot;
    const { view } = this.bench;
    view.cameraMoves = false;
    view.canvas.style.cursor = view.canvas.style.cursor === 'grab' ? 'grabbing' : view.canvas.style.cursor;
    this.tell();
    return true;
  }

  drag(spot: Spot): void {
    if (!this.held) return;
    this.spot = spot;
    this.tool().drag?.(this.pointer(spot));
  }

  release(): void {
    if (!this.held) return;
    this.held = false;
    this.tool().release?.();
    this.bench.view.cameraMoves = true;
    this.tell();
    this.refresh();
  }

  /// Another scene: what was held is gone with the last one.
  forget(): void {
    this.held = false;
    this.bench.view.cameraMoves = true;
    this.tell();
  }

  private show(offer: string | null): void {
    this.offer = offer;
    this.bench.view.canvas.style.cursor = offer ?? '';
    this.tell();
  }

  private tell(): void { for (const listener of this.listeners) listener(); }

  private pointer(spot: Spot): Pointer {
    const { view } = this.bench;
    return {
      shift: spot.shift,
      hit: (reach = 0.75) => view.hit(spot.x, spot.y, reach),
      place: () => view.placeUnder(spot.x, spot.y),
      onPlane: (place) => view.onPicturePlane(spot.x, spot.y, place),
    };
  }
}
