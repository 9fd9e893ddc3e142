// SPDX-License-Identifier: MIT
// How the bodies look: coloured by which field, as particles or with their surface, with earlier moments behind them, and
// how fine they are.
import { choice, element, showChosen, textButton } from './dom';
import type { Look } from './look';
import { quantityText, words } from './number_text';
import type { OnionChoice } from './onion_skin';
import type { SceneMessage } from './protocol';
import { Slider } from './slider';

const coarserBy = 1.3; // in 3D, about half as many particles

export class LookPanel {
  readonly element = element('section', { class: 'panel', 'aria-label': 'Look' });
  private readonly field = element('select', { id: 'color-field' });
  private readonly shape: HTMLFieldSetElement;
  private readonly madeShape: HTMLFieldSetElement;
  private sceneName = '';
  look: Look = { color: 'body', surface: true, madeSurface: false };

  private readonly onion: OnionChoice = { moments: 0, every: 5 };
  private readonly spacing = element('span', { class: 'quantity' });
  private readonly resolution: HTMLElement;

  /// `onResolution`: the scene is to be begun anew with so many times its spacing.
  constructor(private readonly onChange: (look: Look) => void, onOnion: (choice: OnionChoice) => void, onResolution: (factor: number) => void) {
    const coarser = textButton('Coarser', () => onResolution(coarserBy), 'small');
    const finer = textButton('Finer', () => onResolution(1 / coarserBy), 'small');
    coarser.title = 'Begin anew with larger particles: faster';
    finer.title = 'Begin anew with smaller particles: slower, with more detail';
    this.resolution = element('div', { class: 'row' }, element('label', {}, 'Spacing'), this.spacing, coarser, finer);
    this.shape = choice('', [{ value: 'surface', text: 'surface' }, { value: 'particles', text: 'particles' }], 'surface', (value) =>
      this.change({ surface: value === 'surface' }));
    this.madeShape = choice('', [{ value: 'particles', text: 'particles' }, { value: 'surface', text: 'surface' }], 'particles', (value) =>
      this.change({ madeSurface: value === 'surface' }));
    const every = new Slider({ label: 'One moment every', unit: 'frames', value: this.onion.every, low: 1, high: 30, min: 1, max: 1000, whole: true },
      (value) => onOnion(Object.assign(this.onion, { every: value })));
    every.element.hidden = true;
    const earlier = choice('Earlier moments', [{ value: '0', text: 'off' }, { value: '3', text: '3' }, { value: '6', text: '6' }], '0', (value) => {
      every.element.hidden = value === '0';
      onOnion(Object.assign(this.onion, { moments: Number(value) }));
    });
    earlier.title = 'Drawn behind the present one; the older, the fainter';
    this.field.addEventListener('change', () => this.change({ color: this.field.value }));
    this.element.append(
      element('h2', {}, 'Look'),
      element('div', { class: 'row' }, element('label', { for: 'color-field' }, 'Colour by'), this.field),
      this.shape,
      this.madeShape,
      earlier,
      every.element,
      this.resolution,
    );
  }

  /// As the scene asks for, else by velocity; as before, if it is the same scene again.
  reset(scene: SceneMessage): void {
    const names = this.showFields(scene);
    const isNew = scene.name !== this.sceneName;
    this.sceneName = scene.name;
    const wanted = isNew ? (scene.color?.field ?? 'velocity') : this.look.color;
    this.look = { color: names.includes(wanted) ? wanted : 'body', surface: isNew || this.look.surface, madeSurface: isNew ? scene.hasMadeSurfaces : this.look.madeSurface };
    this.field.value = this.look.color;
    showChosen(this.shape, this.look.surface ? 'surface' : 'particles');
    showChosen(this.madeShape, this.look.madeSurface ? 'surface' : 'particles');
    this.showShapes(scene);
    this.madeShape.title = scene.hasMadeSurfaces ? '' : 'A surface takes a while to make: everything is slower';
    this.resolution.hidden = scene.kind !== 'live' || scene.text === '';
    this.spacing.textContent = quantityText(scene.spacing, 'm');
    this.onChange(this.look);
  }

  /// There are bodies more than before: nothing changes but what can be chosen.
  grow(scene: SceneMessage): void {
    this.showFields(scene);
    this.field.value = this.look.color;
    this.showShapes(scene);
  }

  private showShapes({ bodies }: SceneMessage): void {
    const [skins, made] = (['skin', 'made'] as const).map((kind) => bodies.some((body) => body.surface === kind)) as [boolean, boolean];
    const both = skins && made;
    this.shape.hidden = !skins;
    this.madeShape.hidden = !made;
    this.shape.querySelector('legend')!.textContent = both ? 'With a skin as' : 'Bodies as';
    this.madeShape.querySelector('legend')!.textContent = both ? 'Without a skin as' : 'Bodies as';
  }

  private showFields(scene: SceneMessage): string[] {
    const names = ['body', ...scene.fields.map((field) => field.name)];
    this.field.replaceChildren(...names.map((name) => element('option', { value: name }, words(name))));
    return names;
  }

  private change(part: Partial<Look>): void {
    this.look = { ...this.look, ...part };
    this.onChange(this.look);
  }
}
