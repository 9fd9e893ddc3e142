// SPDX-License-Identifier: MIT
// A clip of what the picture shows, made by the browser: a button that begins and ends it, and a clock while it runs.
import { download, element, icon, iconButton } from './dom';
import type { SceneMessage, StateMessage } from './protocol';
import type { SceneView } from './scene_view';

const frameRate = 30;
const longest = 60; // [s]
const lastLook = 500; // how long a run's last frame is shown [ms]
const bitsPerSecond = 12e6;
/// The first one that the browser can write.
const formats = [
  { type: 'video/webm;codecs=vp8', ending: 'webm' },
  { type: 'video/webm', ending: 'webm' },
  { type: 'video/mp4', ending: 'mp4' },
];
const beginIcon = 'M3.5 6.5h11v11h-11Zm11 3.5 6-3.5v10l-6-3.5';
const endIcon = 'M7 7h10v10H7Z';

interface Recording { recorder: MediaRecorder; started: number; ticking: number; stream: MediaStream }

export class ClipRecorder {
  readonly button: HTMLButtonElement;
  /// Lies over the picture, and is no part of the clip.
  readonly clock = element('p', { class: 'clip-clock', role: 'timer', 'aria-label': 'Length of the clip' });
  private recording: Recording | null = null;
  private wasPlaying = false;

  constructor(private readonly view: SceneView, private readonly scene: () => SceneMessage | null, private readonly complain: (text: string) => void) {
    this.button = iconButton('Clip', beginIcon, () => this.toggle());
    this.clock.hidden = true;
    this.showRunning(false);
  }

  /// Of a recorded run, a clip ends where the run does.
  follow(state: StateMessage): void {
    const ended = this.wasPlaying && !state.playing && state.frame >= state.lastFrame;
    this.wasPlaying = state.playing;
    if (ended && this.scene()?.kind === 'recorded') window.setTimeout(() => this.end(), lastLook);
  }

  end(): void { if (this.recording?.recorder.state === 'recording') this.recording.recorder.stop(); }

  private toggle(): void {
    if (this.recording !== null) this.end();
    else this.begin();
  }

  private begin(): void {
    const scene = this.scene();
    if (scene === null) return;
    const format = 'MediaRecorder' in window && 'captureStream' in this.view.canvas
      ? formats.find(({ type }) => MediaRecorder.isTypeSupported(type)) : undefined;
    if (format === undefined) return this.complain('This browser cannot record clips. “phyxel render” makes them from a run.');
    const stream = this.view.canvas.captureStream(frameRate);
    const recorder = new MediaRecorder(stream, { mimeType: format.type, videoBitsPerSecond: bitsPerSecond });
    const parts: Blob[] = [];
    recorder.ondataavailable = (event) => { if (event.data.size > 0) parts.push(event.data); };
    recorder.onerror = () => this.end();
    recorder.onstop = () => this.finish(`${scene.name}.${format.ending}`, new Blob(parts, { type: recorder.mimeType }));
    // A picture that stands still is no news to the browser, and would be missing from the clip.
    const ticking = window.setInterval(() => this.tick(), 1000 / frameRate);
    this.recording = { recorder, started: performance.now(), ticking, stream };
    recorder.start();
    this.view.invalidate();
    this.showRunning(true);
    this.tick();
  }

  private tick(): void {
    if (this.recording === null) return;
    const seconds = Math.floor((performance.now() - this.recording.started) / 1000);
    const text = `${clockText(seconds)} of ${clockText(longest)}`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    if (seconds >= longest) this.end();
    else this.view.invalidate();
  }

  private finish(name: string, clip: Blob): void {
    const { recording } = this;
    this.recording = null;
    window.clearInterval(recording?.ticking);
    for (const track of recording?.stream.getTracks() ?? []) track.stop();
    this.showRunning(false);
    if (clip.size > 0) download(name, clip);
    else this.complain('The browser recorded nothing.');
  }

  private showRunning(running: boolean): void {
    this.clock.hidden = !running;
    this.button.classList.toggle('recording', running);
    this.button.title = running ? 'End the clip' : `Record a clip of the picture, at most ${longest} s`;
    this.button.setAttribute('aria-pressed', String(running));
    this.button.replaceChildren(icon(running ? endIcon : beginIcon));
  }
}

function clockText(seconds: number): string { return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`; }
