// SPDX-License-Identifier: MIT
// How bodies are to be drawn.
import type { BodyInfo } from './protocol';

/// `color`: a field, or `body`; `surface`: that bodies carry; `madeSurface`: that is made of their particles.
export interface Look { color: string; surface: boolean; madeSurface: boolean }

export function showsSurface(look: Look, body: BodyInfo | undefined): boolean {
  return body?.surface === 'made' ? look.madeSurface : look.surface;
}
