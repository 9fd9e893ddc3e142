// SPDX-License-Identifier: MIT
// Puts the page together and carries messages between its parts and the server.
import '../style.css';
import { EnergyChart } from './chart';
import { ClipRecorder } from './clip';
import { Connection, type ConnectionState } from './connection';
import { HelpDialog, LeaveDialog, SaveDialog } from './dialogs';
import { download, element, iconButton, isTyping, textButton } from './dom';
import { SceneEditor } from './editor';
import type { Frame } from './frame_decoder';
import { GalleryPage } from './gallery';
import { Legend } from './legend';
import { LookPanel } from './look_panel';
import { Notices } from './notices';
import { ParameterPanel } from './parameters';
import { Playback } from './playback';
import type { ClientMessage, Opening, SceneMessage, ServerMessage, StateMessage } from './protocol';
import { SceneView, type CameraPose } from './scene_view';
import { pictureColors, Theme } from './theme';
import { Toolbox } from './tools/toolbox';

const openedKey = 'phyxel.opened';
const cameraKey = 'phyxel.camera';
const sittingEntry = 'sitting'; // the entry of a sitting in the browser's history, behind that of the gallery

class Studio {
  // Before the parts, which ask for them.
  private scene: SceneMessage | null = null;
  private state: StateMessage | null = null;
  /// Part of the names of what this page makes. Scenes may have been saved by other pages.
  private readonly namesake = Math.floor(36 ** 5 * (1 + 35 * Math.random())).toString(36);
  private handCount = 0;
  private writable = false;
  private wasOpen = false;
  private closing = false;
  private clicked: Element | null = null; ///< the button that was pressed last with a pointer
  private restarting = 0; ///< a timer, until it is said that this takes a while
  private opening = false; ///< something was asked for and has not come yet
  private joined = true; ///< the next scene is the first one of this connection

  private readonly notices = new Notices();
  private readonly gallery = new GalleryPage((opening) => this.open(opening));
  private readonly stage = element('div', { class: 'stage' });
  private readonly workbench = element('main', { class: 'workbench', 'aria-label': 'Simulation' });
  private readonly view = new SceneView(this.stage);
  private readonly clip = new ClipRecorder(this.view, () => this.scene, (text) => this.notices.message(text, true));
  private readonly legend = new Legend();
  private readonly chart = new EnergyChart();
  private readonly energies = element('section', { class: 'panel', 'aria-label': 'Energies' }, element('h2', {}, 'Energies'), this.chart.element);
  private readonly playback = new Playback((message) => {
    if (this.send(message) && message.type === 'restart') this.restarting = window.setTimeout(() => this.notices.banner('opening', 'Beginning again …'), 400);
  });
  private readonly parameters = new ParameterPanel((path, value) => this.send({ type: 'set', path, value }));
  private readonly look = new LookPanel(
    (look) => this.applyLook(look),
    (choice) => this.view.setOnionSkin({ ...choice }),
    (factor) => this.changeResolution(factor),
  );
  private readonly editor = new SceneEditor({
    validate: (id, text) => this.send({ type: 'validate', id, text }),
    run: (text, name) => this.open({ text, name }),
  });
  private readonly toolbox = new Toolbox({
    view: this.view,
    scene: () => this.scene,
    state: () => this.state,
    send: (message) => this.send(message),
    point: (place) => place.slice(0, this.scene?.dimension ?? 3),
    goOn: () => { if (this.state !== null && !this.state.playing && this.state.frame === this.state.lastFrame) this.send({ type: 'play' }); },
    freshName: (word) => `${word}-${this.namesake}-${(this.handCount += 1)}`,
  });
  private readonly saving = new SaveDialog((message) => this.send(message));
  private readonly leaving = new LeaveDialog(() => this.close(), () => this.openSaving());
  private readonly help = new HelpDialog(this.toolbox.tools);
  private readonly theme: Theme;
  private readonly sceneName = element('span', { class: 'scene-name' });
  private readonly status = element('span', { class: 'connection', role: 'status' });
  private readonly saveButton = textButton('Save', () => this.openSaving());
  private readonly foldButton = iconButton('Panel', 'M3.5 5h17v14h-17Zm11 0v14', () => this.fold());
  private readonly connection: Connection;
  private readonly assignments = new URLSearchParams(location.search).getAll('set');

  constructor() {
    this.layOut();
    this.theme = new Theme(() => this.applyColors());
    this.listenToKeys();
    window.addEventListener('popstate', () => this.followHistory());
    this.view.onCameraMoved(() => this.rememberCamera());
    this.connection = new Connection(takeToken(), {
      onState: (state) => this.showConnection(state),
      onMessage: (message) => this.receive(message),
      onFrame: (frame) => this.showFrame(frame),
      onRubbish: (reason) => this.notices.message(`The server sent something that cannot be read: ${reason}`, true),
    });
  }

  // ---- layout ---------------------------------------------------------------------------------------------------------

  private layOut(): void {
    const home = textButton('Gallery', () => this.askToClose(), 'link');
    home.prepend(element('img', { src: '/assets/favicon.svg', alt: '', width: '24', height: '24' }));
    const bar = element(
      'header',
      { class: 'top-bar' },
      home,
      this.sceneName,
      this.status,
      this.saveButton,
      this.foldButton,
      iconButton('See all of it', 'M4 9V4h5M20 9V4h-5M4 15v5h5m11-5v5h-5', () => this.view.frameAll(), 'A'),
      iconButton('Picture of this moment', 'M4 8h3l2-3h6l2 3h3v11H4Zm4.5 5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0', () => void this.exportPicture()),
      this.clip.button,
      iconButton('Light or dark', 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16m0 0v16m3-15v14m3-11v8', () => this.theme.toggle()),
      iconButton('Mouse and keys', 'M8.5 9.5a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.1-1.5 2v.8m0 3.5v.1', () => this.help.open(), '?'),
    );
    this.stage.append(...this.toolbox.overlay, this.legend.element, this.clip.clock);
    const controls = element(
      'div',
      { class: 'controls' },
      element('section', { class: 'panel', 'aria-label': 'Tool' }, this.toolbox.panel),
      this.look.element,
      this.energies,
      this.parameters.element,
    );
    this.workbench.append(this.stage, sidePanel([['Controls', controls], ['Scene', this.editor.element]], (tab) => {
      this.workbench.dataset['tab'] = tab;
    }), this.playback.element);
    document.body.append(bar, this.gallery.element, this.workbench, this.notices.messages);
    this.foldButton.setAttribute('aria-pressed', 'true');
    this.showGallery(false);
  }

  /// Hides the panel, or shows it again: the picture has all the room then.
  private fold(): void {
    const folded = this.workbench.dataset['folded'] !== 'true';
    this.workbench.dataset['folded'] = String(folded);
    this.foldButton.setAttribute('aria-pressed', String(!folded));
  }

  private listenToKeys(): void {
    // Space repeats a button that was reached with the keyboard; one that was clicked leaves it to play and pause.
    document.addEventListener('pointerdown', (event) => (this.clicked = event.target instanceof Element ? event.target.closest('button') : null), { capture: true });
    document.addEventListener('keyup', (event) => {
      if (event.key === ' ' && this.clicked !== null && document.activeElement === this.clicked && document.querySelector('dialog[open]') === null) event.preventDefault();
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Tab') this.clicked = null;
      if (isTyping() || document.querySelector('dialog[open]') !== null) return;
      if (event.ctrlKey || event.metaKey) {
        const key = event.key.toLowerCase();
        if (this.scene === null) return;
        if (key === 'z' && !event.shiftKey) this.parameters.undo();
        else if (key === 'y' || key === 'z') this.parameters.redo();
        else return;
        event.preventDefault();
        return;
      }
      if (event.altKey) return;
      if (event.key === '?') this.help.open();
      // A key that stays down steps on, and does everything else once.
      if (this.scene === null || (event.repeat && event.key !== '.')) return;
      const onButton = document.activeElement instanceof HTMLButtonElement && document.activeElement !== this.clicked;
      if (event.key === ' ' && !onButton) this.playback.toggle();
      else if (event.key === '.') this.playback.step();
      else if (event.key.toLowerCase() === 'r') this.playback.restart(event.shiftKey);
      else if (event.key.toLowerCase() === 'a') this.view.frameAll();
      else return;
      event.preventDefault();
    });
  }

  private showGallery(shown: boolean): void {
    document.body.dataset['page'] = shown ? 'gallery' : 'workbench';
    this.gallery.element.hidden = !shown;
    this.workbench.hidden = shown;
    // Over the picture, where they cover no controls.
    (shown ? document.body : this.stage).append(this.notices.element);
    this.saveButton.disabled = this.scene === null;
    this.sceneName.textContent = this.scene?.name ?? '';
    document.title = this.scene === null ? 'Phyxel studio' : `${this.scene.name} · Phyxel studio`;
  }

  private applyColors(): void {
    const { background, surroundings } = pictureColors();
    this.view.setColors(background, surroundings);
    this.chart.schedule();
  }

  private async exportPicture(): Promise<void> {
    const picture = this.scene === null ? null : await this.view.picture();
    if (picture !== null && this.scene !== null) download(`${this.scene.name}_${this.state?.frame ?? 0}.png`, picture);
  }

  // ---- to the server --------------------------------------------------------------------------------------------------

  private send(message: ClientMessage): boolean {
    const problem = this.connection.send(message);
    if (problem !== null) this.notices.message(`Not done: ${problem}.`, true);
    return problem === null;
  }

  /// `keepsDraft`: it is what was open before, and what was edited of it comes back.
  private open(opening: Opening, keepsDraft = 'text' in opening): void {
    sessionStorage.removeItem(cameraKey);
    sessionStorage.setItem(openedKey, JSON.stringify(opening));
    if (!keepsDraft) this.editor.forgetDraft();
    this.showOpening();
    this.send({ type: 'open', ...opening, ...(this.assignments.length > 0 && !('run' in opening) && !('checkpoint' in opening) && !('text' in opening) ? { set: this.assignments } : {}) });
  }

  /// Figures take a while to be filled with particles.
  private showOpening(): void {
    this.opening = true;
    this.notices.clear('unopened');
    this.notices.banner('opening', 'Opening …');
  }

  /// What is wrong with it stays to be read until something else is opened.
  private showUnopened(why: string): void {
    this.opening = false;
    this.notices.banner('unopened', 'It cannot be opened', {
      grave: true, detail: why, buttons: [{ text: 'Dismiss', action: () => this.notices.clear('unopened') }],
    });
  }

  /// The text as it was opened, with another spacing. What was done in the sitting is gone, as after a restart.
  private changeResolution(factor: number): void {
    if (this.scene === null) return;
    const { text, name, spacing } = this.scene;
    this.showOpening();
    this.send({ type: 'open', text, name, set: [...this.assignments, `spacing=${Number((factor * spacing).toPrecision(3))}`] });
  }

  /// What is to be saved is this moment, not the one when its name is found.
  private openSaving(): void {
    if (this.scene === null) return;
    if (this.scene.kind === 'live' && this.state?.playing === true) this.send({ type: 'pause' });
    this.saving.open(this.scene, this.writable, this.editor.draft);
  }

  private close(): void {
    if (this.scene === null) return;
    this.closing = this.send({ type: 'close' });
    if (this.closing) this.editor.forgetDraft();
  }

  /// Back to the gallery, unless something would be lost that somebody may want to keep.
  private askToClose(): void {
    const losses = [
      this.state?.unsaved === true ? 'What was done in it is in no file.' : '',
      this.editor.draft !== null && this.scene !== null ? 'Its text was edited, and neither run nor saved.' : '',
    ].filter((loss) => loss !== '');
    if (losses.length === 0) this.close();
    else this.leaving.open(losses.join(' '));
  }

  /// The browser's Back leads from a sitting to the gallery, and Forward opens it again.
  private followHistory(): void {
    const atSitting = history.state === sittingEntry;
    if (!atSitting && this.scene !== null) {
      // It stays until it is closed, and then goes back by itself.
      history.pushState(sittingEntry, '');
      this.askToClose();
    } else if (atSitting && this.scene === null && !this.opening) {
      const remembered = sessionStorage.getItem(openedKey);
      if (remembered === null) history.back();
      else this.open(JSON.parse(remembered) as Opening);
    }
  }

  private applyLook(look: LookPanel['look']): void {
    if (this.scene === null) return;
    this.legend.choose(look.color, this.scene);
    this.view.setLook(look, this.legend.range);
    this.send({ type: 'view', color: look.color, surface: look.surface, ...(look.madeSurface ? { made_surface: true } : {}) });
  }

  // ---- from the server ------------------------------------------------------------------------------------------------

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case 'hello':
        this.joined = true;
        this.writable = message.writable;
        break;
      case 'gallery':
        this.showNoScene();
        if (message.opening !== null) this.notices.banner('opening', `Opening ${message.opening} …`);
        else if (!this.opening) this.notices.clear('opening');
        break;
      case 'scene':
        if (this.isGrown(message)) this.growScene(message);
        else this.showScene(message);
        break;
      case 'state': this.showState(message); break;
      case 'picked': this.toolbox.showPicked(message); break;
      case 'value': this.parameters.show(message.path, message.value); break;
      case 'problems': this.editor.show(message); break;
      case 'failed':
        this.playback.fail();
        this.notices.banner('failed', 'The simulation stopped', {
          grave: true, detail: message.message,
          buttons: [
            { text: 'Restart', action: () => this.playback.restart() },
            // What somebody set, perhaps on another page, may be what it failed of.
            ...(message.isChanged ? [{ text: 'Restart as opened', action: () => this.playback.restart(true) }] : []),
          ],
        });
        break;
      case 'saved':
        this.saving.saved(message);
        if (message.what === 'text') this.editor.noteSaved();
        if (message.path !== '') this.notices.message(`Saved: ${message.path}`);
        break;
      case 'error':
        window.clearTimeout(this.restarting);
        this.notices.clear('opening');
        if (this.opening) this.showUnopened(message.message);
        else this.notices.message(message.message, true);
        this.parameters.refused();
        this.saving.refused(message.message);
        break;
    }
  }

  private showNoScene(): void {
    const lost = this.scene !== null && !this.closing;
    this.clip.end();
    this.scene = this.state = null;
    this.closing = false;
    this.notices.clear('failed');
    this.view.clear();
    this.toolbox.reset(null);
    this.showGallery(true);
    if (history.state === sittingEntry && !this.opening) history.back();
    void this.gallery.load((path) => this.connection.address(path));
    if (lost) this.offerToReopen();
  }

  /// The server has begun anew, and no longer has what we were looking at.
  private offerToReopen(): void {
    const remembered = sessionStorage.getItem(openedKey);
    if (remembered === null) return;
    this.notices.banner('reopen', 'The sitting is closed', {
      buttons: [
        { text: 'Open it again', action: () => this.open(JSON.parse(remembered) as Opening, true) },
        { text: 'Dismiss', action: () => this.notices.clear('reopen') },
      ],
    });
  }

  /// The sitting that we are looking at, with bodies or parameters more than before.
  private isGrown({ serial, bodies }: SceneMessage): boolean {
    return !this.joined && this.scene?.serial === serial && this.scene.bodies.every((body, i) => body.name === bodies[i]?.name);
  }

  /// Camera, tool, curves, colours, texts and whatever else was chosen stay as they are.
  private growScene(scene: SceneMessage): void {
    this.scene = scene;
    this.view.growScene(scene);
    this.legend.grow(scene);
    this.look.grow(scene);
    this.parameters.grow(scene);
    this.toolbox.grow(scene);
  }

  private showScene(scene: SceneMessage): void {
    this.joined = false;
    const again = this.scene?.kind === scene.kind && this.scene.name === scene.name && this.scene.text === scene.text;
    const isAsFine = this.scene?.spacing === scene.spacing;
    if (!again || !isAsFine) this.clip.end();
    this.scene = scene;
    this.state = null;
    this.opening = false;
    window.clearTimeout(this.restarting);
    for (const banner of ['failed', 'reopen', 'opening', 'unopened']) this.notices.clear(banner);
    this.showGallery(false);
    if (history.state !== sittingEntry) history.pushState(sittingEntry, '');
    this.view.showScene(scene, this.rememberedCamera(scene));
    this.playback.reset(scene);
    this.chart.reset(scene);
    this.energies.hidden = scene.kind === 'recorded'; // until they come with a state
    this.parameters.reset(scene, again);
    this.editor.reset(scene);
    this.toolbox.reset(scene, again && isAsFine);
    this.look.reset(scene);
    for (const warning of scene.warnings) this.notices.message(warning);
  }

  private showState(state: StateMessage): void {
    if (this.scene === null) return;
    this.state = state;
    this.playback.show(state);
    this.legend.follow(state);
    this.clip.follow(state);
    this.chart.add(state);
    if (state.energies.length > 0) this.energies.hidden = false;
    this.view.showState(state);
  }

  private showFrame(frame: Frame): void {
    if (this.scene === null || frame.sitting !== this.scene.serial) return;
    this.view.setLook(this.look.look, this.legend.range);
    this.view.showFrame(frame);
    // Its state has come just before it.
    if (this.state !== null) this.toolbox.update(this.state);
  }

  // ---- coming back ----------------------------------------------------------------------------------------------------

  private showConnection(state: ConnectionState): void {
    this.status.textContent = state.kind === 'open' ? '' : state.kind === 'connecting' ? 'connecting …' : 'not connected';
    this.status.dataset['state'] = state.kind;
    if (state.kind !== 'open') this.notices.clear('opening');
    if (state.kind === 'open') {
      this.wasOpen = true;
      this.notices.clear('connection');
    } else if (state.kind === 'refused')
      this.notices.banner('connection', this.connection.hasToken ? 'The studio no longer knows this page' : 'The studio does not know this page', {
        grave: true,
        detail: this.connection.hasToken ? 'Another one was started in its place. Open the address that it printed in the terminal.'
          : 'Open the address that it printed in the terminal; every tab needs the token in it once.',
      });
    else if (state.kind === 'waiting')
      this.notices.banner('connection', this.wasOpen ? 'The connection is lost' : 'The studio does not answer', {
        grave: true,
        detail: `Trying again in ${state.seconds} s. Is “phyxel studio” still running?`,
        buttons: [{ text: 'Try now', action: () => this.connection.retry() }],
      });
  }

  private rememberCamera(): void {
    if (this.scene === null) return;
    sessionStorage.setItem(cameraKey, JSON.stringify({ name: this.scene.name, pose: this.view.pose() }));
  }

  private rememberedCamera(scene: SceneMessage): CameraPose | null {
    try {
      const kept = JSON.parse(sessionStorage.getItem(cameraKey) ?? 'null') as { name: string; pose: CameraPose } | null;
      return kept !== null && kept.name === scene.name ? kept.pose : null;
    } catch {
      return null;
    }
  }
}

/// Tabs, of which one is shown.
function sidePanel(tabs: readonly [string, HTMLElement][], onChoose: (name: string) => void): HTMLElement {
  const row = element('div', { class: 'tabs', role: 'tablist' });
  const side = element('aside', { class: 'side' }, row);
  const choose = (chosen: number, focus: boolean) => {
    tabs.forEach(([name, content], i) => {
      const button = row.children[i] as HTMLButtonElement;
      button.setAttribute('aria-selected', String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
      content.hidden = i !== chosen;
      if (i === chosen) onChoose(name.toLowerCase());
      if (i === chosen && focus) button.focus();
    });
  };
  tabs.forEach(([name, content], i) => {
    const button = element('button', { type: 'button', role: 'tab', id: `tab-${i}`, 'aria-controls': `tab-content-${i}` }, name);
    button.addEventListener('click', () => choose(i, false));
    button.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') choose((i + 1) % tabs.length, true);
    });
    row.append(button);
    content.id = `tab-content-${i}`;
    content.setAttribute('role', 'tabpanel');
    content.setAttribute('aria-labelledby', `tab-${i}`);
    side.append(content);
  });
  choose(0, false);
  return side;
}

/// The token of the address moves into the tab's own memory, where it is in no history and no screenshot. Browsers keep
/// that memory apart by port, unlike cookies, so that what else serves pages on this machine cannot have it.
function takeToken(): string | null {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  if (given !== null) {
    sessionStorage.setItem('phyxel.token', given);
    address.searchParams.delete('token');
    history.replaceState(null, '', address);
  }
  return sessionStorage.getItem('phyxel.token');
}

/// Instead of the page, where it cannot be.
function tellWhyNot(error: unknown): void {
  const drawable = document.createElement('canvas').getContext('webgl2') !== null;
  const detail = drawable ? String(error)
    : 'It draws with WebGL 2, which this browser does not offer here. Switch on hardware acceleration or WebGL in its settings, or open the address in another browser. “phyxel render” makes pictures without any.';
  document.body.replaceChildren(element('main', { class: 'no-studio', role: 'alert' }, element('h1', {}, 'The studio cannot begin'), element('p', {}, detail)));
}

try {
  new Studio();
} catch (error) {
  console.error(error);
  tellWhyNot(error);
}
