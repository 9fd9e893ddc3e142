// SPDX-License-Identifier: MIT
// What does not flow: the domain as a floor with thin edges, and obstacles, which move as the state says.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments,
  Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, type Material, type Raycaster,
} from 'three';
import type { Vector } from './checked';
import type { ObstacleInfo, SceneMessage } from './protocol';

export interface SurroundingColors { floor: Color; edge: Color; obstacle: Color }

export class Surroundings {
  readonly object = new Group();
  /// What one looks through: it lies before the bodies.
  readonly glass = new Group();
  private readonly obstacles: Group[] = [];
  private readonly materials = {
    floor: new MeshBasicMaterial({ side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 }),
    edge: new LineBasicMaterial({ transparent: true, opacity: 0.55 }),
    opaque: new MeshStandardMaterial({ roughness: 0.85, side: DoubleSide, flatShading: true }),
    // One looks into a container, so it is glass.
    glass: new MeshStandardMaterial({ roughness: 0.4, side: DoubleSide, transparent: true, opacity: 0.16, depthWrite: false, flatShading: true }),
  };

  private samples: number[][] | null = null;

  constructor(private readonly scene: SceneMessage, colors: SurroundingColors) {
    if (scene.domain !== null) this.addDomain(scene);
    for (const obstacle of scene.obstacles) this.addObstacle(obstacle);
    this.setColors(colors);
  }

  setColors(colors: SurroundingColors): void {
    this.materials.floor.color.copy(colors.floor);
    this.materials.edge.color.copy(colors.edge);
    this.materials.opaque.color.copy(colors.obstacle);
    this.materials.glass.color.copy(colors.obstacle);
  }

  /// `poses`: 3 × 4 matrices, row by row, from the places at rest to those of now; null for what is gone.
  move(poses: readonly (number[] | null)[]): void {
    this.obstacles.forEach((obstacle, i) => {
      const pose = poses[i];
      if (pose === undefined) return;
      obstacle.visible = pose !== null;
      if (pose === null) return;
      obstacle.matrix.fromArray([...pose, 0, 0, 0, 1]).transpose();
      obstacle.matrixWorldNeedsUpdate = true;
    });
  }

  /// Points all over what one cannot look through, about `step` apart, where they are now.
  forEachPoint(step: number, visit: (x: number, y: number, z: number) => void): void {
    this.samples ??= this.scene.obstacles.map((obstacle) => (this.isGlass(obstacle) ? [] : pointsOn(obstacle, step)));
    this.samples.forEach((points, i) => {
      if (!this.obstacles[i]!.visible) return;
      const m = this.obstacles[i]!.matrix.elements;
      for (let k = 0; k < points.length; k += 3) {
        const [x, y, z] = [points[k]!, points[k + 1]!, points[k + 2]!];
        visit(m[0]! * x + m[4]! * y + m[8]! * z + m[12]!, m[1]! * x + m[5]! * y + m[9]! * z + m[13]!, m[2]! * x + m[6]! * y + m[10]! * z + m[14]!);
      }
    });
  }

  /// Where the ray of a caster first meets what one cannot look through, and how far away that is.
  firstHit(caster: Raycaster): { place: Vector; distance: number } | null {
    const opaque = this.obstacles.filter((obstacle, i) => obstacle.visible && !this.isGlass(this.scene.obstacles[i]!));
    const found = caster.intersectObjects(opaque).find((hit) => hit.object instanceof Mesh);
    return found === undefined ? null : { place: found.point.toArray(), distance: found.distance };
  }

  dispose(): void {
    for (const group of [this.object, this.glass])
      group.traverse((part) => {
        if (part instanceof Mesh || part instanceof LineSegments) (part.geometry as BufferGeometry).dispose();
      });
    for (const material of Object.values<Material>(this.materials)) material.dispose();
  }

  private addDomain(scene: SceneMessage): void {
    const { min, max } = scene.domain ?? { min: [0, 0, 0], max: [0, 0, 0] };
    const [w, d, h] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
    const box = new BoxGeometry(w, d, h);
    const edges = new LineSegments(new EdgesGeometry(box), this.materials.edge);
    box.dispose();
    edges.position.set((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    this.object.add(edges);
    // In 2D the whole slice stands before a sheet; in 3D the sheet is the floor.
    const floor = new Mesh(new PlaneGeometry(w, d), this.materials.floor);
    floor.position.set((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, scene.dimension === 2 ? -10 * scene.spacing : min[2]);
    this.object.add(floor);
  }

  private isGlass(obstacle: ObstacleInfo): boolean { return obstacle.container && this.scene.dimension === 3; }

  private addObstacle(obstacle: ObstacleInfo): void {
    const group = new Group();
    group.matrixAutoUpdate = false;
    group.matrix = new Matrix4();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(obstacle.vertices), 3));
    geometry.setIndex(new BufferAttribute(new Uint32Array(obstacle.triangles), 1));
    geometry.computeVertexNormals();
    const glass = this.isGlass(obstacle);
    const mesh = new Mesh(geometry, glass ? this.materials.glass : this.materials.opaque);
    mesh.renderOrder = glass ? 2 : 0;
    group.add(mesh);
    const edges = new LineSegments(new EdgesGeometry(geometry, 40), this.materials.edge);
    edges.renderOrder = mesh.renderOrder;
    group.add(edges);
    this.obstacles.push(group);
    (glass ? this.glass : this.object).add(group);
  }
}

const mostSamples = 30_000;

/// Points on the triangles of an obstacle, in rows that are about `step` apart; farther where there would be too many.
function pointsOn({ vertices, triangles }: ObstacleInfo, step: number): number[] {
  const corner = (i: number): Vector => [vertices[3 * i]!, vertices[3 * i + 1]!, vertices[3 * i + 2]!];
  const length = (a: Vector, b: Vector) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const points: number[] = [];
  for (let t = 0; t < triangles.length && points.length < 3 * mostSamples; t += 3) {
    const [a, b, c] = [corner(triangles[t]!), corner(triangles[t + 1]!), corner(triangles[t + 2]!)];
    const rows = Math.min(100, Math.max(1, Math.ceil(Math.max(length(a, b), length(a, c)) / step)));
    for (let i = 0; i <= rows; ++i)
      for (let j = 0; j <= rows - i; ++j) for (const k of [0, 1, 2] as const) points.push(a[k] + ((b[k] - a[k]) * i + (c[k] - a[k]) * j) / rows);
  }
  return points;
}
