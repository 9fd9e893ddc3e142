// SPDX-License-Identifier: MIT
// The bar below the picture: play, pause, step, restart, the line of time, and how the simulation is doing.
import { element, icon, iconButton, textButton } from './dom';
import { countText, numberText } from './number_text';
import type { ClientMessage, SceneMessage, StateMessage } from './protocol';
import { Throttle } from './throttle';

const playIcon = 'M7 4.5v15l12-7.5Z';
const pauseIcon = 'M8 5v14M16 5v14';
const stepIcon = 'M5 5v14l9-7ZM18 5v14';
const restartIcon = 'M4.5 12a7.5 7.5 0 1 0 2.6-5.7M4 4v4.5h4.5';

export class Playback {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly stepButton: HTMLButtonElement;
  private readonly goOnButton: HTMLButtonElement;
  private readonly timeline = element('input', { type: 'range', class: 'timeline', min: '0', max: '1', value: '0', 'aria-label': 'Time' });
  private readonly time = element('span', { class: 'stat time' });
  private readonly speed = element('span', { class: 'stat speed' });
  private readonly particles = element('span', { class: 'stat particles' });
  private readonly steps = element('span', { class: 'stat steps' });
  private readonly seeking = new Throttle(20);
  private playing = false;
  private failed = false;
  private scrubbing = false;
  private scene: SceneMessage | null = null;

  constructor(private readonly send: (message: ClientMessage) => void) {
    this.playButton = iconButton('Play', playIcon, () => this.toggle(), 'Space');
    this.playButton.classList.add('primary');
    this.stepButton = iconButton('One frame', stepIcon, () => this.send({ type: 'step' }), '.');
    this.goOnButton = textButton('Go on live', () => this.send({ type: 'go_on' }));
    this.goOnButton.title = 'From the end of the run, as a simulation that you can touch';
    this.element = element(
      'footer',
      { class: 'playback', 'aria-label': 'Playback' },
      iconButton('Restart', restartIcon, () => this.restart(), 'r'),
      this.playButton,
      this.stepButton,
      this.goOnButton,
      this.timeline,
      this.time,
      element('div', { class: 'stats' }, this.speed, this.particles, this.steps),
    );
    this.timeline.addEventListener('pointerdown', () => (this.scrubbing = true));
    for (const end of ['pointerup', 'pointercancel', 'change'] as const) this.timeline.addEventListener(end, () => (this.scrubbing = false));
    this.timeline.addEventListener('input', () => {
      const frame = Number(this.timeline.value);
      this.seeking.run(() => this.send({ type: 'seek', frame }));
    });
  }

  toggle(): void { this.send({ type: this.playing ? 'pause' : 'play' }); }
  step(): void { this.send({ type: 'step' }); }
  /// Parameters keep what they were set to, or do not.
  restart(asOpened = false): void { this.send({ type: 'restart', ...(asOpened ? { as_opened: true } : {}) }); }

  reset(scene: SceneMessage | null): void {
    this.scene = scene;
    this.timeline.disabled = scene?.kind !== 'recorded';
    this.timeline.title = scene?.kind === 'recorded' ? 'Drag to see another moment' : 'A simulation only goes forward';
    this.timeline.value = '0';
    this.failed = false;
    this.goOnButton.hidden = scene?.canGoOn !== true;
    this.showPlaying(false);
    delete this.element.dataset['frame'];
    this.element.dataset['sitting'] = String(scene?.serial ?? '');
    for (const stat of [this.time, this.speed, this.particles, this.steps]) stat.textContent = '–';
  }

  /// The simulation has stopped, and can only be begun again.
  fail(): void {
    this.failed = true;
    this.speed.textContent = 'failed';
  }

  show(state: StateMessage): void {
    this.showPlaying(state.playing);
    this.timeline.max = String(Math.max(state.lastFrame, 1));
    if (!this.scrubbing) this.timeline.value = String(state.frame);
    this.timeline.setAttribute('aria-valuetext', `${numberText(state.time, 3)} s, frame ${state.frame}`);
    const end = this.scene !== null && this.scene.duration >= state.time - 1e-9 ? ` / ${numberText(this.scene.duration, 3)}` : '';
    this.time.textContent = `${state.time.toFixed(2)}${end} s`;
    this.time.title = `frame ${state.frame}`;
    this.speed.textContent = state.playing && state.speed > 0 ? `${state.speed.toPrecision(2)}× real time` : this.failed ? 'failed' : state.finished ? 'finished' : state.playing ? '…' : 'paused';
    this.particles.textContent = `${countText(state.particles)} particles`;
    this.steps.textContent = this.scene?.kind === 'recorded' ? 'recorded' : state.steps === 1 ? '1 step' : `${countText(state.steps)} steps`;
    this.element.dataset['frame'] = String(state.frame);
    this.element.dataset['hash'] = state.hash ?? '';
  }

  private showPlaying(playing: boolean): void {
    if (playing === this.playing && this.playButton.dataset['playing'] !== undefined) return;
    this.playing = playing;
    this.playButton.dataset['playing'] = String(playing);
    const label = playing ? 'Pause' : 'Play';
    this.playButton.setAttribute('aria-label', label);
    this.playButton.title = `${label} (Space)`;
    this.playButton.replaceChildren(icon(playing ? pauseIcon : playIcon));
  }
}
