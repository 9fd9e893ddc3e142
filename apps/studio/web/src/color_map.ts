// SPDX-License-Identifier: MIT
// The colours of the ray-traced pictures: viridis for numbers, and a palette that colour-blind people can tell apart.
import { Color } from 'three';

/// Every 28 or 29 of the 256 published entries of viridis.
const viridis = [0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6dcd59, 0xb4de2c, 0xfde725];
const palette = [0x2e7fc4, 0xe69f00, 0x009e73, 0xd55e00, 0xcc79a7, 0x56b4e9, 0xf0e442, 0x8a8f98];

export const stopCount = viridis.length;

/// Linear colours for the shaders, evenly spaced from the lowest to the highest value.
export function mapStops(): Color[] { return viridis.map((hex) => new Color(hex)); }

export function mapGradient(): string {
  return `linear-gradient(to right, ${viridis.map((hex) => `#${hex.toString(16).padStart(6, '0')}`).join(', ')})`;
}

/// Those beyond the palette begin it again, paler each time.
export function bodyColor(body: number): Color {
  const round = Math.floor(body / palette.length);
  return new Color(palette[body % palette.length]).lerp(new Color(0xffffff), 1 - 0.6 ** round);
}
