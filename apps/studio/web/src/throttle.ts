// SPDX-License-Identifier: MIT
// Lets calls through at most so often; the last one always gets through.

export class Throttle {
  private timer = 0;
  private last = -Infinity;
  private waiting: (() => void) | null = null;

  constructor(private readonly perSecond: number) {}

  run(action: () => void): void {
    this.waiting = action;
    if (this.timer !== 0) return;
    const wait = this.last + 1000 / this.perSecond - performance.now();
    if (wait <= 0) this.flush();
    else this.timer = window.setTimeout(() => this.flush(), wait);
  }

  /// Runs what waits, now.
  flush(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    const action = this.waiting;
    this.waiting = null;
    if (action === null) return;
    this.last = performance.now();
    action();
  }

  cancel(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.waiting = null;
  }
}
