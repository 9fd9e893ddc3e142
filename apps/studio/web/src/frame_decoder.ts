// SPDX-License-Identifier: MIT
// Binary frames: positions, colours and skins, quantised to 16 bits. docs/studio.md has the layout. The arrays of a decoded
// frame are views of the message itself, so nothing is copied on the way to the graphics card.
import { BadMessage, type Vector } from './checked';

const magic = 0x31465850; // "PXF1"
const hasIds = 1;
const hasColor = 2;
const hasSurface = 4;
const hasTriangles = 8;
const hasAxes = 16;

/// Points as whole numbers: place = min + size · q / 65535.
export interface QuantizedPoints { count: number; min: Vector; size: Vector; q: Uint16Array }

/// Values as whole numbers: value = low + (high − low) · q / 65535.
export interface QuantizedValues { low: number; high: number; q: Uint16Array }

/// The half-axes of ellipses, x, y, z for each: component = longest · q / 32767.
export interface QuantizedAxes { longest: number; u: Int16Array; v: Int16Array }

export interface SurfaceFrame {
  points: QuantizedPoints;
  normals: Int8Array; ///< x, y, z, 0 for each vertex, in 127ths
  axes: QuantizedAxes | null; ///< of surfels that have a shape of their own
  values: QuantizedValues | null;
  triangles: Uint32Array | null; ///< null: as before; empty: surfels
}

export interface BodyFrame {
  body: number;
  points: QuantizedPoints;
  ids: Uint32Array | null; ///< null: as before
  values: QuantizedValues | null;
  surface: SurfaceFrame | null;
}

export interface Frame { serial: number; sitting: number; frame: number; time: number; fieldHash: number; bodies: BodyFrame[] }

/// Takes numbers off the front of a message and throws where it ends too early.
class Cursor {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly buffer: ArrayBuffer) { this.view = new DataView(buffer); }

  u32(): number { return this.view.getUint32(this.take(4), true); }
  f32(): number { return this.finite(this.view.getFloat32(this.take(4), true)); }
  f64(): number { return this.finite(this.view.getFloat64(this.take(8), true)); }
  vector(): Vector { return [this.f32(), this.f32(), this.f32()]; }

  u16s(count: number): Uint16Array { return new Uint16Array(this.buffer, this.take(2 * count), count); }
  i16s(count: number): Int16Array { return new Int16Array(this.buffer, this.take(2 * count), count); }
  i8s(count: number): Int8Array { return new Int8Array(this.buffer, this.take(count), count); }
  u32s(count: number): Uint32Array { return new Uint32Array(this.buffer, this.take(4 * count), count); }

  isAtEnd(): boolean { return this.at === this.buffer.byteLength; }

  /// Sections are aligned to 4 bytes.
  private take(bytes: number): number {
    const begin = this.at;
    this.at += (bytes + 3) & ~3;
    if (!(this.at <= this.buffer.byteLength)) throw new BadMessage('a frame ends too early');
    return begin;
  }

  private finite(value: number): number {
    if (!Number.isFinite(value)) throw new BadMessage('a frame has a number that is not finite');
    return value;
  }
}

function readPoints(cursor: Cursor): QuantizedPoints {
  const count = cursor.u32();
  const min = cursor.vector();
  const size = cursor.vector();
  return { count, min, size, q: cursor.u16s(3 * count) };
}

function readValues(cursor: Cursor, count: number): QuantizedValues {
  const low = cursor.f32();
  const high = cursor.f32();
  return { low, high, q: cursor.u16s(count) };
}

function readAxes(cursor: Cursor, count: number): QuantizedAxes {
  const longest = cursor.f32();
  const u = cursor.i16s(3 * count);
  return { longest, u, v: cursor.i16s(3 * count) };
}

function readTriangles(cursor: Cursor, vertexCount: number): Uint32Array {
  const triangles = cursor.u32s(3 * cursor.u32());
  for (const vertex of triangles) if (vertex >= vertexCount) throw new BadMessage('a triangle has no such vertex');
  return triangles;
}

function readSurface(cursor: Cursor, flags: number): SurfaceFrame {
  const points = readPoints(cursor);
  const normals = cursor.i8s(4 * points.count);
  const axes = (flags & hasAxes) !== 0 ? readAxes(cursor, points.count) : null;
  const values = (flags & hasColor) !== 0 ? readValues(cursor, points.count) : null;
  const triangles = (flags & hasTriangles) !== 0 ? readTriangles(cursor, points.count) : null;
  return { points, normals, axes, values, triangles };
}

function readBody(cursor: Cursor): BodyFrame {
  const body = cursor.u32();
  const flags = cursor.u32();
  const points = readPoints(cursor);
  const ids = (flags & hasIds) !== 0 ? cursor.u32s(points.count) : null;
  const values = (flags & hasColor) !== 0 ? readValues(cursor, points.count) : null;
  const surface = (flags & hasSurface) !== 0 ? readSurface(cursor, flags) : null;
  return { body, points, ids, values, surface };
}

/// Throws BadMessage for anything that is not one whole frame.
export function decodeFrame(buffer: ArrayBuffer): Frame {
  const cursor = new Cursor(buffer);
  if (cursor.u32() !== magic) throw new BadMessage('not a frame');
  const serial = cursor.u32();
  const sitting = cursor.u32();
  const frame = cursor.u32();
  const time = cursor.f64();
  const bodyCount = cursor.u32();
  const fieldHash = cursor.u32();
  const bodies: BodyFrame[] = [];
  for (let i = 0; i < bodyCount; ++i) bodies.push(readBody(cursor));
  if (!cursor.isAtEnd()) throw new BadMessage('a frame goes on after its end');
  return { serial, sitting, frame, time, fieldHash, bodies };
}

/// FNV-1a of a field's name: how a frame says which field its colours are.
export function fieldHash(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/// The place of point `i`.
export function pointAt(points: QuantizedPoints, i: number): Vector {
  const { min, size, q } = points;
  return [
    min[0] + (size[0] * (q[3 * i] ?? 0)) / 65535,
    min[1] + (size[1] * (q[3 * i + 1] ?? 0)) / 65535,
    min[2] + (size[2] * (q[3 * i + 2] ?? 0)) / 65535,
  ];
}
