// SPDX-License-Identifier: MIT
// The picture: camera, bodies and surroundings of the sitting, drawn when something has changed and not otherwise. Also
// answers what is under a pixel.
import {
  Color, DirectionalLight, Group, HemisphereLight, OrthographicCamera, PerspectiveCamera, Plane, Raycaster, Scene, Vector2,
  Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Vector } from './checked';
import { bodyColor } from './color_map';
import { fieldHash, type Frame } from './frame_decoder';
import { Particles } from './particles';
import type { SceneMessage, StateMessage } from './protocol';
import { Surface } from './surfaces';
import { Surroundings, type SurroundingColors } from './surroundings';

/// A particle under the pointer.
export interface Hit { bodyName: string; solid: boolean; spacing: number; id: number; position: Vector }

export interface Look { color: string; surface: boolean }

export interface CameraPose { position: Vector; target: Vector; zoom: number }

interface Body { particles: Particles; surface: Surface; shown: boolean }

export class SceneView {
  readonly canvas: HTMLCanvasElement;
  /// Tools put their drawings here.
  readonly overlay = new Group();
  readonly viewport = { value: new Vector2(1, 1) };
  private readonly renderer: WebGLRenderer;
  private readonly world = new Scene();
  private readonly perspective = new PerspectiveCamera(35, 1, 0.01, 100);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, -100, 100);
  private readonly upInView = { value: new Vector3(0, 1, 0) };
  private readonly light = new DirectionalLight(0xffffff, 1.6);
  private readonly sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.4);
  private controls: OrbitControls;
  private camera: PerspectiveCamera | OrthographicCamera = this.perspective;
  private scene: SceneMessage | null = null;
  private surroundings: Surroundings | null = null;
  private bodies: Body[] = [];
  private colors: SurroundingColors = { floor: new Color(), edge: new Color(), obstacle: new Color() };
  private look: Look = { color: 'body', surface: true };
  private range: [number, number] = [0, 1];
  private shownField = 0;
  private bounds: { min: Vector; max: Vector } | null = null;
  private framed = false;
  private scheduled = 0;

  constructor(private readonly place: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: 'high-performance' });
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', 'The simulation. Arrow keys move the view, with Shift they turn it, plus and minus zoom.');
    place.append(this.canvas);
    this.world.add(this.overlay, this.sky, this.light);
    this.controls = this.makeControls();
    this.canvas.addEventListener('keydown', (event) => {
      if (event.key === '+' || event.key === '-') this.zoom(event.key === '+' ? 0.87 : 1.15);
    });
    this.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    this.canvas.addEventListener('webglcontextrestored', () => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
  }

  // ---- what is shown --------------------------------------------------------------------------------------------------

  showScene(scene: SceneMessage, pose: CameraPose | null): void {
    this.clear();
    this.scene = scene;
    this.surroundings = new Surroundings(scene, this.colors);
    this.world.add(this.surroundings.object);
    this.bodies = scene.bodies.map((body) => {
      // Half a spacing leaves gaps where the fluid is drawn out; a little more closes the sheet.
      const particles = new Particles(0.55 * body.spacing, this.viewport, this.upInView, floorOf(scene));
      const surface = new Surface(this.viewport, this.upInView);
      surface.object.visible = false;
      this.world.add(particles.object, surface.object);
      if (particles.shadow !== null) this.world.add(particles.shadow);
      return { particles, surface, shown: false };
    });
    this.setCamera(scene, pose);
    this.invalidate();
  }

  clear(): void {
    for (const { particles, surface } of this.bodies) {
      this.world.remove(particles.object, surface.object);
      if (particles.shadow !== null) this.world.remove(particles.shadow);
      particles.dispose();
      surface.dispose();
    }
    this.bodies = [];
    if (this.surroundings !== null) {
      this.world.remove(this.surroundings.object);
      this.surroundings.dispose();
    }
    this.surroundings = null;
    this.scene = null;
    this.bounds = null;
    this.framed = false;
    this.invalidate();
  }

  showFrame(frame: Frame): void {
    for (const part of frame.bodies) {
      const body = this.bodies[part.body];
      if (body === undefined) continue;
      body.particles.show(part);
      body.shown = part.surface !== null;
      if (part.surface !== null) body.surface.show(part.surface);
    }
    this.shownField = frame.fieldHash;
    this.bounds = boundsOf(frame);
    if (!this.framed && this.bounds !== null) this.frameAll();
    this.recolor();
  }

  showState(state: StateMessage): void {
    this.surroundings?.move(state.obstacles);
    this.invalidate();
  }

  setLook(look: Look, range: [number, number]): void {
    this.look = look;
    this.range = range;
    this.recolor();
  }

  setColors(background: Color, colors: SurroundingColors): void {
    this.world.background = background;
    this.colors = colors;
    this.surroundings?.setColors(colors);
    this.invalidate();
  }

  /// Draws at the next chance of the browser.
  invalidate(): void {
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame(() => this.draw());
  }

  /// The picture as a file. Drawn anew, because a canvas forgets what it showed.
  async picture(): Promise<Blob | null> {
    this.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }

  // ---- camera ---------------------------------------------------------------------------------------------------------

  /// Turns off while a tool drags something.
  set cameraMoves(moves: boolean) { this.controls.enabled = moves; }

  pose(): CameraPose {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray(), zoom: this.camera.zoom };
  }

  onCameraMoved(listener: () => void): void { this.cameraListener = listener; }
  private cameraListener: () => void = () => undefined;

  frameAll(): void {
    const box = this.wholeBox();
    if (box === null) return;
    this.framed = true;
    const center = new Vector3().fromArray(box.min).add(new Vector3().fromArray(box.max)).multiplyScalar(0.5);
    const reach = new Vector3().fromArray(box.max).sub(new Vector3().fromArray(box.min)).length() / 2;
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(center);
    if (this.camera === this.perspective) {
      this.camera.position.copy(center).addScaledVector(direction, this.distanceFor(box, center, direction));
    } else {
      this.camera.position.copy(center).addScaledVector(direction, 10 * reach);
      this.camera.zoom = 1;
      this.fitOrthographic();
    }
    this.setDepthRange(reach);
    this.controls.update();
    this.invalidate();
  }

  /// From where all corners of a box are within the picture, with a little room around.
  private distanceFor(box: { min: Vector; max: Vector }, center: Vector3, direction: Vector3): number {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    const tall = 0.9 * Math.tan((this.perspective.fov * Math.PI) / 360);
    const wide = tall * this.perspective.aspect;
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const place = new Vector3(...([0, 1, 2] as const).map((k) => ((corner >> k) & 1 ? box.max[k] : box.min[k]))).sub(center);
      distance = Math.max(distance, place.dot(direction) + Math.max(Math.abs(place.dot(right)) / wide, Math.abs(place.dot(above)) / tall));
    }
    return distance;
  }

  private zoom(factor: number): void {
    if (this.camera === this.perspective)
      this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    else {
      this.camera.zoom /= factor;
      this.camera.updateProjectionMatrix();
    }
    this.controls.update();
    this.invalidate();
  }

  private setCamera(scene: SceneMessage, pose: CameraPose | null): void {
    this.camera = scene.dimension === 2 ? this.orthographic : this.perspective;
    this.resize(); // the page may have been hidden until now
    this.camera.up.fromArray(scene.up);
    this.camera.zoom = 1;
    this.perspective.fov = ((scene.camera?.fov ?? 0.6) * 180) / Math.PI;
    this.controls.dispose();
    this.controls = this.makeControls();
    this.controls.enableRotate = scene.dimension === 3;
    if (scene.dimension === 2) this.camera.position.set(0, 0, 1);
    else this.camera.position.set(0.45, -1, 0.4);
    this.light.position.set(-0.4, scene.dimension === 2 ? 0.6 : -0.6, 1);
    this.frameAll();
    const given = pose ?? this.wantedPose(scene);
    if (given !== null) {
      this.camera.position.fromArray(given.position);
      this.controls.target.fromArray(given.target);
      this.camera.zoom = given.zoom;
      this.framed = true;
      if (this.wholeBox() === null) this.setDepthRange(this.camera.position.distanceTo(this.controls.target));
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /// Where the scene wants the camera; what it leaves open is as if everything was to be seen.
  private wantedPose({ camera, dimension }: SceneMessage): CameraPose | null {
    if (camera === null || dimension === 2 || (camera.from === null && camera.lookAt === null)) return null;
    const { position, target, zoom } = this.pose();
    return { position: camera.from ?? position, target: camera.lookAt ?? target, zoom };
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.zoomToCursor = true;
    controls.listenToKeyEvents(this.canvas);
    controls.addEventListener('change', () => {
      this.invalidate();
      this.cameraListener();
    });
    return controls;
  }

  /// The domain, or where the bodies are if there is none.
  private wholeBox(): { min: Vector; max: Vector } | null { return this.scene?.domain ?? this.bounds; }

  private setDepthRange(reach: number): void {
    this.perspective.near = reach / 200;
    this.perspective.far = reach * 100;
    this.orthographic.near = -100 * reach;
    this.orthographic.far = 100 * reach;
    this.perspective.updateProjectionMatrix();
    this.orthographic.updateProjectionMatrix();
  }

  private fitOrthographic(): void {
    const box = this.wholeBox();
    if (box === null) return;
    const aspect = this.viewport.value.x / this.viewport.value.y;
    const half = 0.6 * Math.max(box.max[1] - box.min[1], (box.max[0] - box.min[0]) / aspect, 1e-6);
    [this.orthographic.left, this.orthographic.right] = [-half * aspect, half * aspect];
    [this.orthographic.bottom, this.orthographic.top] = [-half, half];
    this.orthographic.updateProjectionMatrix();
  }

  private resize(): void {
    const { width, height } = this.place.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.renderer.getDrawingBufferSize(this.viewport.value);
    this.perspective.aspect = width / height;
    this.perspective.updateProjectionMatrix();
    this.fitOrthographic();
    this.invalidate();
  }

  // ---- what is under a pixel ------------------------------------------------------------------------------------------

  /// The first particle along the view through a pixel, as if particles had `reach` times their spacing as radius.
  hit(clientX: number, clientY: number, reach: number): Hit | null {
    const { origin, direction } = this.ray(clientX, clientY);
    let best: Hit | null = null;
    let nearest = Infinity;
    this.bodies.forEach(({ particles }, body) => {
      const info = this.scene?.bodies[body];
      if (info === undefined) return;
      const found = particles.firstHit(origin.toArray(), direction.toArray(), reach * info.spacing);
      if (found === null || found.distance >= nearest) return;
      nearest = found.distance;
      best = {
        bodyName: info.name,
        solid: info.type === 'solid',
        spacing: info.spacing,
        id: particles.idAt(found.index),
        position: particles.position(found.index),
      };
    });
    return best;
  }

  /// Where the view through a pixel meets the plane through `place` that is parallel to the picture.
  onPicturePlane(clientX: number, clientY: number, place: Vector): Vector {
    const { origin, direction } = this.ray(clientX, clientY);
    const facing = this.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(facing, new Vector3().fromArray(place));
    const along = -plane.distanceToPoint(origin) / plane.normal.dot(direction);
    return Number.isFinite(along) ? origin.addScaledVector(direction, along).toArray() : place;
  }

  positionOf(body: string, id: number): Vector | null { return this.body(body)?.particles.positionOf(id) ?? null; }

  particlesNear(body: string, place: Vector, radius: number): Vector[] {
    return this.body(body)?.particles.near(place, radius) ?? [];
  }

  private body(name: string): Body | undefined {
    return this.bodies[this.scene?.bodies.findIndex((body) => body.name === name) ?? -1];
  }

  private ray(clientX: number, clientY: number): { origin: Vector3; direction: Vector3 } {
    const box = this.canvas.getBoundingClientRect();
    const pixel = new Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height);
    const caster = new Raycaster();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(pixel, this.camera);
    return { origin: caster.ray.origin.clone(), direction: caster.ray.direction.clone() };
  }

  // ---- drawing --------------------------------------------------------------------------------------------------------

  private recolor(): void {
    const byValue = this.look.color !== 'body' && this.shownField === fieldHash(this.look.color);
    this.bodies.forEach(({ particles, surface, shown }, body) => {
      surface.object.visible = shown && this.look.surface;
      particles.object.visible = !surface.object.visible;
      const coloring = { byValue, range: this.range, plain: bodyColor(body) };
      particles.color(coloring);
      surface.color(coloring);
    });
    this.invalidate();
  }

  private draw(): void {
    this.scheduled = 0;
    this.camera.updateMatrixWorld();
    this.upInView.value.copy(this.camera.up).transformDirection(this.camera.matrixWorldInverse);
    this.sky.position.copy(this.camera.up);
    this.renderer.render(this.world, this.camera);
  }
}

/// In 3D, the bottom of the domain.
function floorOf(scene: SceneMessage): { up: Vector; height: number } | null {
  if (scene.dimension === 2 || scene.domain === null) return null;
  return { up: scene.up, height: scene.domain.min.reduce((sum, x, k) => sum + x * (scene.up[k] ?? 0), 0) };
}

function boundsOf(frame: Frame): { min: Vector; max: Vector } | null {
  const parts = frame.bodies.filter((body) => body.points.count > 0).map((body) => body.points);
  if (parts.length === 0) return null;
  const along = (k: 0 | 1 | 2): [number, number] => [
    Math.min(...parts.map((p) => p.min[k])),
    Math.max(...parts.map((p) => p.min[k] + p.size[k])),
  ];
  const [x, y, z] = [along(0), along(1), along(2)];
  return { min: [x[0], y[0], z[0]], max: [x[1], y[1], z[1]] };
}
