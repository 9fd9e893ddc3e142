// SPDX-License-Identifier: MIT
// Two dialogs: saving the sitting, and the keys.
import { download, element, textButton } from './dom';
import type { ClientMessage, Saved, SceneMessage } from './protocol';
import type { Tool } from './tools/tool';

function dialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const made = element('dialog', { 'aria-label': title }, element('h2', {}, title), ...content);
  // A click beside it closes it.
  made.addEventListener('click', (event) => { if (event.target === made) made.close(); });
  document.body.append(made);
  return made;
}

export class SaveDialog {
  private readonly name = element('input', { type: 'text', id: 'save-name', autocomplete: 'off', spellcheck: 'false', required: '', maxlength: '100', pattern: '[A-Za-z0-9_][A-Za-z0-9_\\-]*', title: 'Letters, digits, _ and -' });
  private readonly sceneButton: HTMLButtonElement;
  private readonly checkpointButton: HTMLButtonElement;
  private readonly note = element('p', { class: 'readout', role: 'status' });
  private readonly box: HTMLDialogElement;
  private downloading = false;

  constructor(private readonly send: (message: ClientMessage) => boolean) {
    this.sceneButton = textButton('Save scene', () => this.save('scene'), 'primary');
    this.checkpointButton = textButton('Save checkpoint', () => this.save('checkpoint'));
    this.name.addEventListener('input', () => this.say(''));
    this.name.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      if (!this.sceneButton.disabled) this.save('scene');
    });
    this.box = dialog(
      'Save this sitting',
      element('p', {}, 'A scene holds everything you did as events with their times: “phyxel run” plays it again to the same bits. A checkpoint holds this moment, and goes on from it when it is opened here.'),
      element('label', { for: 'save-name' }, 'Name'),
      this.name,
      this.note,
      element('div', { class: 'buttons' }, textButton('Close', () => this.box.close()), textButton('Download scene', () => this.downloadScene()), this.checkpointButton, this.sceneButton),
    );
  }

  open(scene: SceneMessage, writable: boolean): void {
    this.name.value = `${scene.name.replace(/[^A-Za-z0-9_-]/g, '_')}_sitting`;
    const live = scene.kind === 'live';
    this.sceneButton.disabled = this.checkpointButton.disabled = !writable || !live;
    this.say(!live ? 'A recorded run is on disk already.'
      : writable ? '' : 'The studio was started without a folder to write to: download the scene instead.');
    this.box.showModal();
    this.name.select();
  }

  saved(saved: Saved): void {
    if (this.downloading && saved.text !== null) {
      this.downloading = false;
      download(`${this.name.value}.json`, new Blob([saved.text], { type: 'application/json' }));
    }
    this.say(saved.path === '' ? 'Downloaded.' : `Written: ${saved.path}`);
  }

  refused(message: string): void {
    this.downloading = false;
    if (this.box.open) this.say(message, true);
  }

  private say(text: string, bad = false): void {
    this.note.textContent = text;
    this.note.classList.toggle('bad', bad);
  }

  private save(what: 'scene' | 'checkpoint'): void {
    this.say('');
    if (!this.name.reportValidity()) return;
    if (this.send({ type: 'save', what, name: this.name.value })) this.say('Saving …');
    else this.say('The connection is lost.', true);
  }

  private downloadScene(): void {
    if (!this.name.reportValidity()) return;
    this.downloading = this.send({ type: 'save', what: 'scene', name: this.name.value, write: false });
  }
}

type Row = readonly [string, string];

export class HelpDialog {
  private readonly box: HTMLDialogElement;

  constructor(tools: readonly Tool[]) {
    const mouse: Row[] = [
      ['Drag a body or the fluid', 'use the tool'],
      ['Shift while grabbing', 'follow the pointer exactly'],
      ['Drag beside it', 'turn the view'],
      ['Right drag', 'move the view'],
      ['Wheel', 'zoom'],
    ];
    const fingers: Row[] = [
      ['One on a body or the fluid', 'use the tool'],
      ['One beside it', 'turn the view'],
      ['Two', 'move the view and zoom'],
    ];
    const onPicture: Row[] = [
      ['Arrow keys', 'move the cursor'],
      ['Enter', 'use the tool there, and let go'],
      ['Escape', 'let go'],
      ['Shift + arrow keys', 'turn the view'],
      ['Ctrl or Alt + arrow keys', 'move the view'],
      ['+ and −', 'zoom'],
    ];
    const anywhere: Row[] = [
      ...tools.map((tool): Row => [tool.key.toUpperCase(), tool.title.toLowerCase()]),
      ['Space', 'play or pause'],
      ['.', 'one frame'],
      ['R', 'restart, with the values of the sliders'],
      ['Shift+R', 'restart as it was opened'],
      ['A', 'see all of it'],
      ['Ctrl+Z, Ctrl+Y', 'undo and redo changes of parameters'],
      ['Ctrl+Enter', 'run the text of the scene'],
      ['?', 'this help'],
    ];
    this.box = dialog(
      'Mouse and keys',
      element('div', { class: 'keys' }, keys('Mouse', mouse), keys('Keys', anywhere), keys('Fingers', fingers), keys('Keys when the picture has the focus', onPicture)),
      element('div', { class: 'buttons' }, textButton('Close', () => this.box.close(), 'primary')),
    );
    this.box.classList.add('wide');
  }

  open(): void { if (!this.box.open) this.box.showModal(); }
}

function keys(title: string, rows: readonly Row[]): HTMLElement {
  return element(
    'section',
    {},
    element('h3', {}, title),
    element('dl', {}, ...rows.flatMap(([key, meaning]) => [element('dt', {}, key), element('dd', {}, meaning)])),
  );
}
