// SPDX-License-Identifier: MIT
// Small drawings that tools put into the picture: particles that stand out, a ring that always faces the viewer, a line,
// a ball of glass. All are drawn over what is there, so that they can be seen inside a body.
import {
  BufferAttribute, BufferGeometry, Color, Line, LineBasicMaterial, LineLoop, Mesh, MeshBasicMaterial, Points, ShaderMaterial,
  SphereGeometry, type Camera, type Vector2,
} from 'three';
import type { Vector } from './checked';

export const accent = new Color(0xff8a1f);
export const hot = new Color(0xff3b14);
export const quiet = new Color(0xffd9a8);

/// Particles drawn once more, as flat rings of one colour.
export class Marks {
  readonly object: Points;
  private readonly geometry = new BufferGeometry();
  private readonly material: ShaderMaterial;

  constructor(viewport: { value: Vector2 }, color: Color, opacity = 0.9) {
    this.material = new ShaderMaterial({
      uniforms: { viewport, radius: { value: 0.01 }, color: { value: color }, opacity: { value: opacity } },
      vertexShader: /* glsl */ `
        uniform float radius;
        uniform vec2 viewport;
        void main() {
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
          gl_PointSize = max(radius * projectionMatrix[1][1] * viewport.y / gl_Position.w, 5.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 color;
        uniform float opacity;
        void main() {
          float r = length(2.0 * gl_PointCoord - 1.0);
          if (r > 1.0) discard;
          gl_FragColor = vec4(pow(color, vec3(1.0 / 2.2)), opacity * mix(0.35, 1.0, smoothstep(0.55, 0.75, r)));
        }`,
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.object = new Points(this.geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 10;
    this.object.visible = false;
  }

  show(places: readonly Vector[], radius: number): void {
    this.object.visible = places.length > 0;
    if (!this.object.visible) return;
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array(places.flat()), 3));
    this.material.uniforms['radius']!.value = radius;
  }

  hide(): void { this.object.visible = false; }
}

/// A circle that faces the viewer: the outline of a ball.
export class Ring {
  readonly object: LineLoop;

  constructor(color: Color) {
    const corners = 96;
    const circle = new Float32Array(3 * corners);
    for (let i = 0; i < corners; ++i) {
      circle[3 * i] = Math.cos((2 * Math.PI * i) / corners);
      circle[3 * i + 1] = Math.sin((2 * Math.PI * i) / corners);
    }
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(circle, 3));
    this.object = new LineLoop(geometry, new LineBasicMaterial({ color, depthTest: false, transparent: true }));
    this.object.renderOrder = 11;
    this.object.visible = false;
    this.object.onBeforeRender = (_renderer, _scene, camera) => this.face(camera);
  }

  show(place: Vector, radius: number): void {
    this.object.visible = true;
    this.object.position.fromArray(place);
    this.object.scale.setScalar(radius);
  }

  hide(): void { this.object.visible = false; }

  private face(camera: Camera): void {
    this.object.quaternion.copy(camera.quaternion);
    this.object.updateMatrixWorld();
    this.object.modelViewMatrix.multiplyMatrices(camera.matrixWorldInverse, this.object.matrixWorld);
  }
}

/// A straight line from one place to another.
export class Thread {
  readonly object: Line;
  private readonly ends = new BufferAttribute(new Float32Array(6), 3);

  constructor(color: Color) {
    const geometry = new BufferGeometry().setAttribute('position', this.ends);
    this.object = new Line(geometry, new LineBasicMaterial({ color, depthTest: false, transparent: true }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 11;
    this.object.visible = false;
  }

  show(from: Vector, to: Vector): void {
    this.object.visible = true;
    (this.ends.array as Float32Array).set([...from, ...to]);
    this.ends.needsUpdate = true;
  }

  hide(): void { this.object.visible = false; }
}

/// A ball that one can see through.
export class GlassBall {
  readonly object: Mesh<SphereGeometry, MeshBasicMaterial>;

  constructor(color: Color, opacity: number) {
    this.object = new Mesh(
      new SphereGeometry(1, 48, 24),
      new MeshBasicMaterial({ color, transparent: true, opacity, depthWrite: false }),
    );
    this.object.renderOrder = 9;
    this.object.visible = false;
  }

  show(place: Vector, radius: number): void {
    this.object.visible = true;
    this.object.position.fromArray(place);
    this.object.scale.setScalar(radius);
  }

  hide(): void { this.object.visible = false; }
}
