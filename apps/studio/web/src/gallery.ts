// SPDX-License-Identifier: MIT
// The start page: every example with its picture and one sentence, and what is in the folder that is saved into.
import { element } from './dom';
import { readGallery, type Example, type FolderEntry, type Opening } from './protocol';
import { words } from './number_text';

function openingOf({ kind, path }: FolderEntry): Opening {
  switch (kind) {
    case 'run': return { run: path };
    case 'checkpoint': return { checkpoint: path };
    case 'scene': return { file: path };
  }
}

export class GalleryPage {
  readonly element = element('main', { class: 'gallery', 'aria-label': 'Gallery' });
  private readonly examples = element('div', { class: 'cards' });
  private readonly folder = element('section', { 'aria-labelledby': 'folder-title' });
  private readonly note = element('p', { class: 'readout', role: 'status' });

  constructor(private readonly open: (opening: Opening) => void) {
    this.folder.hidden = true;
    this.element.append(
      element('header', { class: 'gallery-header' }, element('h1', {}, 'Phyxel studio'), element('p', {}, 'Physics without a mesh, to watch and to touch. Pick an example: it runs at once.')),
      this.note,
      this.examples,
      this.folder,
    );
  }

  /// `address` makes paths of the server into addresses that it answers.
  async load(address: (path: string) => string): Promise<void> {
    try {
      const response = await fetch(address('/api/gallery'), { cache: 'no-store' });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const gallery = readGallery(await response.json());
      this.examples.replaceChildren(...gallery.examples.map((example) => this.card(example, address)));
      this.showFolder(gallery.folderName, gallery.folder);
      this.note.textContent = gallery.examples.length === 0 ? 'No examples were found.' : '';
    } catch (error) {
      // The banner says so if the connection is lost; what is shown already stays.
      if (this.examples.childElementCount === 0) this.note.textContent = `The examples could not be listed: ${String((error as Error).message)}`;
    }
    this.note.hidden = this.note.textContent === '';
  }

  private card(example: Example, address: (path: string) => string): HTMLElement {
    const picture = element('span', { class: 'thumbnail' });
    if (example.thumbnail !== '') {
      const image = element('img', { src: address(example.thumbnail), alt: '', width: '320', height: '200', decoding: 'async' });
      image.addEventListener('error', () => image.remove());
      picture.append(image);
    }
    const card = element(
      'button',
      { type: 'button', class: 'card', 'data-example': example.name },
      picture,
      element('span', { class: 'card-title' }, words(example.name).replace(/ 2d$/, ''), example.dimension === 2 ? element('span', { class: 'badge' }, '2D') : null),
      element('span', { class: 'card-text' }, example.sentence),
    );
    card.addEventListener('click', () => this.open({ example: example.name }));
    return card;
  }

  private showFolder(name: string, entries: readonly FolderEntry[]): void {
    this.folder.hidden = entries.length === 0;
    this.folder.replaceChildren(
      element('h2', { id: 'folder-title' }, `In the folder ${name}`),
      element(
        'ul',
        { class: 'folder-list' },
        ...entries.map((entry) => {
          const button = element('button', { type: 'button', 'data-path': entry.path }, element('span', { class: `badge ${entry.kind}` }, entry.kind), entry.path);
          button.addEventListener('click', () => this.open(openingOf(entry)));
          return element('li', {}, button);
        }),
      ),
    );
  }
}
