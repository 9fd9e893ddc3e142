// SPDX-License-Identifier: MIT
// Banners that stay until their reason is gone, and short messages that go away by themselves. Both lie over the picture,
// so nothing moves when they come and go.
import { element, textButton } from './dom';

interface BannerButton { text: string; action: () => void }

const shortTime = 7000; // [ms]

export class Notices {
  readonly element = element('div', { class: 'notices' });
  readonly messages = element('div', { class: 'messages', role: 'status' });
  private readonly banners = new Map<string, HTMLElement>();

  /// Shows or changes the banner with this name. `grave`: something is wrong.
  banner(name: string, text: string, options: { grave?: boolean; detail?: string; buttons?: BannerButton[] } = {}): void {
    const made = element(
      'div',
      { class: options.grave === true ? 'banner grave' : 'banner', role: options.grave === true ? 'alert' : 'status', 'data-banner': name },
      element('div', {}, element('strong', {}, text), options.detail === undefined ? null : element('p', {}, options.detail)),
      ...(options.buttons ?? []).map((button) => textButton(button.text, button.action)),
    );
    const present = this.banners.get(name);
    if (present === undefined) this.element.append(made);
    else present.replaceWith(made);
    this.banners.set(name, made);
  }

  clear(name: string): void {
    this.banners.get(name)?.remove();
    this.banners.delete(name);
  }

  message(text: string, grave = false): void {
    // Said again while it is still there: it stays longer, that is all.
    for (const shown of this.messages.children) if (shown.textContent === text) shown.remove();
    const made = element('div', { class: grave ? 'message grave' : 'message' }, text);
    this.messages.append(made);
    while (this.messages.childElementCount > 3) this.messages.firstElementChild?.remove();
    setTimeout(() => made.remove(), shortTime);
  }
}
