// SPDX-License-Identifier: MIT
// What does not flow: the domain as a floor with thin edges, and obstacles, which move as the state says.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments,
  Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, type Material,
} from 'three';
import type { SceneMessage } from './protocol';

export interface SurroundingColors { floor: Color; edge: Color; obstacle: Color }

export class Surroundings {
  readonly object = new Group();
  private readonly obstacles: Group[] = [];
  private readonly materials = {
    floor: new MeshBasicMaterial({ side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 }),
    edge: new LineBasicMaterial({ transparent: true, opacity: 0.55 }),
    solid: new MeshStandardMaterial({ roughness: 0.85, side: DoubleSide, flatShading: true }),
    // One looks into a container, so it is glass.
    glass: new MeshStandardMaterial({ roughness: 0.4, side: DoubleSide, transparent: true, opacity: 0.16, depthWrite: false, flatShading: true }),
  };

  constructor(scene: SceneMessage, colors: SurroundingColors) {
    if (scene.domain !== null) this.addDomain(scene);
    for (const obstacle of scene.obstacles) this.addObstacle(obstacle, scene.dimension);
    this.setColors(colors);
  }

  setColors(colors: SurroundingColors): void {
    this.materials.floor.color.copy(colors.floor);
    this.materials.edge.color.copy(colors.edge);
    this.materials.solid.color.copy(colors.obstacle);
    this.materials.glass.color.copy(colors.obstacle);
  }

  /// `poses`: 3 × 4 matrices, row by row, from the places at rest to those of now.
  move(poses: readonly number[][]): void {
    this.obstacles.forEach((obstacle, i) => {
      const pose = poses[i];
      if (pose === undefined) return;
      obstacle.matrix.fromArray([...pose, 0, 0, 0, 1]).transpose();
      obstacle.matrixWorldNeedsUpdate = true;
    });
  }

  dispose(): void {
    this.object.traverse((part) => {
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

  private addObstacle(obstacle: SceneMessage['obstacles'][number], dimension: number): void {
    const group = new Group();
    group.matrixAutoUpdate = false;
    group.matrix = new Matrix4();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(obstacle.vertices), 3));
    geometry.setIndex(new BufferAttribute(new Uint32Array(obstacle.triangles), 1));
    geometry.computeVertexNormals();
    const glass = obstacle.container && dimension === 3;
    const mesh = new Mesh(geometry, glass ? this.materials.glass : this.materials.solid);
    mesh.renderOrder = glass ? 2 : 0;
    group.add(mesh);
    const edges = new LineSegments(new EdgesGeometry(geometry, 40), this.materials.edge);
    edges.renderOrder = mesh.renderOrder;
    group.add(edges);
    this.obstacles.push(group);
    this.object.add(group);
  }
}
