// SPDX-License-Identifier: MIT
// Earlier moments of the sitting, drawn faintly behind the present one. They stay where they were, as in a picture with a
// flashing light: of every so many frames the first one that the page sees is kept, and the oldest goes when there are too
// many. A moment keeps the buffers of its frame and nothing else.
import { Group } from 'three';
import { bodyColor } from './color_map';
import { fieldHash, type Frame } from './frame_decoder';
import { showsSurface, type Look } from './look';
import { Particles } from './particles';
import type { BodyInfo } from './protocol';
import type { PictureUniforms } from './shading';
import { Surface } from './surfaces';

/// How many earlier moments there are, and how many frames lie between them.
export interface OnionChoice { moments: number; every: number }

const mostPoints = 2_000_000; // in all moments together; fewer moments are kept of what is larger
const faintest = 0.9;
const strongest = 0.45;

class Moment {
  readonly object = new Group();
  frame = -1;
  points = 0;
  private field = 0;
  private readonly bodies: { info: BodyInfo; particles: Particles; surface: Surface; shown: boolean; hasSurface: boolean }[] = [];

  constructor(private readonly picture: PictureUniforms) {}

  /// `surfaces` of the bodies as they are drawn now.
  keep(frame: Frame, infos: readonly BodyInfo[], surfaces: readonly Surface[]): void {
    this.frame = frame.frame;
    this.field = frame.fieldHash;
    this.points = 0;
    for (const body of this.bodies) body.shown = false;
    for (const part of frame.bodies) {
      const present = surfaces[part.body];
      if (present === undefined || infos.length <= part.body) continue;
      while (this.bodies.length <= part.body) this.addBody(infos[this.bodies.length]!);
      const body = this.bodies[part.body]!;
      body.shown = true;
      body.hasSurface = part.surface !== null && part.surface.points.count > 0;
      body.particles.show(part);
      this.points += part.points.count;
      if (part.surface === null) continue;
      if (part.surface.triangles === null) body.surface.shareTopology(present);
      body.surface.show(part.surface);
      this.points += part.surface.points.count;
    }
  }

  color(look: Look, range: [number, number], fade: number): void {
    const byValue = look.color !== 'body' && this.field === fieldHash(look.color);
    this.bodies.forEach(({ info, particles, surface, shown, hasSurface }, number) => {
      const coloring = { byValue, range, plain: bodyColor(number) };
      surface.object.visible = shown && hasSurface && showsSurface(look, info);
      particles.object.visible = shown && !surface.object.visible;
      for (const part of [particles, surface]) {
        part.color(coloring);
        part.fade = fade;
      }
    });
  }

  dispose(): void {
    for (const { particles, surface } of this.bodies) {
      particles.dispose();
      surface.dispose();
    }
  }

  private addBody(info: BodyInfo): void {
    const particles = new Particles(0.55 * info.spacing, this.picture, null);
    const surface = new Surface(this.picture);
    this.object.add(particles.object, surface.object);
    this.bodies.push({ info, particles, surface, shown: false, hasSurface: false });
  }
}

export class OnionSkin {
  /// From the oldest to the newest, which may be the present one.
  private moments: Moment[] = [];
  private choice: OnionChoice = { moments: 0, every: 5 };
  private now = 0;

  constructor(private readonly picture: PictureUniforms) {}

  choose(choice: OnionChoice): void {
    if (choice.moments === 0 || choice.every !== this.choice.every) this.clear();
    this.choice = choice;
    this.forgetTooMany();
  }

  clear(): void {
    for (const moment of this.moments) moment.dispose();
    this.moments = [];
  }

  add(frame: Frame, infos: readonly BodyInfo[], surfaces: readonly Surface[]): void {
    const { moments, every } = this.choice;
    this.now = frame.frame;
    if (moments === 0) return;
    // Time may jump, in recorded runs and at a restart.
    this.forget((moment) => moment.frame >= this.now || moment.frame < this.now - (moments + 1) * every);
    const newest = this.moments.at(-1);
    if (newest !== undefined && Math.floor(newest.frame / every) >= Math.floor(this.now / every)) return;
    // The oldest one's buffers serve the newest.
    const made = this.moments.length > moments ? this.moments.shift()! : new Moment(this.picture);
    made.keep(frame, infos, surfaces);
    this.moments.push(made);
    this.forgetTooMany();
  }

  /// Those before the present one, the oldest first.
  earlier(): readonly { object: Group; frame: number }[] { return this.moments.filter((moment) => moment.frame < this.now); }

  color(look: Look, range: [number, number]): void {
    const reach = Math.max(1, this.choice.moments * this.choice.every);
    for (const moment of this.moments) {
      const age = Math.min(1, (this.now - moment.frame) / reach);
      moment.color(look, range, strongest + (faintest - strongest) * age);
    }
  }

  private forgetTooMany(): void {
    while (this.moments.length > this.choice.moments + 1) this.moments.shift()!.dispose();
    while (this.moments.length > 1 && this.moments.reduce((sum, moment) => sum + moment.points, 0) > mostPoints) this.moments.shift()!.dispose();
  }

  private forget(isOver: (moment: Moment) => boolean): void {
    for (const moment of this.moments) if (isOver(moment)) moment.dispose();
    this.moments = this.moments.filter((moment) => !isOver(moment));
  }
}
