// SPDX-License-Identifier: MIT
// The shadow of a body on the floor, straight below it: it shows how high things are. Each particle casts a round spot;
// where spots overlap, all but the first fail the depth test, so that the shadow is equally dark everywhere.
import { BufferGeometry, LessDepth, Points, ShaderMaterial, Vector3, type Vector2 } from 'three';
import type { BodyUniforms } from './shading';

const vertexShader = /* glsl */ `
  uniform vec3 origin, size, up;
  uniform float radius, floorHeight;
  uniform vec2 viewport;
  varying vec3 spot;
  void main() {
    vec3 place = origin + size * position;
    float height = dot(place, up) - floorHeight;
    vec4 inView = modelViewMatrix * vec4(place - height * up, 1.0);
    spot = inView.xyz;
    gl_Position = projectionMatrix * inView;
    gl_PointSize = clamp(1.5 * radius * projectionMatrix[1][1] * viewport.y / gl_Position.w, 1.0, viewport.y);
  }
`;

// Where the view through this pixel meets the floor; the same bits for every spot that covers the pixel.
const fragmentShader = /* glsl */ `
  uniform mat4 projectionMatrix;
  uniform vec3 up, upInView;
  uniform float radius, floorHeight, darkness;
  uniform vec3 paper;
  uniform vec2 viewport;
  varying vec3 spot;
  void main() {
    vec2 onScreen = 2.0 * gl_FragCoord.xy / viewport - 1.0;
    vec3 along = vec3(onScreen.x / projectionMatrix[0][0], onScreen.y / projectionMatrix[1][1], -1.0);
    vec3 floorPoint = (viewMatrix * vec4(floorHeight * up, 1.0)).xyz;
    vec3 place = along * dot(floorPoint, upInView) / dot(along, upInView);
    if (distance(place, spot) > 1.4 * radius) discard;
    vec4 clip = projectionMatrix * vec4(place, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    // On dark paper it must be darker to be seen.
    gl_FragColor = vec4(0.0, 0.02, 0.05, mix(3.0 * darkness, darkness, dot(paper, vec3(0.3, 0.6, 0.1))));
  }
`;

/// Shares geometry and quantisation with the particles. Only for perspective views.
export function makeShadow(geometry: BufferGeometry, uniforms: BodyUniforms, up: Vector3, floorHeight: number, viewport: { value: Vector2 }): Points {
  const material = new ShaderMaterial({
    uniforms: {
      origin: uniforms.origin, size: uniforms.size, radius: uniforms.radius, upInView: uniforms.upInView, viewport,
      up: { value: up }, floorHeight: { value: floorHeight }, darkness: { value: 0.17 }, paper: uniforms.paper,
    },
    vertexShader,
    fragmentShader,
    transparent: true,
    depthFunc: LessDepth,
  });
  const shadow = new Points(geometry, material);
  shadow.frustumCulled = false;
  shadow.renderOrder = 1;
  return shadow;
}
