// SPDX-License-Identifier: MIT
// Light or dark: as the system has it, until the switch is used.
import { Color } from 'three';
import type { SurroundingColors } from './surroundings';

const key = 'phyxel.theme';

export class Theme {
  private readonly dark = matchMedia('(prefers-color-scheme: dark)');

  constructor(private readonly onChange: () => void) {
    this.dark.addEventListener('change', () => this.apply());
    this.apply();
  }

  toggle(): void {
    const next = this.isDark() ? 'light' : 'dark';
    // Back to what the system has: follow it again.
    if ((next === 'dark') === this.dark.matches) localStorage.removeItem(key);
    else localStorage.setItem(key, next);
    this.apply();
  }

  private isDark(): boolean {
    const chosen = localStorage.getItem(key);
    return chosen === null ? this.dark.matches : chosen === 'dark';
  }

  private apply(): void {
    document.documentElement.dataset['theme'] = this.isDark() ? 'dark' : 'light';
    this.onChange();
  }
}

/// The colours of the picture, from the style sheet.
export function pictureColors(): { background: Color; surroundings: SurroundingColors } {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => new Color(style.getPropertyValue(name).trim());
  return {
    background: color('--picture'),
    surroundings: { floor: color('--picture-floor'), edge: color('--picture-edge'), obstacle: color('--picture-obstacle') },
  };
}
