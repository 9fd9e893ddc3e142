// SPDX-License-Identifier: MIT
// How the bodies look: coloured by which field, as particles or with their surface, and how fine they are.
import { choice, element, showChosen, textButton } from './dom';
import { quantityText, words } from './number_text';
import type { SceneMessage } from './protocol';
import type { Look } from './scene_view';

const coarserBy = 1.3; // in 3D, about half as many particles

export class LookPanel {
  readonly element = element('section', { class: 'panel', 'aria-label': 'Look' });
  private readonly field = element('select', { id: 'color-field' });
  private readonly shape: HTMLFieldSetElement;
  private sceneName = '';
  look: Look = { color: 'body', surface: true };

  private readonly spacing = element('span', { class: 'quantity' });
  private readonly resolution: HTMLElement;

  /// `onResolution`: the scene is to be begun anew with so many times its spacing.
  constructor(private readonly onChange: (look: Look) => void, onResolution: (factor: number) => void) {
    const coarser = textButton('Coarser', () => onResolution(coarserBy), 'small');
    const finer = textButton('Finer', () => onResolution(1 / coarserBy), 'small');
    coarser.title = 'Begin anew with larger particles: faster';
    finer.title = 'Begin anew with smaller particles: slower, with more detail';
    this.resolution = element('div', { class: 'row' }, element('label', {}, 'Spacing'), this.spacing, coarser, finer);
    this.shape = choice('Solids as', [{ value: 'surface', text: 'surface' }, { value: 'particles', text: 'particles' }], 'surface', (value) =>
      this.change({ surface: value === 'surface' }));
    this.field.addEventListener('change', () => this.change({ color: this.field.value }));
    this.element.append(
      element('h2', {}, 'Look'),
      element('div', { class: 'row' }, element('label', { for: 'color-field' }, 'Colour by'), this.field),
      this.shape,
      this.resolution,
    );
  }

  /// As the scene asks for, else by velocity; as before, if it is the same scene again.
  reset(scene: SceneMessage): void {
    const names = ['body', ...scene.fields.map((field) => field.name)];
    this.field.replaceChildren(...names.map((name) => element('option', { value: name }, words(name))));
    const isNew = scene.name !== this.sceneName;
    this.sceneName = scene.name;
    const wanted = isNew ? (scene.color?.field ?? 'velocity') : this.look.color;
    this.look = { color: names.includes(wanted) ? wanted : 'body', surface: isNew || this.look.surface };
    this.field.value = this.look.color;
    showChosen(this.shape, this.look.surface ? 'surface' : 'particles');
    this.shape.hidden = !scene.bodies.some((body) => body.type === 'solid');
    this.resolution.hidden = scene.kind !== 'live';
    this.spacing.textContent = quantityText(scene.spacing, 'm');
    this.onChange(this.look);
  }

  private change(part: Partial<Look>): void {
    this.look = { ...this.look, ...part };
    this.onChange(this.look);
  }
}
