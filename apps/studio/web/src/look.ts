// SPDX-License-Identifier: MIT
// How bodies are to be drawn.
import type { BodyInfo } from './protocol';

/// `color`: a field, or `body`; `surface`: of solids, and of whatever else is no fluid and has one.
export interface Look { color: string; surface: boolean; fluidSurface: boolean }

export function showsSurface(look: Look, body: BodyInfo | undefined): boolean {
  return body?.type === 'fluid' ? look.fluidSurface : look.surface;
}
