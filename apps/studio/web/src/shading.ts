// SPDX-License-Identifier: MIT
// What particles, surfaces and discs have in common: how a colour is found, and how light falls on it.
import { Color, Vector2, Vector3 } from 'three';
import { mapStops, stopCount } from './color_map';
import type { QuantizedPoints, QuantizedValues } from './frame_decoder';

/// How a body is coloured: by the values that come with its points, mapped from `range`, or in one colour.
export interface Coloring { byValue: boolean; range: [number, number]; plain: Color }

export interface BodyUniforms {
  [name: string]: { value: unknown };
  origin: { value: Vector3 };
  size: { value: Vector3 };
  radius: { value: number };
  viewport: { value: Vector2 };
  upInView: { value: Vector3 };
  stops: { value: Color[] };
  plain: { value: Color };
  byValue: { value: boolean };
  valueRange: { value: Vector2 };
  mapRange: { value: Vector2 };
  paper: { value: Color };
  fade: { value: number }; ///< 0: as it is, 1: like the paper
}

/// What all bodies of a picture have in common: its size in pixels, where up is, and the colour behind everything (sRGB).
export interface PictureUniforms { viewport: { value: Vector2 }; upInView: { value: Vector3 }; paper: { value: Color } }

/// Every body has its own, except for those of the picture.
export function bodyUniforms({ viewport, upInView, paper }: PictureUniforms): BodyUniforms {
  return {
    origin: { value: new Vector3() },
    size: { value: new Vector3() },
    radius: { value: 1 },
    viewport,
    upInView,
    paper,
    fade: { value: 0 },
    stops: { value: mapStops() },
    plain: { value: new Color(1, 1, 1) },
    byValue: { value: false },
    valueRange: { value: new Vector2(0, 1) },
    mapRange: { value: new Vector2(0, 1) },
  };
}

export function setQuantization(uniforms: BodyUniforms, points: QuantizedPoints, values: QuantizedValues | null): void {
  uniforms.origin.value.fromArray(points.min);
  uniforms.size.value.fromArray(points.size);
  if (values !== null) uniforms.valueRange.value.set(values.low, values.high);
}

export function setColoring(uniforms: BodyUniforms, coloring: Coloring, hasValues: boolean): void {
  uniforms.plain.value.copy(coloring.plain);
  uniforms.byValue.value = coloring.byValue && hasValues;
  uniforms.mapRange.value.fromArray(coloring.range);
}

/// `position` and `value` are whole numbers that the graphics card has divided by 65535.
export const vertexHeader = /* glsl */ `
  attribute float value;
  uniform vec3 origin, size;
  uniform vec2 valueRange, mapRange;
  uniform bool byValue;
  varying float mapPlace;
  varying vec3 center;

  vec4 placeInView() {
    float v = mix(valueRange.x, valueRange.y, value);
    mapPlace = clamp((v - mapRange.x) / max(mapRange.y - mapRange.x, 1e-30), 0.0, 1.0);
    vec4 place = modelViewMatrix * vec4(origin + size * position, 1.0);
    center = place.xyz;
    return place;
  }
`;

export const fragmentHeader = /* glsl */ `
  uniform vec3 stops[${stopCount}];
  uniform vec3 plain, upInView, paper;
  uniform float fade;
  uniform bool byValue;
  varying float mapPlace;
  varying vec3 center;

  vec3 ownColor() {
    if (!byValue) return plain;
    float place = mapPlace * float(${stopCount - 1});
    int below = min(int(place), ${stopCount - 2});
    return mix(stops[below], stops[below + 1], place - float(below));
  }

  // A sky from above, a key light over the left shoulder of the viewer, and a small highlight.
  vec3 lit(vec3 color, vec3 normal) {
    vec3 toLight = normalize(vec3(-0.45, 0.6, 0.75));
    float sky = 0.5 + 0.5 * dot(normal, upInView);
    float key = max(dot(normal, toLight), 0.0);
    float highlight = pow(max(dot(normal, normalize(toLight + vec3(0.0, 0.0, 1.0))), 0.0), 40.0);
    vec3 light = mix(vec3(0.20, 0.19, 0.20), vec3(0.48, 0.50, 0.54), sky) + 0.62 * key * vec3(1.0, 0.98, 0.94);
    return color * light + 0.10 * highlight;
  }

  // To sRGB, as the canvas shows it; earlier moments are nearly paper.
  vec4 shown(vec3 linear) {
    vec3 c = clamp(linear, 0.0, 1.0);
    c = mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    return vec4(mix(c, paper, fade), 1.0);
  }
`;

/// A square around a point that covers a ball, in pixels.
export const spriteSize = /* glsl */ `
  uniform float radius;
  uniform vec2 viewport;
  varying float reach;

  float spriteSize(vec4 clip, float ballRadius) {
    reach = ballRadius;
    // No larger than the picture: what flies past the camera must not cost a second.
    return clamp(reach * projectionMatrix[1][1] * viewport.y / clip.w, 1.5, viewport.y);
  }
`;
