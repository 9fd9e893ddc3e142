// SPDX-License-Identifier: MIT
// The surface of one body: a lit mesh, or lit surfels where the skin has no triangles: the ellipses that came with it, or else
// discs.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, Points, ShaderMaterial } from 'three';
import type { QuantizedAxes, QuantizedPoints, SurfaceFrame } from './frame_decoder';
import { fill } from './particles';
import { bodyUniforms, fragmentHeader, setColoring, setQuantization, spriteSize, vertexHeader, type BodyUniforms, type Coloring, type PictureUniforms } from './shading';

const meshVertexShader = /* glsl */ `
  ${vertexHeader}
  attribute vec4 facing;
  varying vec3 normalInView;
  void main() {
    gl_Position = projectionMatrix * placeInView();
    normalInView = mat3(viewMatrix) * facing.xyz;
  }
`;

const meshFragmentShader = /* glsl */ `
  ${fragmentHeader}
  varying vec3 normalInView;
  void main() {
    // A mesh that came without normals shows its facets.
    vec3 normal = dot(normalInView, normalInView) > 0.01 ? normalize(normalInView) : normalize(cross(dFdx(center), dFdy(center)));
    gl_FragColor = shown(lit(ownColor(), gl_FrontFacing || dot(normalInView, normalInView) <= 0.01 ? normal : -normal));
  }
`;

// A surfel fills the part of its plane where the place in terms of its half-axes, which `alongU` and `alongV` find, is within
// the unit circle. All of them are in parts of `reach`.
const discVertexShader = /* glsl */ `
  ${vertexHeader}
  ${spriteSize}
  uniform float longestAxis;
  attribute vec4 facing;
  attribute vec3 axisU, axisV;
  varying vec3 normalInView, alongU, alongV;
  void main() {
    gl_Position = projectionMatrix * placeInView();
    float uu = dot(axisU, axisU), vv = dot(axisV, axisV);
    // Axes that were sheared are no longer at right angles: how far the ellipse reaches is their largest singular value.
    float farthest = sqrt(0.5 * (uu + vv) + length(vec2(0.5 * (uu - vv), dot(axisU, axisV))));
    vec3 u = mat3(viewMatrix) * axisU / max(farthest, 1e-9);
    vec3 v = mat3(viewMatrix) * axisV / max(farthest, 1e-9);
    vec3 across = cross(u, v);
    float area = dot(across, across);
    if (longestAxis > 0.0 && area > 1e-6) {
      gl_PointSize = spriteSize(gl_Position, longestAxis * farthest);
      normalInView = normalize(across);
      alongU = cross(v, across) / area;
      alongV = cross(across, u) / area;
    } else {
      // A disc; one that faces nowhere faces the viewer.
      gl_PointSize = spriteSize(gl_Position, radius);
      vec3 normal = mat3(viewMatrix) * facing.xyz;
      normalInView = dot(normal, normal) > 0.01 ? normalize(normal) : vec3(0.0, 0.0, 1.0);
      alongU = normalize(cross(normalInView, abs(normalInView.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
      alongV = cross(normalInView, alongU);
    }
  }
`;

const discFragmentShader = /* glsl */ `
  ${fragmentHeader}
  uniform mat4 projectionMatrix;
  varying float reach;
  varying vec3 normalInView, alongU, alongV;
  void main() {
    vec3 normal = normalInView.z < 0.0 ? -normalInView : normalInView;
    vec2 across = 2.0 * vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y) - 1.0;
    vec3 place = vec3(across, -dot(normal.xy, across) / max(normal.z, 0.05));
    vec2 inAxes = vec2(dot(place, alongU), dot(place, alongV));
    if (dot(inAxes, inAxes) > 1.0) discard;
    vec4 clip = projectionMatrix * vec4(center + reach * place, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    gl_FragColor = shown(lit(ownColor(), normal));
  }
`;

export class Surface {
  readonly object = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly uniforms: BodyUniforms;
  private readonly mesh: Mesh;
  private readonly discs: Points;
  private readonly longestAxis = { value: 0 }; ///< 0: they have none
  private hasValues = false;
  private sharesTopology = false;
  private measuredSize = 0; ///< of the body, when the radius of its discs was chosen

  constructor(picture: PictureUniforms) {
    const uniforms = (this.uniforms = bodyUniforms(picture));
    this.mesh = new Mesh(
      this.geometry,
      new ShaderMaterial({ uniforms, vertexShader: meshVertexShader, fragmentShader: meshFragmentShader, side: DoubleSide }),
    );
    this.discs = new Points(
      this.geometry,
      new ShaderMaterial({ uniforms: { ...uniforms, longestAxis: this.longestAxis }, vertexShader: discVertexShader, fragmentShader: discFragmentShader }),
    );
    this.mesh.frustumCulled = this.discs.frustumCulled = false;
    this.object.add(this.mesh, this.discs);
  }

  show(frame: SurfaceFrame): void {
    this.hasValues = frame.values !== null;
    setQuantization(this.uniforms, frame.points, frame.values);
    fill(this.geometry, 'position', frame.points.q, 3);
    fill(this.geometry, 'facing', frame.normals, 4);
    this.showAxes(frame.axes);
    fill(this.geometry, 'value', frame.values?.q ?? new Uint16Array(frame.points.count), 1);
    if (frame.triangles !== null) this.showTopology(frame.triangles);
    this.fitDiscs(frame.points, frame.triangles !== null);
    this.geometry.setDrawRange(0, this.mesh.visible ? Infinity : frame.points.count);
  }

  color(coloring: Coloring): void { setColoring(this.uniforms, coloring, this.hasValues); }

  set fade(fade: number) { this.uniforms.fade.value = fade; }

  /// The triangles of another one, without a copy of them.
  shareTopology(other: Surface): void {
    this.sharesTopology = true;
    this.geometry.setIndex(other.geometry.getIndex());
    this.mesh.visible = other.mesh.visible;
    this.discs.visible = other.discs.visible;
    this.uniforms.radius.value = other.uniforms.radius.value;
    this.measuredSize = other.measuredSize;
  }

  dispose(): void {
    // The renderer would delete the buffer, which is another one's.
    if (this.sharesTopology) this.geometry.setIndex(null);
    this.geometry.dispose();
    (this.mesh.material as ShaderMaterial).dispose();
    (this.discs.material as ShaderMaterial).dispose();
  }

  private showTopology(triangles: Uint32Array): void {
    this.sharesTopology = false;
    this.mesh.visible = triangles.length > 0;
    this.discs.visible = !this.mesh.visible;
    this.geometry.setIndex(this.mesh.visible ? new BufferAttribute(triangles, 1) : null);
  }

  private showAxes(axes: QuantizedAxes | null): void {
    this.longestAxis.value = axes?.longest ?? 0;
    for (const [name, numbers] of [['axisU', axes?.u], ['axisV', axes?.v]] as const) {
      if (numbers !== undefined) fill(this.geometry, name, numbers, 3);
      else this.geometry.deleteAttribute(name); // of others, and too short for these
    }
  }

  /// Discs grow with what is stretched, or it would have holes.
  private fitDiscs(points: QuantizedPoints, isNew: boolean): void {
    if (!this.discs.visible || points.count === 0) return;
    const size = Math.hypot(...points.size);
    if (!isNew && Math.abs(size - this.measuredSize) <= 0.03 * this.measuredSize) return;
    this.measuredSize = size;
    this.uniforms.radius.value = coveringRadius(points);
  }
}

/// With discs of this radius most of the surface is covered: as far as the ring of next surfels is away from nearly all of
/// a sample of them. Scans are sampled unevenly, so the nearest one tells too little.
function coveringRadius(points: QuantizedPoints): number {
  const ring = 6;
  const reaches: number[] = [];
  const { q, count } = points;
  const [sx, sy, sz] = [points.size[0] / 65535, points.size[1] / 65535, points.size[2] / 65535];
  for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 48))) {
    const [x, y, z] = [q[3 * i]!, q[3 * i + 1]!, q[3 * i + 2]!];
    const nearest: number[] = new Array<number>(ring).fill(Infinity); // ascending
    for (let j = 0; j < count; ++j) {
      if (j === i) continue;
      const distance = (sx * (q[3 * j]! - x)) ** 2 + (sy * (q[3 * j + 1]! - y)) ** 2 + (sz * (q[3 * j + 2]! - z)) ** 2;
      if (distance >= nearest[ring - 1]!) continue;
      nearest[ring - 1] = distance;
      nearest.sort((a, b) => a - b);
    }
    if (nearest[ring - 1]! < Infinity) reaches.push(Math.sqrt(nearest[ring - 1]!));
  }
  reaches.sort((a, b) => a - b);
  return reaches[Math.floor(0.8 * reaches.length)] ?? Math.max(...points.size) / 50;
}
