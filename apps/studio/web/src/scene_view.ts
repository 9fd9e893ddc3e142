// SPDX-License-Identifier: MIT
// The picture: camera, bodies and surroundings of the sitting, drawn when something has changed and not otherwise. Also
// answers what is under a pixel.
import {
  Color, DirectionalLight, DoubleSide, Group, HemisphereLight, MeshBasicMaterial, MOUSE, OrthographicCamera, PerspectiveCamera, Plane, Raycaster,
  Scene, TOUCH, Vector2, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Vector } from './checked';
import { bodyColor } from './color_map';
import { fieldHash, type Frame } from './frame_decoder';
import { showsSurface, type Look } from './look';
import { OnionSkin, type OnionChoice } from './onion_skin';
import { Particles } from './particles';
import type { SceneMessage, StateMessage } from './protocol';
import type { PictureUniforms } from './shading';
import { Surface } from './surfaces';
import { Surroundings, type SurroundingColors } from './surroundings';

/// A particle under the pointer.
export interface Hit { bodyName: string; can: readonly string[]; spacing: number; id: number; position: Vector }

export interface CameraPose { position: Vector; target: Vector; zoom: number }

const usualAspect = 1.4;

/// To the right and upwards.
const arrows: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

interface Body { particles: Particles; surface: Surface; shown: boolean }

export class SceneView {
  readonly canvas: HTMLCanvasElement;
  /// Tools put their drawings here.
  readonly overlay = new Group();
  readonly viewport = { value: new Vector2(1, 1) };
  private readonly renderer: WebGLRenderer;
  private readonly world = new Scene();
  /// Parts of the world: what stands behind everything, shadows on it, and the bodies with all that lies before them.
  private readonly back = new Scene();
  private readonly shadows = new Group();
  private readonly front = new Group();
  private readonly perspective = new PerspectiveCamera(35, 1, 0.01, 100);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, -100, 100);
  private readonly uniforms: PictureUniforms = { viewport: this.viewport, upInView: { value: new Vector3(0, 1, 0) }, paper: { value: new Color() } };
  private readonly onion = new OnionSkin(this.uniforms);
  private readonly light = new DirectionalLight(0xffffff, 1.6);
  private readonly sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.4);
  private readonly depthOnly: MeshBasicMaterial;
  private controls: OrbitControls;
  private camera: PerspectiveCamera | OrthographicCamera = this.perspective;
  private scene: SceneMessage | null = null;
  private surroundings: Surroundings | null = null;
  private bodies: Body[] = [];
  private colors: SurroundingColors = { floor: new Color(), edge: new Color(), obstacle: new Color() };
  private look: Look = { color: 'body', surface: true, madeSurface: false };
  private range: [number, number] = [0, 1];
  private shownField = 0;
  private bounds: { min: Vector; max: Vector } | null = null;
  private framed = false;
  private fov = 0.6; ///< from bottom to top, in a picture that is no narrower than usual [rad]
  private scheduled = 0;

  constructor(private readonly place: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: 'high-performance' });
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', 'The simulation. Arrow keys move a cursor, Enter uses the tool there; with Shift they turn the view, with Ctrl they move it, plus and minus zoom.');
    place.append(this.canvas);
    this.front.add(this.overlay);
    this.world.add(this.back, this.shadows, this.front, this.sky, this.light);
    // For passes in which the surroundings only hide what is behind them.
    this.depthOnly = new MeshBasicMaterial({ colorWrite: false, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
    this.controls = this.makeControls();
    this.canvas.addEventListener('keydown', (event) => this.moveByKey(event));
    this.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    this.canvas.addEventListener('webglcontextrestored', () => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
    this.followPixelRatio();
  }

  // ---- what is shown --------------------------------------------------------------------------------------------------

  showScene(scene: SceneMessage, pose: CameraPose | null): void {
    this.clear();
    this.scene = scene;
    this.surroundings = new Surroundings(scene, this.colors);
    this.back.add(this.surroundings.object);
    this.front.add(this.surroundings.glass);
    this.addBodies(scene);
    this.setCamera(scene, pose);
    this.invalidate();
  }

  /// The same sitting, with bodies more than before.
  growScene(scene: SceneMessage): void {
    this.scene = scene;
    this.addBodies(scene);
    this.recolor();
  }

  private addBodies(scene: SceneMessage): void {
    for (const body of scene.bodies.slice(this.bodies.length)) {
      // Half a spacing leaves gaps where particles are drawn apart; a little more closes the sheet.
      const particles = new Particles(0.55 * body.spacing, this.uniforms, floorOf(scene));
      const surface = new Surface(this.uniforms);
      surface.object.visible = false;
      this.front.add(particles.object, surface.object);
      if (particles.shadow !== null) this.shadows.add(particles.shadow);
      this.bodies.push({ particles, surface, shown: false });
    }
  }

  clear(): void {
    this.onion.clear();
    for (const { particles, surface } of this.bodies) {
      this.front.remove(particles.object, surface.object);
      if (particles.shadow !== null) this.shadows.remove(particles.shadow);
      particles.dispose();
      surface.dispose();
    }
    this.bodies = [];
    if (this.surroundings !== null) {
      this.back.remove(this.surroundings.object);
      this.front.remove(this.surroundings.glass);
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
      // What is only spray has a surface without a point.
      body.shown = part.surface !== null && part.surface.points.count > 0;
      if (part.surface !== null) body.surface.show(part.surface);
    }
    this.onion.add(frame, this.scene?.bodies ?? [], this.bodies.map((body) => body.surface));
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

  /// Earlier moments from now on, beginning with the next frame.
  setOnionSkin(choice: OnionChoice): void {
    this.onion.choose(choice);
    this.recolor();
  }

  setColors(background: Color, colors: SurroundingColors): void {
    this.world.background = background;
    this.uniforms.paper.value.copy(background).convertLinearToSRGB();
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

  /// Directions of the picture, of length 1: to its right, to its top, and away from the viewer.
  axes(): { right: Vector; top: Vector; away: Vector } {
    this.camera.updateMatrixWorld();
    const column = (k: number) => new Vector3().setFromMatrixColumn(this.camera.matrixWorld, k).normalize();
    return { right: column(0).toArray(), top: column(1).toArray(), away: column(2).negate().toArray() };
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

  /// From where all corners of a box are within the picture, with a little room around; also when it gets narrow, or wide
  /// again.
  private distanceFor(box: { min: Vector; max: Vector }, center: Vector3, direction: Vector3): number {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    const tall = 0.9 * Math.tan(this.fov / 2);
    const wide = tall * Math.max(this.perspective.aspect, usualAspect);
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const place = new Vector3(...([0, 1, 2] as const).map((k) => ((corner >> k) & 1 ? box.max[k] : box.min[k]))).sub(center);
      distance = Math.max(distance, place.dot(direction) + Math.max(Math.abs(place.dot(right)) / wide, Math.abs(place.dot(above)) / tall));
    }
    return distance;
  }

  /// Arrow keys alone belong to the cursor of the tools.
  private moveByKey(event: KeyboardEvent): void {
    const arrow = arrows[event.key];
    if (!this.controls.enabled) return;
    const withControl = event.ctrlKey || event.metaKey;
    if ((event.key === '+' || event.key === '-') && !withControl) this.zoom(event.key === '+' ? 0.87 : 1.15);
    else if (arrow !== undefined && event.shiftKey) this.turn(0.06 * arrow[0], 0.06 * arrow[1]);
    else if (arrow !== undefined && (event.ctrlKey || event.altKey)) this.shift(0.03 * arrow[0], 0.03 * arrow[1]);
    else return;
    event.preventDefault();
  }

  /// Around the target, to the right and upwards [rad].
  private turn(right: number, up: number): void {
    if (!this.controls.enableRotate) return;
    const offset = this.camera.position.clone().sub(this.controls.target);
    const across = new Vector3().crossVectors(this.camera.up, offset).normalize();
    const tilt = this.camera.up.angleTo(offset);
    // Not over the poles, where the picture would turn upside down.
    offset.applyAxisAngle(across, Math.min(Math.max(tilt - up, 0.02), Math.PI - 0.02) - tilt).applyAxisAngle(this.camera.up, right);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.invalidate();
  }

  /// To the right and upwards, in heights of the picture.
  private shift(right: number, up: number): void {
    const height = this.camera === this.perspective
      ? 2 * Math.tan((this.perspective.fov * Math.PI) / 360) * this.camera.position.distanceTo(this.controls.target)
      : (this.orthographic.top - this.orthographic.bottom) / this.camera.zoom;
    const by = new Vector3().setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(height * right)
      .addScaledVector(new Vector3().setFromMatrixColumn(this.camera.matrix, 1), height * up);
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
    this.invalidate();
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
    this.fov = scene.camera?.fov ?? 0.6;
    this.fitPerspective();
    this.controls.dispose();
    this.controls = this.makeControls();
    if (scene.dimension === 2) this.moveInsteadOfTurning();
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
    controls.addEventListener('change', () => {
      this.stayAboveFloor();
      this.invalidate();
      this.cameraListener();
    });
    return controls;
  }

  /// Nothing can be seen through the floor: neither the camera nor what it looks at goes below.
  private stayAboveFloor(): void {
    const floor = this.scene === null ? null : floorOf(this.scene);
    if (floor === null) return;
    const { position, up } = this.camera;
    const { target } = this.controls;
    const sunk = Math.max(0, floor.height - target.dot(up));
    for (const place of [target, position]) place.addScaledVector(up, sunk);
    // It stays as far from the target as it is, and a little higher than what is too near to be drawn.
    const lowest = floor.height + 2 * this.perspective.near;
    const isBelow = position.dot(up) < lowest;
    if (isBelow) {
      const height = lowest - target.dot(up);
      const level = position.clone().sub(target).projectOnPlane(up);
      level.setLength(Math.sqrt(Math.max(0, position.distanceToSquared(target) - height * height)));
      position.copy(target).add(level).addScaledVector(up, height);
    }
    if (sunk > 0 || isBelow) this.camera.lookAt(target);
  }

  /// There is one side only to look at a slice from.
  private moveInsteadOfTurning(): void {
    this.controls.enableRotate = false;
    this.controls.mouseButtons.LEFT = MOUSE.PAN;
    this.controls.touches.ONE = TOUCH.PAN;
  }

  /// The domain, or where the bodies are if there is none.
  private wholeBox(): { min: Vector; max: Vector } | null { return this.scene?.domain ?? this.bounds; }

  private setDepthRange(reach: number): void {
    this.perspective.near = reach / 200;
    this.perspective.far = reach * 100;
    // Neither into a particle nor so far away that nothing is left to see.
    this.controls.minDistance = reach / 50;
    this.controls.maxDistance = 20 * reach;
    [this.controls.minZoom, this.controls.maxZoom] = [0.05, 50];
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

  /// It is another one on another screen, where the window may be as large as before.
  private followPixelRatio(): void {
    matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener('change', () => {
      this.resize();
      this.followPixelRatio();
    }, { once: true });
  }

  private resize(): void {
    const { width, height } = this.place.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.renderer.getDrawingBufferSize(this.viewport.value);
    this.perspective.aspect = width / height;
    this.fitPerspective();
    this.fitOrthographic();
    this.invalidate();
  }

  /// A picture that gets narrow shows as much from left to right as before, and more above and below.
  private fitPerspective(): void {
    const narrow = Math.max(1, usualAspect / this.perspective.aspect);
    this.perspective.fov = (2 * Math.atan(narrow * Math.tan(this.fov / 2)) * 180) / Math.PI;
    this.perspective.updateProjectionMatrix();
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
        can: info.can,
        spacing: info.spacing,
        id: particles.idAt(found.index),
        position: particles.position(found.index),
      };
    });
    return best;
  }

  /// The first place along the view through a pixel that belongs to a particle or an obstacle.
  placeUnder(clientX: number, clientY: number): Vector | null {
    const caster = this.caster(clientX, clientY);
    const particle = this.hit(clientX, clientY, 0.75)?.position ?? null;
    const obstacle = this.surroundings?.firstHit(caster) ?? null;
    if (particle === null || obstacle === null) return particle ?? obstacle?.place ?? null;
    return obstacle.distance < caster.ray.origin.distanceTo(new Vector3().fromArray(particle)) ? obstacle.place : particle;
  }

  /// Where the view through a pixel meets the plane through `place` that is parallel to the picture.
  onPicturePlane(clientX: number, clientY: number, place: Vector): Vector {
    const { origin, direction } = this.ray(clientX, clientY);
    const facing = this.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(facing, new Vector3().fromArray(place));
    const along = -plane.distanceToPoint(origin) / plane.normal.dot(direction);
    return Number.isFinite(along) ? origin.addScaledVector(direction, along).toArray() : place;
  }

  particleCount(body: string): number { return this.body(body)?.particles.count ?? 0; }

  positionOf(body: string, id: number): Vector | null { return this.body(body)?.particles.positionOf(id) ?? null; }

  particlesNear(body: string, place: Vector, radius: number): Vector[] {
    return this.body(body)?.particles.near(place, radius) ?? [];
  }

  /// All particles, and points all over the obstacles.
  forEachPoint(visit: (x: number, y: number, z: number) => void): void {
    for (const { particles } of this.bodies) particles.forEach(visit);
    this.surroundings?.forEachPoint(this.scene?.spacing ?? 1, visit);
  }

  private body(name: string): Body | undefined {
    return this.bodies[this.scene?.bodies.findIndex((body) => body.name === name) ?? -1];
  }

  private ray(clientX: number, clientY: number): { origin: Vector3; direction: Vector3 } {
    const { ray } = this.caster(clientX, clientY);
    return { origin: ray.origin.clone(), direction: ray.direction.clone() };
  }

  private caster(clientX: number, clientY: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const pixel = new Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height);
    const caster = new Raycaster();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(pixel, this.camera);
    return caster;
  }

  // ---- drawing --------------------------------------------------------------------------------------------------------

  private recolor(): void {
    const byValue = this.look.color !== 'body' && this.shownField === fieldHash(this.look.color);
    this.bodies.forEach(({ particles, surface, shown }, body) => {
      surface.object.visible = shown && showsSurface(this.look, this.scene?.bodies[body]);
      particles.object.visible = !surface.object.visible;
      const coloring = { byValue, range: this.range, plain: bodyColor(body) };
      particles.color(coloring);
      surface.color(coloring);
    });
    this.onion.color(this.look, this.range);
    this.invalidate();
  }

  private draw(): void {
    this.scheduled = 0;
    this.camera.updateMatrixWorld();
    this.uniforms.upInView.value.copy(this.camera.up).transformDirection(this.camera.matrixWorldInverse);
    this.sky.position.copy(this.camera.up);
    const earlier = this.onion.earlier();
    this.canvas.dataset['earlier'] = earlier.map((moment) => moment.frame).join(' ');
    if (earlier.length === 0) this.renderer.render(this.world, this.camera);
    else this.drawOver(earlier);
  }

  /// Layer upon layer: the surroundings, the earlier moments from the oldest on, the present. Each layer covers those
  /// before it and is hidden by the surroundings alone, whatever is nearer to the viewer.
  private drawOver(earlier: readonly { object: Group }[]): void {
    const { background } = this.world;
    this.front.visible = false;
    this.renderer.render(this.world, this.camera);
    this.renderer.autoClear = false;
    for (const { object } of earlier) {
      this.drawDepthOfSurroundings();
      this.renderer.render(object, this.camera);
    }
    this.drawDepthOfSurroundings();
    this.world.background = null; // which would clear the layers below
    this.front.visible = true;
    this.back.visible = this.shadows.visible = false;
    this.renderer.render(this.world, this.camera);
    this.back.visible = this.shadows.visible = true;
    this.world.background = background;
    this.renderer.autoClear = true;
  }

  private drawDepthOfSurroundings(): void {
    this.renderer.clearDepth();
    this.back.overrideMaterial = this.depthOnly;
    this.renderer.render(this.back, this.camera);
    this.back.overrideMaterial = null;
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
