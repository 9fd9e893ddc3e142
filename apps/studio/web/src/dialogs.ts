// SPDX-License-Identifier: MIT
// Three dialogs: saving the sitting, leaving it, and the keys.
import { choice, download, element, showChosen, textButton } from './dom';
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
  private readonly what: HTMLFieldSetElement;
  private draft: string | null = null; ///< a text that was edited and is to be saved instead of what runs
  private edited: string | null = null;
  private touchable = false; ///< it runs, and there is a folder to write to
  private writable = false;
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
    this.what = choice('Save', [{ value: 'text', text: 'the edited text' }, { value: 'sitting', text: 'what runs' }], 'text', (value) => this.choose(value === 'text'));
    this.box = dialog(
      'Save this sitting',
      element('p', {}, 'A scene holds everything you did as events with their times: “phyxel run” plays it again to the same bits. A checkpoint holds this moment, and goes on from it when it is opened here.'),
      this.what,
      element('label', { for: 'save-name' }, 'Name'),
      this.name,
      this.note,
      element('div', { class: 'buttons' }, textButton('Close', () => this.box.close()), textButton('Download scene', () => this.downloadScene()), this.checkpointButton, this.sceneButton),
    );
  }

  /// `edited`: the text of the scene as it was edited and not run yet; null if it was not edited.
  open(scene: SceneMessage, writable: boolean, edited: string | null): void {
    this.name.value = `${scene.name.replace(/[^A-Za-z0-9_-]/g, '_')}_${edited === null ? 'sitting' : 'edited'}`;
    const live = scene.kind === 'live';
    this.edited = edited;
    this.writable = writable;
    this.touchable = writable && live;
    this.what.hidden = edited === null || !live;
    showChosen(this.what, 'text');
    this.choose(edited !== null);
    if (edited === null && !live) this.say('A recorded run is on disk already.');
    this.box.showModal();
    this.name.select();
  }

  /// The text that was edited, or what runs.
  private choose(text: boolean): void {
    this.draft = text ? this.edited : null;
    this.sceneButton.disabled = this.draft === null ? !this.touchable : !this.writable;
    this.checkpointButton.disabled = !this.touchable || this.draft !== null;
    this.say(this.writable ? '' : 'The studio was started without a folder to write to: download the scene instead.');
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
    const name = this.name.value;
    if (this.send(this.draft === null ? { type: 'save', what, name } : { type: 'save', what: 'text', name, text: this.draft })) this.say('Saving …');
    else this.say('The connection is lost.', true);
  }

  private downloadScene(): void {
    if (!this.name.reportValidity()) return;
    if (this.draft !== null) return download(`${this.name.value}.json`, new Blob([this.draft], { type: 'application/json' }));
    this.downloading = this.send({ type: 'save', what: 'scene', name: this.name.value, write: false });
  }
}

/// Asks before something is lost.
export class LeaveDialog {
  private readonly box: HTMLDialogElement;
  private readonly loss = element('p');

  constructor(onLeave: () => void, onSave: () => void) {
    const button = (text: string, action: () => void, kind = '') => textButton(text, () => {
      this.box.close();
      action();
    }, kind);
    this.box = dialog('Close this sitting?', this.loss, element('div', { class: 'buttons' }, button('Stay', () => undefined, 'primary'), button('Save …', onSave), button('Close it', onLeave)));
  }

  open(loss: string): void {
    this.loss.textContent = loss;
    if (!this.box.open) this.box.showModal();
  }
}

type Row = readonly [string, string];

export class HelpDialog {
  private readonly box: HTMLDialogElement;

  constructor(tools: readonly Tool[]) {
    const mouse: Row[] = [
      ['Drag a body', 'use the tool'],
      ['Shift while grabbing', 'follow the pointer exactly'],
      ['Drag beside it', 'turn the view'],
      ['Right drag', 'move the view'],
      ['Wheel', 'zoom'],
    ];
    const fingers: Row[] = [
      ['One on a body', 'use the tool'],
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

  open(): void {
    if (this.box.open) return;
    this.box.showModal();
    this.box.scrollTop = 0; // the button that gets the focus is at its end
  }
}

function keys(title: string, rows: readonly Row[]): HTMLElement {
  return element(
    'section',
    {},
    element('h3', {}, title),
    element('dl', {}, ...rows.flatMap(([key, meaning]) => [element('dt', {}, key), element('dd', {}, meaning)])),
  );
}
