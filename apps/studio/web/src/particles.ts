// SPDX-License-Identifier: MIT
// The particles of one body as balls: each is a square that faces the viewer, and the fragment shader makes it round, lit
// and deep, so that balls cut into each other as they should.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, ShaderMaterial, Vector3 } from 'three';
import type { Vector } from './checked';
import { pointAt, type BodyFrame, type QuantizedPoints } from './frame_decoder';
import { makeShadow } from './shadow';
import { bodyUniforms, fragmentHeader, setColoring, setQuantization, spriteSize, vertexHeader, type BodyUniforms, type Coloring, type PictureUniforms } from './shading';

const vertexShader = /* glsl */ `
  ${vertexHeader}
  ${spriteSize}
  void main() {
    gl_Position = projectionMatrix * placeInView();
    gl_PointSize = spriteSize(gl_Position, radius);
  }
`;

const fragmentShader = /* glsl */ `
  ${fragmentHeader}
  uniform mat4 projectionMatrix;
  varying float reach;
  void main() {
    vec2 across = 2.0 * vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y) - 1.0;
    float r2 = dot(across, across);
    if (r2 > 1.0) discard;
    vec3 normal = vec3(across, sqrt(1.0 - r2));
    vec4 clip = projectionMatrix * vec4(center + reach * normal, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    gl_FragColor = shown(lit(ownColor(), normal));
  }
`;

const noPoints: QuantizedPoints = { count: 0, min: [0, 0, 0], size: [0, 0, 0], q: new Uint16Array(0) };

export class Particles {
  readonly object: Points;
  readonly shadow: Points | null;
  private readonly geometry = new BufferGeometry();
  private readonly uniforms: BodyUniforms;
  private points = noPoints;
  private ids: Uint32Array = new Uint32Array(0);
  private indices: Map<number, number> | null = null;
  private hasValues = false;

  /// With a shadow, if there is a floor for it: `floor` says at which height, along `up`.
  constructor(radius: number, picture: PictureUniforms, floor: { up: Vector; height: number } | null) {
    this.uniforms = bodyUniforms(picture);
    this.uniforms.radius.value = radius;
    this.object = new Points(this.geometry, new ShaderMaterial({ uniforms: this.uniforms, vertexShader, fragmentShader }));
    this.object.frustumCulled = false;
    this.shadow = floor === null ? null : makeShadow(this.geometry, this.uniforms, new Vector3().fromArray(floor.up), floor.height, picture.viewport);
  }

  get count(): number { return this.points.count; }

  show(frame: BodyFrame): void {
    this.points = frame.points;
    if (frame.ids !== null) {
      this.ids = frame.ids;
      this.indices = null;
    }
    this.hasValues = frame.values !== null;
    setQuantization(this.uniforms, frame.points, frame.values);
    fill(this.geometry, 'position', frame.points.q, 3);
    fill(this.geometry, 'value', frame.values?.q ?? new Uint16Array(frame.points.count), 1);
    this.geometry.setDrawRange(0, frame.points.count);
  }

  color(coloring: Coloring): void { setColoring(this.uniforms, coloring, this.hasValues); }

  set fade(fade: number) { this.uniforms.fade.value = fade; }

  idAt(index: number): number { return this.ids[index] ?? index; }

  position(index: number): Vector { return pointAt(this.points, index); }

  /// Where the particle with this id is now, or null if it is gone.
  positionOf(id: number): Vector | null {
    if (this.indices === null) {
      this.indices = new Map();
      for (let i = 0; i < this.ids.length; ++i) this.indices.set(this.ids[i] ?? i, i);
    }
    const index = this.indices.get(id);
    return index === undefined || index >= this.points.count ? null : this.position(index);
  }

  /// The places of all particles within `radius` of a point.
  near(place: Vector, radius: number): Vector[] {
    const { min, size, q, count } = this.points;
    const [sx, sy, sz] = [size[0] / 65535, size[1] / 65535, size[2] / 65535];
    const [ox, oy, oz] = [min[0] - place[0], min[1] - place[1], min[2] - place[2]];
    const found: Vector[] = [];
    for (let i = 0, k = 0; i < count; ++i, k += 3) {
      const x = ox + sx * (q[k] as number);
      const y = oy + sy * (q[k + 1] as number);
      const z = oz + sz * (q[k + 2] as number);
      if (x * x + y * y + z * z <= radius * radius) found.push(this.position(i));
    }
    return found;
  }

  forEach(visit: (x: number, y: number, z: number) => void): void {
    const { min, size, q, count } = this.points;
    for (let k = 0; k < 3 * count; k += 3)
      visit(
        min[0] + (size[0] / 65535) * (q[k] as number),
        min[1] + (size[1] / 65535) * (q[k + 1] as number),
        min[2] + (size[2] / 65535) * (q[k + 2] as number),
      );
  }

  /// The first ball of `radius` that the ray meets; `direction` has length 1. Null if it misses all of them.
  firstHit(origin: Vector, direction: Vector, radius: number): { index: number; distance: number } | null {
    const { min, size, q, count } = this.points;
    const [dx, dy, dz] = direction;
    const [sx, sy, sz] = [size[0] / 65535, size[1] / 65535, size[2] / 65535];
    const [ox, oy, oz] = [min[0] - origin[0], min[1] - origin[1], min[2] - origin[2]];
    let best = -1;
    let nearest = Infinity;
    for (let i = 0, k = 0; i < count; ++i, k += 3) {
      const x = ox + sx * (q[k] as number);
      const y = oy + sy * (q[k + 1] as number);
      const z = oz + sz * (q[k + 2] as number);
      const along = x * dx + y * dy + z * dz;
      const inside = radius * radius - (x * x + y * y + z * z - along * along);
      if (inside < 0 || along <= 0) continue;
      const distance = along - Math.sqrt(inside);
      if (distance < nearest) {
        nearest = distance;
        best = i;
      }
    }
    return best < 0 ? null : { index: best, distance: nearest };
  }

  dispose(): void {
    this.geometry.dispose();
    (this.object.material as ShaderMaterial).dispose();
    (this.shadow?.material as ShaderMaterial | undefined)?.dispose();
  }
}

/// Copies numbers into an attribute, whose buffer grows by halves: one allocation serves many frames.
export function fill(geometry: BufferGeometry, name: string, numbers: Uint16Array | Int16Array | Int8Array, itemSize: number): void {
  const present = geometry.getAttribute(name);
  if (present instanceof BufferAttribute && present.array.length >= numbers.length) {
    (present.array as typeof numbers).set(numbers);
    present.clearUpdateRanges();
    present.addUpdateRange(0, numbers.length);
    present.needsUpdate = true;
    return;
  }
  const items = Math.ceil((1.5 * numbers.length) / itemSize);
  const array = new (numbers.constructor as new (length: number) => typeof numbers)(items * itemSize);
  array.set(numbers);
  const made = new BufferAttribute(array, itemSize, true);
  made.setUsage(DynamicDrawUsage);
  geometry.setAttribute(name, made);
}
