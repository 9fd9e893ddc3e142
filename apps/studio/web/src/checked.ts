// SPDX-License-Identifier: MIT
// Readers for JSON that somebody else wrote. Each takes an unknown value and a name for the error; what passes has the
// type that it says.

export class BadMessage extends Error {}

export type Reader<T> = (value: unknown, where: string) => T;
export type Json = Record<string, unknown>;

export const record: Reader<Json> = (value, where) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadMessage(`${where}: expected an object`);
  return value as Json;
};

export const text: Reader<string> = (value, where) => {
  if (typeof value !== 'string') throw new BadMessage(`${where}: expected text`);
  return value;
};

export const number: Reader<number> = (value, where) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new BadMessage(`${where}: expected a number`);
  return value;
};

export const boolean: Reader<boolean> = (value, where) => {
  if (typeof value !== 'boolean') throw new BadMessage(`${where}: expected true or false`);
  return value;
};

export function list<T>(item: Reader<T>): Reader<T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw new BadMessage(`${where}: expected a list`);
    return value.map((entry, i) => item(entry, `${where}[${i}]`));
  };
}

/// What may be missing or null is `fallback` then.
export function optional<T, F>(read: Reader<T>, fallback: F): Reader<T | F> {
  return (value, where) => (value === undefined || value === null ? fallback : read(value, where));
}

export function oneOf<T extends string>(...words: T[]): Reader<T> {
  return (value, where) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw new BadMessage(`${where}: expected one of ${words.join(', ')}`);
    return found;
  };
}

/// A point or direction; in 2D the third number is 0.
export const vector: Reader<Vector> = (value, where) => {
  const numbers = list(number)(value, where);
  if (numbers.length !== 2 && numbers.length !== 3) throw new BadMessage(`${where}: expected two or three numbers`);
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
};
export type Vector = [number, number, number];

/// Reads members of an object by their name: `member(scene, 'spacing', number)`.
export function member<T>(object: Json, name: string, read: Reader<T>, where = ''): T {
  return read(object[name], where === '' ? name : `${where}.${name}`);
}
