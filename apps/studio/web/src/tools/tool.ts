// SPDX-License-Identifier: MIT
// What a tool is. Each tool lives in a folder of its own, with its panel, its messages, its drawing and what it does with
// the pointer; toolbox.ts lists them. docs/studio.md shows how to add one.
import type { Object3D } from 'three';
import type { Vector } from '../checked';
import type { ClientMessage, Picked, SceneMessage, StateMessage } from '../protocol';
import type { Hit, SceneView } from '../scene_view';

/// The pointer over the picture.
export interface Pointer {
  readonly shift: boolean;
  /// The particle under it, as if particles were balls of `reach` times their spacing.
  hit(reach?: number): Hit | null;
  /// Its place on the plane through `place` that is parallel to the picture.
  onPlane(place: Vector): Vector;
}

/// What tools may use of the studio.
export interface Bench {
  readonly view: SceneView;
  scene(): SceneMessage | null;
  state(): StateMessage | null;
  /// False if the connection is lost; the message is dropped then.
  send(message: ClientMessage): boolean;
  /// A place as messages have it: two numbers in 2D.
  point(place: Vector): number[];
  /// A name for a hand that no other hand of the sitting has.
  freshName(word: string): string;
}

export interface Tool {
  readonly name: string;
  readonly title: string; ///< on its button
  readonly key: string; ///< chooses it
  readonly icon: string; ///< path of a 24 × 24 line drawing
  readonly panel: HTMLElement;
  readonly drawing: Object3D;

  /// One short line for somebody who sees this for the first time; null if the tool can do nothing in this scene.
  hint(scene: SceneMessage): string | null;

  /// The pointer moves with no button down, or leaves (null). Returns the cursor that says what pressing would do, or null
  /// if the camera would turn.
  hover(pointer: Pointer | null): string | null;
  /// A button goes down. True: the tool takes this gesture; false: the camera does.
  press(pointer: Pointer): boolean;
  drag(pointer: Pointer): void;
  release(): void;

  /// A new frame or state is there.
  update(state: StateMessage): void;
  /// About the particle that was asked for with `pick`.
  showPicked?(picked: Picked): void;
  /// Another scene is there, or none: forget everything about the last one.
  reset(scene: SceneMessage | null): void;
}
