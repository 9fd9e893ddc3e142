// SPDX-License-Identifier: MIT
// The skin of one solid: a lit mesh, or lit discs where the skin has no triangles (surfels).
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, Points, ShaderMaterial, type Vector2, type Vector3 } from 'three';
import { pointAt, type QuantizedPoints, type SurfaceFrame } from './frame_decoder';
import { fill } from './particles';
import { bodyUniforms, fragmentHeader, setColoring, setQuantization, spriteSize, vertexHeader, type BodyUniforms, type Coloring } from './shading';

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
    vec3 normal = normalize(normalInView);
    gl_FragColor = shown(lit(ownColor(), gl_FrontFacing ? normal : -normal));
  }
`;

const discVertexShader = /* glsl */ `
  ${vertexHeader}
  ${spriteSize}
  attribute vec4 facing;
  varying vec3 normalInView;
  void main() {
    gl_Position = projectionMatrix * placeInView();
    gl_PointSize = spriteSize(gl_Position);
    normalInView = mat3(viewMatrix) * facing.xyz;
  }
`;

// A disc fills the part of its square where the plane of the disc is within its radius.
const discFragmentShader = /* glsl */ `
  ${fragmentHeader}
  uniform mat4 projectionMatrix;
  varying float reach;
  varying vec3 normalInView;
  void main() {
    vec3 normal = normalize(normalInView);
    if (normal.z < 0.0) normal = -normal;
    vec2 across = 2.0 * vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y) - 1.0;
    float depth = -dot(normal.xy, across) / max(normal.z, 0.05);
    if (dot(across, across) + depth * depth > 1.0) discard;
    vec4 clip = projectionMatrix * vec4(center + reach * vec3(across, depth), 1.0);
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
  private hasValues = false;

  constructor(viewport: { value: Vector2 }, upInView: { value: Vector3 }) {
    const uniforms = (this.uniforms = bodyUniforms(viewport, upInView));
    this.mesh = new Mesh(
      this.geometry,
      new ShaderMaterial({ uniforms, vertexShader: meshVertexShader, fragmentShader: meshFragmentShader, side: DoubleSide }),
    );
    this.discs = new Points(
      this.geometry,
      new ShaderMaterial({ uniforms, vertexShader: discVertexShader, fragmentShader: discFragmentShader }),
    );
    this.mesh.frustumCulled = this.discs.frustumCulled = false;
    this.object.add(this.mesh, this.discs);
  }

  show(frame: SurfaceFrame): void {
    this.hasValues = frame.values !== null;
    setQuantization(this.uniforms, frame.points, frame.values);
    fill(this.geometry, 'position', frame.points.q, 3);
    fill(this.geometry, 'facing', frame.normals, 4);
    fill(this.geometry, 'value', frame.values?.q ?? new Uint16Array(frame.points.count), 1);
    if (frame.triangles !== null) this.showTopology(frame.triangles, frame.points);
    this.geometry.setDrawRange(0, this.mesh.visible ? Infinity : frame.points.count);
  }

  color(coloring: Coloring): void { setColoring(this.uniforms, coloring, this.hasValues); }

  dispose(): void {
    this.geometry.dispose();
    (this.mesh.material as ShaderMaterial).dispose();
    (this.discs.material as ShaderMaterial).dispose();
  }

  private showTopology(triangles: Uint32Array, points: QuantizedPoints): void {
    this.mesh.visible = triangles.length > 0;
    this.discs.visible = !this.mesh.visible;
    this.geometry.setIndex(this.mesh.visible ? new BufferAttribute(triangles, 1) : null);
    if (this.discs.visible) this.uniforms.radius.value = 0.9 * typicalDistance(points);
  }
}

/// The median distance from a surfel to its nearest neighbour, from a sample of them.
function typicalDistance(points: QuantizedPoints): number {
  const nearest: number[] = [];
  for (let i = 0; i < points.count; i += Math.max(1, Math.floor(points.count / 48))) {
    const [x, y, z] = pointAt(points, i);
    let best = Infinity;
    for (let j = 0; j < points.count; ++j) {
      if (j === i) continue;
      const other = pointAt(points, j);
      best = Math.min(best, (other[0] - x) ** 2 + (other[1] - y) ** 2 + (other[2] - z) ** 2);
    }
    if (best < Infinity) nearest.push(Math.sqrt(best));
  }
  nearest.sort((a, b) => a - b);
  return nearest[nearest.length >> 1] ?? Math.max(...points.size) / 50;
}
