// SPDX-License-Identifier: MIT
// What a tool is. Each tool lives in a folder of its own, with its panel, its messages, its drawing and what it does with
// the pointer; toolbox.ts lists them. docs/studio.md shows how to add one.
import type { Object3D } from 'three';
import type { Vector } from '../checked';
import type { ClientMessage, Picked, SceneMessage, StateMessage } from '../protocol';
import type { Hit, SceneView } from '../scene_view';

/// What points at the picture: the mouse, a finger, or the cursor of the keyboard.
export interface Pointer {
  readonly shift: boolean;
  /// The particle under it, as if particles were balls of `reach` times their spacing.
  hit(reach?: number): Hit | null;
  /// The place under it, on a particle or on an obstacle.
  place(): Vector | null;
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
  /// A scene that stands at its end plays on, as somebody has touched it.
  goOn(): void;
  /// A name for a hand that no other hand of the sitting has.
  freshName(word: string): string;
}

export interface Tool {
  readonly name: string;
  readonly title: string; ///< on its button
  readonly key: string; ///< chooses it
  readonly icon: string; ///< path of a 24 × 24 line drawing
  readonly gesture: 'drag' | 'click'; ///< a drag with a tool that clicks turns the view
  readonly panel: HTMLElement;
  readonly drawing: Object3D;

  /// One short line for somebody who sees this for the first time; null if the tool can do nothing in this scene.
  hint(scene: SceneMessage): string | null;

  /// The pointer moves with no button down, or leaves (null). Returns the cursor that says what pressing would do, or null
  /// if the camera would turn.
  hover(pointer: Pointer | null): string | null;
  /// A button goes down. True: the tool takes this gesture; false: the camera does.
  press(pointer: Pointer): boolean;
  drag?(pointer: Pointer): void;
  release?(): void;

  /// A new frame is there, and drawn; or something else of the state has changed.
  update?(state: StateMessage): void;
  /// About the particle that was asked for with `pick`.
  showPicked?(picked: Picked): void;
  /// The same sitting has bodies more than before.
  grow?(scene: SceneMessage): void;
  /// Another scene is there, or none: forget everything about the last one. `again`: the same one, begun anew or come back
  /// to; settings stay.
  reset(scene: SceneMessage | null, again: boolean): void;
}
