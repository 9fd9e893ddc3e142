// SPDX-License-Identifier: MIT
// Every message between page and server, and the checks that what arrives is one of them. docs/studio.md describes them.
import {
  BadMessage, boolean, list, member, number, oneOf, optional, record, text, vector, type Json, type Reader, type Vector,
} from './checked';

export const protocolVersion = 4;
export const longestMessage = 8 * 2 ** 20; // to the server [bytes]

// ---- page to server ---------------------------------------------------------------------------------------------------

export type Opening = { example: string } | { file: string } | { run: string } | { checkpoint: string } | { text: string; name: string };
export type HandKind = 'pull' | 'hold' | 'push' | 'warm';

/// A shape as scenes write it; in 2D points have two numbers, and there are balls and boxes only.
export type SceneShape =
  | { sphere: { center: number[]; radius: number } }
  | { box: { min: number[]; max: number[] } }
  | { torus: { center: number[]; axis: number[]; radius: number; tube: number } }
  | { capsule: { from: number[]; to: number[]; radius: number } };

export type ClientMessage =
  | ({ type: 'open'; set?: string[] } & Opening)
  | { type: 'validate'; id: number; text: string }
  | { type: 'play' | 'pause' | 'step' | 'go_on' | 'close' }
  | { type: 'restart'; as_opened?: boolean }
  | { type: 'seek'; frame: number }
  | { type: 'view'; color: string; surface: boolean; made_surface?: boolean }
  | { type: 'pick'; body: string; id: number | null }
  | { type: 'set'; path: string; value: ParameterValue }
  | { type: 'hand'; name: string; kind: 'pull' | 'hold'; body: string; id: number; radius: number; to: number[]; stiffness?: number }
  | { type: 'hand'; name: string; kind: 'push'; radius: number; to: number[]; strength?: number }
  | { type: 'hand'; name: string; kind: 'warm'; radius: number; to: number[]; power: number }
  | { type: 'drop'; name: string; like: string; shape: SceneShape; velocity?: number[] }
  | { type: 'pour'; name: string; body: string; at: number[]; velocity: number[]; radius: number }
  | { type: 'release'; name: string }
  | { type: 'save'; what: 'scene' | 'checkpoint'; name: string; write?: boolean }
  | { type: 'save'; what: 'text'; name: string; text: string }
  | { type: 'ack'; frame: number };

// ---- server to page ---------------------------------------------------------------------------------------------------

export interface Hello { type: 'hello'; version: string; writable: boolean }
export interface GalleryNotice { type: 'gallery'; opening: string | null } ///< what will be there soon

/// What tools can do with a body, and where its surface comes from: it carries a skin, or one is made for those who ask.
export type Ability = 'grab' | 'fix' | 'push' | 'warm' | 'drop' | 'pour';
export interface BodyInfo { name: string; spacing: number; can: readonly string[]; surface: 'skin' | 'made' | 'none' }

export function bodiesThatCan(ability: Ability, scene: SceneMessage | null): BodyInfo[] {
  return scene?.bodies.filter((body) => body.can.includes(ability)) ?? [];
}

export interface ObstacleInfo { name: string; vertices: number[]; triangles: number[]; container: boolean }
export interface FieldInfo { name: string; unit: string }
export interface Box { min: Vector; max: Vector }
/// What the scene says of the camera; the rest is for the view to choose. `fov` from bottom to top [rad].
export interface CameraInfo { from: Vector | null; lookAt: Vector | null; fov: number | null }
export interface Hand { name: string; kind: HandKind; body: string; position: Vector }
export interface Nozzle { name: string; body: string; position: Vector; velocity: Vector; radius: number }

/// Null: it is not set; as a wish: it shall be what it was in the scene.
export type ParameterValue = number | boolean | string | null;

export interface NumberParameter {
  kind: 'number';
  path: string;
  unit: string;
  doc: string;
  value: number | null;
  canBeUnset: boolean; ///< by null
  min: number; ///< −∞ where there is no bound
  max: number;
  minExcluded: boolean; ///< the bound itself is not allowed
  maxExcluded: boolean;
  whole: boolean; ///< only whole numbers
}
export interface SwitchParameter { kind: 'switch'; path: string; doc: string; value: boolean }
export interface WordParameter { kind: 'word'; path: string; doc: string; value: string; words: string[] }
export type Parameter = NumberParameter | SwitchParameter | WordParameter;

export interface SceneMessage {
  type: 'scene';
  serial: number;
  name: string;
  kind: 'live' | 'recorded';
  canGoOn: boolean; ///< of a recorded run: as a simulation
  text: string; ///< empty where it is too long to be edited in the page
  hasMadeSurfaces: boolean; ///< of a recorded run: they were made and lie there
  dimension: number;
  frameRate: number;
  duration: number;
  lastFrame: number;
  spacing: number;
  domain: Box | null;
  bodies: BodyInfo[];
  obstacles: ObstacleInfo[];
  fields: FieldInfo[];
  parameters: Parameter[];
  warnings: string[];
  up: Vector;
  camera: CameraInfo | null;
  color: { field: string; range: [number, number] | null } | null;
}

export interface Energies { body: string; kinetic: number; potential: number; internal: number }

export interface StateMessage {
  type: 'state';
  playing: boolean;
  finished: boolean;
  frame: number;
  time: number;
  lastFrame: number;
  steps: number;
  particles: number;
  speed: number;
  energies: Energies[];
  obstacles: (number[] | null)[]; ///< 3 × 4 matrices, row by row; null for what is gone
  hands: Hand[];
  nozzles: Nozzle[]; ///< those that pour now
  ranges: ReadonlyMap<string, [number, number]>; ///< what colours stand for, by field; two equal numbers: all values are that
  unsaved: boolean; ///< something was done that is in no file
  hash: string | null;
}

export interface Picked {
  type: 'picked';
  body: string;
  id: number;
  gone: boolean;
  position: Vector;
  rest: Vector | null;
  fields: Record<string, number[]>;
  neighbors: number[] | null; ///< null, as the support: not known, in recorded runs
  support: number | null;
}

export interface ValueMessage { type: 'value'; path: string; value: ParameterValue }
export interface Problem { line: number; column: number; path: string; message: string }
export interface Problems { type: 'problems'; id: number; problems: Problem[]; warnings: string[] }
export interface Failed { type: 'failed'; message: string; body: string; time: number; cause: string; isChanged: boolean }
export interface Saved { type: 'saved'; what: string; path: string; text: string | null }
export interface ErrorMessage { type: 'error'; message: string }

export type ServerMessage =
  | Hello | GalleryNotice | SceneMessage | StateMessage | Picked | ValueMessage | Problems | Failed | Saved | ErrorMessage;

// ---- reading ----------------------------------------------------------------------------------------------------------

const box: Reader<Box> = (value, where) => {
  const object = record(value, where);
  return { min: member(object, 'min', vector, where), max: member(object, 'max', vector, where) };
};

const body: Reader<BodyInfo> = (value, where) => {
  const object = record(value, where);
  return {
    name: member(object, 'name', text, where),
    spacing: member(object, 'spacing', number, where),
    can: member(object, 'can', optional(list(text), []), where),
    surface: member(object, 'surface', optional(oneOf('skin', 'made', 'none'), 'none'), where),
  };
};

const obstacle: Reader<ObstacleInfo> = (value, where) => {
  const object = record(value, where);
  const vertices = member(object, 'vertices', list(number), where);
  const triangles = member(object, 'triangles', list(number), where);
  if (vertices.length % 3 !== 0 || triangles.length % 3 !== 0) throw new BadMessage(`${where}: expected triples`);
  if (triangles.some((i) => !Number.isInteger(i) || i < 0 || i >= vertices.length / 3))
    throw new BadMessage(`${where}: a triangle has no such vertex`);
  return { name: member(object, 'name', text, where), vertices, triangles, container: member(object, 'container', optional(boolean, false), where) };
};

const field: Reader<FieldInfo> = (value, where) => {
  if (typeof value === 'string') return { name: value, unit: '' };
  const object = record(value, where);
  return { name: member(object, 'name', text, where), unit: member(object, 'unit', optional(text, ''), where) };
};

const parameter: Reader<Parameter> = (value, where) => {
  const object = record(value, where);
  const path = member(object, 'path', text, where);
  const doc = member(object, 'doc', optional(text, ''), where);
  const kind = member(object, 'kind', oneOf('number', 'switch', 'word'), where);
  if (kind === 'switch') return { kind, path, doc, value: member(object, 'value', optional(boolean, false), where) };
  if (kind === 'word') return { kind, path, doc, value: member(object, 'value', optional(text, ''), where), words: member(object, 'words', list(text), where) };
  return {
    kind,
    path,
    doc,
    unit: member(object, 'unit', optional(text, ''), where),
    value: member(object, 'value', optional(number, null), where),
    canBeUnset: member(object, 'can_be_unset', optional(boolean, false), where),
    // JSON has no infinity: a bound that is not there is null.
    min: member(object, 'min', optional(number, -Infinity), where),
    max: member(object, 'max', optional(number, Infinity), where),
    minExcluded: member(object, 'min_excluded', optional(boolean, false), where),
    maxExcluded: member(object, 'max_excluded', optional(boolean, false), where),
    whole: member(object, 'is_whole', optional(boolean, false), where),
  };
};

function isParameterValue(value: unknown): value is ParameterValue {
  return value === null || typeof value === 'boolean' || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

const camera: Reader<CameraInfo> = (value, where) => {
  const object = record(value, where);
  return {
    from: member(object, 'from', optional(vector, null), where),
    lookAt: member(object, 'look_at', optional(vector, null), where),
    fov: member(object, 'fov', optional(number, null), where),
  };
};

const range: Reader<[number, number]> = (value, where) => {
  const [low, high, ...rest] = list(number)(value, where);
  if (low === undefined || high === undefined || rest.length > 0) throw new BadMessage(`${where}: expected two numbers`);
  return [low, high];
};

const ranges: Reader<Map<string, [number, number]>> = (value, where) =>
  new Map(Object.entries(record(value, where)).map(([name, entry]) => [name, range(entry, `${where}.${name}`)]));

const color: Reader<{ field: string; range: [number, number] | null }> = (value, where) => {
  const object = record(value, where);
  return { field: member(object, 'field', text, where), range: member(object, 'range', optional(range, null), where) };
};

const energies: Reader<Energies> = (value, where) => {
  const object = record(value, where);
  const energy = optional(number, 0);
  return {
    body: member(object, 'body', text, where),
    kinetic: member(object, 'kinetic', energy, where),
    potential: member(object, 'potential', energy, where),
    internal: member(object, 'internal', energy, where),
  };
};

const pose: Reader<number[]> = (value, where) => {
  const numbers = list(number)(value, where);
  if (numbers.length !== 12) throw new BadMessage(`${where}: expected 12 numbers`);
  return numbers;
};

const hand: Reader<Hand> = (value, where) => {
  const object = record(value, where);
  return {
    name: member(object, 'name', text, where),
    kind: member(object, 'kind', oneOf('pull', 'hold', 'push', 'warm'), where),
    body: member(object, 'body', optional(text, ''), where),
    position: member(object, 'position', vector, where),
  };
};

const nozzle: Reader<Nozzle> = (value, where) => {
  const object = record(value, where);
  return {
    name: member(object, 'name', text, where),
    body: member(object, 'body', optional(text, ''), where),
    position: member(object, 'position', vector, where),
    velocity: member(object, 'velocity', vector, where),
    radius: member(object, 'radius', number, where),
  };
};

const problem: Reader<Problem> = (value, where) => {
  const object = record(value, where);
  return {
    line: member(object, 'line', number, where),
    column: member(object, 'column', number, where),
    path: member(object, 'path', optional(text, ''), where),
    message: member(object, 'message', text, where),
  };
};

const numbers: Reader<number[]> = (value, where) => (typeof value === 'number' ? [value] : list(optional(number, NaN))(value, where));

function fieldsOfParticle(value: unknown): Record<string, number[]> {
  const fields: Record<string, number[]> = {};
  for (const [name, entry] of Object.entries(record(value, 'fields'))) fields[name] = optional(numbers, [NaN])(entry, `fields.${name}`);
  return fields;
}

function scene(m: Json): SceneMessage {
  return {
    type: 'scene',
    serial: member(m, 'serial', number),
    name: member(m, 'name', text),
    kind: member(m, 'kind', oneOf('live', 'recorded')),
    canGoOn: member(m, 'can_go_on', optional(boolean, false)),
    text: member(m, 'text', optional(text, '')),
    hasMadeSurfaces: member(m, 'has_made_surfaces', optional(boolean, false)),
    dimension: member(m, 'dimension', number),
    frameRate: member(m, 'frame_rate', number),
    duration: member(m, 'duration', optional(number, 0)),
    lastFrame: member(m, 'last_frame', optional(number, 0)),
    spacing: member(m, 'spacing', number),
    domain: member(m, 'domain', optional(box, null)),
    bodies: member(m, 'bodies', list(body)),
    obstacles: member(m, 'obstacles', optional(list(obstacle), [])),
    fields: member(m, 'fields', optional(list(field), [])),
    parameters: member(m, 'parameters', optional(list(parameter), [])),
    warnings: member(m, 'warnings', optional(list(text), [])),
    up: member(m, 'up', optional(vector, [0, 0, 1])),
    camera: member(m, 'camera', optional(camera, null)),
    color: member(m, 'color', optional(color, null)),
  };
}

function state(m: Json): StateMessage {
  return {
    type: 'state',
    playing: member(m, 'playing', boolean),
    finished: member(m, 'finished', optional(boolean, false)),
    frame: member(m, 'frame', number),
    time: member(m, 'time', number),
    lastFrame: member(m, 'last_frame', optional(number, 0)),
    steps: member(m, 'steps', optional(number, 0)),
    particles: member(m, 'particles', optional(number, 0)),
    speed: member(m, 'speed', optional(number, 0)),
    energies: member(m, 'energies', optional(list(energies), [])),
    obstacles: member(m, 'obstacles', optional(list(optional(pose, null)), [])),
    hands: member(m, 'hands', optional(list(hand), [])),
    nozzles: member(m, 'nozzles', optional(list(nozzle), [])),
    ranges: member(m, 'ranges', optional(ranges, new Map<string, [number, number]>())),
    unsaved: member(m, 'unsaved', optional(boolean, false)),
    hash: member(m, 'hash', optional(text, null)),
  };
}

function picked(m: Json): Picked {
  return {
    type: 'picked',
    body: member(m, 'body', text),
    id: member(m, 'id', number),
    gone: member(m, 'gone', optional(boolean, false)),
    position: member(m, 'position', optional(vector, [0, 0, 0])),
    rest: member(m, 'rest', optional(vector, null)),
    fields: fieldsOfParticle(m['fields'] ?? {}),
    neighbors: member(m, 'neighbors', optional(list(number), null)),
    support: member(m, 'support', optional(number, null)),
  };
}

/// The message in a text frame; null for a type that this page does not know. Throws BadMessage.
export function readServerMessage(json: string): ServerMessage | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new BadMessage('not JSON');
  }
  const m = record(parsed, 'message');
  switch (m['type']) {
    case 'hello':
      if (m['protocol'] !== protocolVersion) throw new BadMessage('the server speaks another version: reload the page');
      return {
        type: 'hello',
        version: member(m, 'version', text),
        writable: member(m, 'writable', optional(boolean, false)),
      };
    case 'gallery': return { type: 'gallery', opening: member(m, 'opening', optional(text, null)) };
    case 'scene': return scene(m);
    case 'state': return state(m);
    case 'picked': return picked(m);
    // What is set as a list has the values of its parts told as well.
    case 'value': return isParameterValue(m['value']) ? { type: 'value', path: member(m, 'path', text), value: m['value'] } : null;
    case 'problems':
      return {
        type: 'problems',
        id: member(m, 'id', number),
        problems: member(m, 'problems', list(problem)),
        warnings: member(m, 'warnings', optional(list(text), [])),
      };
    case 'failed':
      return {
        type: 'failed',
        message: member(m, 'message', text),
        body: member(m, 'body', optional(text, '')),
        time: member(m, 'time', optional(number, 0)),
        cause: member(m, 'cause', optional(text, '')),
        isChanged: member(m, 'is_changed', optional(boolean, false)),
      };
    case 'saved':
      return {
        type: 'saved',
        what: member(m, 'what', text),
        path: member(m, 'path', optional(text, '')),
        text: member(m, 'text', optional(text, null)),
      };
    case 'error': return { type: 'error', message: member(m, 'message', text) };
    default: return null;
  }
}

// ---- the gallery, fetched over HTTP -----------------------------------------------------------------------------------

export interface Example { name: string; sentence: string; dimension: number; thumbnail: string }
export interface FolderEntry { path: string; kind: 'scene' | 'run' | 'checkpoint' }
export interface Gallery { examples: Example[]; folderName: string; folder: FolderEntry[] }

const example: Reader<Example> = (value, where) => {
  const object = record(value, where);
  return {
    name: member(object, 'name', text, where),
    sentence: member(object, 'sentence', optional(text, ''), where),
    dimension: member(object, 'dimension', optional(number, 3), where),
    thumbnail: member(object, 'thumbnail', optional(text, ''), where),
  };
};

const folderEntry: Reader<FolderEntry> = (value, where) => {
  const object = record(value, where);
  return { path: member(object, 'path', text, where), kind: member(object, 'kind', oneOf('scene', 'run', 'checkpoint'), where) };
};

export function readGallery(value: unknown): Gallery {
  const object = record(value, 'gallery');
  return {
    examples: member(object, 'examples', list(example)),
    folderName: member(object, 'folder_name', optional(text, '')),
    folder: member(object, 'folder', optional(list(folderEntry), [])),
  };
}
