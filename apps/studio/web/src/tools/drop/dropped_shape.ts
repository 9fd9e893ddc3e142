// SPDX-License-Identifier: MIT
// Shapes that can be dropped in: what they are called in scenes, how far a point is from them, and how much room they take.
import type { Vector } from '../../checked';
import type { SceneShape } from '../../protocol';

export type ShapeKind = 'ball' | 'box' | 'ring' | 'rod';

/// `size` is the largest width. A ring lies flat, with `up` as its axis; a rod lies along `along`.
export interface DroppedShape { kind: ShapeKind; center: Vector; size: number; up: Vector; along: Vector }

/// Radii as parts of the size: of a ring's circle and its tube, and of a rod.
export const ringRadius = 0.35;
export const tubeRadius = 0.15;
export const rodRadius = 0.15;

/// `point` turns a place into one as messages have it.
export function sceneShape({ kind, center, size, up, along }: DroppedShape, point: (place: Vector) => number[]): SceneShape {
  const half = size / 2;
  switch (kind) {
    case 'ball': return { sphere: { center: point(center), radius: half } };
    case 'box': return { box: { min: point(moved(center, [-1, -1, -1], half)), max: point(moved(center, [1, 1, 1], half)) } };
    case 'ring': return { torus: { center: point(center), axis: point(up), radius: ringRadius * size, tube: tubeRadius * size } };
    case 'rod': {
      const reach = half - rodRadius * size;
      return { capsule: { from: point(moved(center, along, -reach)), to: point(moved(center, along, reach)), radius: rodRadius * size } };
    }
  }
}

/// From a point to the surface; negative inside.
export function distanceTo({ kind, center, size, up, along }: DroppedShape, x: number, y: number, z: number): number {
  const [dx, dy, dz] = [x - center[0], y - center[1], z - center[2]];
  const across = (axis: Vector) => dx * axis[0] + dy * axis[1] + dz * axis[2];
  const squared = dx * dx + dy * dy + dz * dz;
  switch (kind) {
    case 'ball': return Math.sqrt(squared) - size / 2;
    case 'box': {
      const outside = [Math.abs(dx) - size / 2, Math.abs(dy) - size / 2, Math.abs(dz) - size / 2] as const;
      return Math.hypot(Math.max(outside[0], 0), Math.max(outside[1], 0), Math.max(outside[2], 0)) + Math.min(Math.max(...outside), 0);
    }
    case 'ring': {
      const height = across(up);
      return Math.hypot(Math.sqrt(Math.max(squared - height * height, 0)) - ringRadius * size, height) - tubeRadius * size;
    }
    case 'rod': {
      const reach = (0.5 - rodRadius) * size;
      const beyond = across(along) - Math.min(Math.max(across(along), -reach), reach);
      return Math.sqrt(Math.max(squared - across(along) ** 2, 0) + beyond * beyond) - rodRadius * size;
    }
  }
}

/// Half of its width along a direction of length 1.
export function halfWidth({ kind, size, up, along }: DroppedShape, direction: Vector): number {
  const cosine = (axis: Vector) => Math.abs(axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2]);
  switch (kind) {
    case 'ball': return size / 2;
    case 'box': return (size / 2) * (Math.abs(direction[0]) + Math.abs(direction[1]) + Math.abs(direction[2]));
    case 'ring': return ringRadius * size * Math.sqrt(Math.max(0, 1 - cosine(up) ** 2)) + tubeRadius * size;
    case 'rod': return (0.5 - rodRadius) * size * cosine(along) + rodRadius * size;
  }
}

export function moved(place: Vector, direction: Vector, by: number): Vector {
  return [place[0] + by * direction[0], place[1] + by * direction[1], place[2] + by * direction[2]];
}
