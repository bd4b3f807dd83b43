// SPDX-License-Identifier: Apache-2.0
// The three-dimensional view: camera, light, ground, bodies. Draws only when something changed. Without WebGL it draws
// nothing and says so; all the rest of the page works.
import * as THREE from "three";
import type { Page, Pose } from "../data/page";
import { el } from "../ui/dom";
import { Bodies } from "./bodies";
import { ContactLayers } from "./contacts";
import { Eye } from "./eye";
import { Framing } from "./framing";
import { Ground } from "./ground";
import { Labels } from "./labels";
import { Outline } from "./outline";
import { pickAlong, Pointer, type Picked } from "./pointer";
import { Sun } from "./sun";
import { Triad } from "./triad";
import { groundOf, halfSpaces, Walls } from "./walls";

export type { Picked } from "./pointer";

function makeRenderer(canvas: HTMLCanvasElement): THREE.WebGLRenderer | null {
  if (!canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true, stencil: true })) return null;
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true, stencil: true });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  return renderer;
}

export class Stage {
  readonly canvas = el("canvas", { tabindex: 0, role: "img" });
  readonly bodies: Bodies;
  readonly layers: ContactLayers;
  readonly ground: Ground;
  readonly walls: Walls;
  readonly labels = new Labels();
  readonly names = new Labels(); // of bodies
  readonly extras = new THREE.Group(); // what panels draw
  readonly size: number; // typical size of a body
  readonly eye: Eye;
  follow = -1;
  poseOverride: ((body: number) => Pose | null) | null = null;
  onFraming: (on: boolean) => void = () => undefined;
  onDraw: () => void = () => undefined;
  onCamera: () => void = () => undefined; // the reader moved it
  private framing: Framing | null = null;
  private run: THREE.Box3 | null = null; // what the camera keeps in view instead of the bodies as they move
  private readonly pointer: Pointer;
  private readonly outline = new Outline();
  private readonly triad = new Triad();
  private readonly renderer: THREE.WebGLRenderer | null;
  private readonly scene = new THREE.Scene();
  private readonly sun: Sun;
  private readonly observer = new ResizeObserver(() => {
    this.resize();
  });
  private dirty = true;
  private time = 0;
  private arrowHeight = 0; // of the picture when the arrows were made
  private readonly last = new THREE.Vector3();

  constructor(
    readonly page: Page,
    private readonly host: HTMLElement,
  ) {
    this.renderer = makeRenderer(this.canvas);
    this.bodies = new Bodies(page);
    for (let b = 0; b < page.bodies.length; b++) {
      this.bodies.place(b, page.pose(0, b));
      this.bodies.show(b, page.isThere(0, b));
    }
    this.bodies.paint(0);
    const box = this.bodies.box();
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
    const center = box.getCenter(new THREE.Vector3());
    const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    this.size = this.typicalSize(radius);
    this.layers = new ContactLayers(page, this.size, this.bodies.speedScale);
    this.walls = new Walls(page, this.bodies, box);
    const ground = groundOf(halfSpaces(page));
    this.ground = new Ground(center, radius, ground?.height ?? box.min.z);
    this.ground.group.visible = ground !== null || this.walls.count === 0; // no floor where there is only a slope
    this.sun = new Sun(this.size);
    this.scene.add(this.sun.group, this.ground.group, this.bodies.group, this.layers.group);
    this.scene.add(this.outline.group, this.extras);
    this.eye = new Eye(this.canvas);
    this.pointer = new Pointer(this.canvas, page, (at) => this.pick(at));
    this.listen();
    host.append(this.canvas, this.labels.root, this.names.root, this.triad.root, this.pointer.tip);
    if (!this.renderer) host.append(el("p", { class: "no-view", role: "status" }, noView));
    this.resize();
    this.fit();
    this.setFraming(page.moves);
  }

  private listen(): void {
    this.eye.controls.addEventListener("change", () => {
      this.dirty = true;
    });
    this.eye.controls.addEventListener("start", () => {
      this.setFraming(false);
    });
    for (const name of ["change", "end"] as const)
      this.eye.controls.addEventListener(name, () => {
        if (!this.framing) this.onCamera();
      });
    this.observer.observe(this.host);
  }

  // Of the last picture: how many calls the graphics card got.
  get drawCalls(): number {
    return this.renderer?.info.render.calls ?? 0;
  }
  set onPick(listener: (picked: Picked) => void) {
    this.pointer.onPick = listener;
  }

  // The camera keeps the bodies in view, until the reader moves it.
  setFraming(on: boolean): void {
    if (on === (this.framing !== null)) return;
    this.framing = on ? new Framing(this.page) : null;
    this.onFraming(on);
    if (on) this.update();
  }

  // The camera keeps all of a run in view: what is drawn of it, and what stands around.
  setRun(drawn: THREE.Object3D): void {
    this.run = new THREE.Box3().setFromObject(drawn).union(this.bodies.box());
    this.update();
  }

  private typicalSize(radius: number): number {
    const sizes: number[] = [];
    this.page.bodies.forEach((body, b) => {
      if (body.kind === "static" && this.page.bodies.length > 2) return;
      const box = this.bodies.boxOf(b);
      if (!box.isEmpty()) sizes.push(box.getSize(new THREE.Vector3()).length() / 1.7);
    });
    sizes.sort((p, q) => p - q);
    const middle = sizes.length > 0 ? sizes[sizes.length >> 1] : radius;
    return Math.max(middle, radius * 0.02);
  }

  setTheme(dark: boolean): void {
    const background = new THREE.Color(dark ? 0x171c21 : 0xf3f5f7);
    this.scene.background = background;
    this.sun.setTheme(dark);
    this.ground.setTheme(dark);
    this.walls.setTheme(dark);
    this.bodies.setTheme(dark, background);
    this.update();
  }

  private resize(): void {
    const width = Math.max(this.host.clientWidth, 1);
    const height = Math.max(this.host.clientHeight, 1);
    this.renderer?.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer?.setSize(width, height, false);
    this.outline.setSize(width, height);
    this.eye.setAspect(width / height);
    if (this.framing) this.update();
    this.dirty = true;
  }

  // Looks at everything from the side it was looked at before (at first: from the front, a little above).
  fit(room = 1): void {
    const box = this.run ?? this.bodies.box();
    if (box.isEmpty()) return;
    this.lookAt(box, room);
    this.last.copy(this.followed());
  }

  private lookAt(box: THREE.Box3, room = 1): void {
    this.eye.lookAt(box, room);
    this.sun.shineOn(box);
    this.dirty = true;
  }

  private followed(): THREE.Vector3 {
    return this.follow >= 0 ? this.bodies.object(this.follow).position : new THREE.Vector3();
  }

  setFollow(body: number): void {
    this.follow = body;
    this.last.copy(this.followed());
    if (body >= 0) this.eye.moveBy(this.followed().clone().sub(this.eye.controls.target));
    this.dirty = true;
  }

  setTime(time: number): void {
    this.time = time;
    this.update();
  }

  // After a change of what is shown.
  update(): void {
    const frame = this.page.frameAt(this.time);
    for (let b = 0; b < this.page.bodies.length; b++) {
      this.bodies.place(b, this.poseOverride?.(b) ?? this.page.poseAt(this.time, b));
      this.bodies.show(b, this.page.isThere(frame, b));
    }
    this.bodies.paint(frame);
    this.outline.update(this.bodies);
    this.moveCamera();
    this.updateLayers();
    this.dirty = true;
  }

  private moveCamera(): void {
    if (this.follow < 0) {
      if (this.framing) this.frame(this.framing);
      return;
    }
    this.eye.moveBy(this.followed().clone().sub(this.last));
    this.last.copy(this.followed());
  }

  private frame(framing: Framing): void {
    if (this.run) {
      this.lookAt(this.run);
      return;
    }
    const around = framing.at(this.time);
    if (!around) return;
    const box = new THREE.Box3(new THREE.Vector3(...around.low), new THREE.Vector3(...around.high));
    const balls = framing.balls(this.time, around);
    if (balls.length === 0) {
      this.lookAt(box);
      return;
    }
    const center = box.getCenter(new THREE.Vector3());
    this.eye.lookAtBalls(
      center,
      balls.map(({ at, reach }) => ({ at: new THREE.Vector3(...at), radius: reach })),
    );
    this.sun.shineOn(box);
    this.dirty = true;
  }

  private updateLayers(): void {
    this.arrowHeight = this.eye.viewHeight;
    this.layers.viewHeight = this.arrowHeight;
    this.layers.selectedBody = this.bodies.selected;
    this.layers.update(this.page.frameAt(this.time));
  }

  private render(): void {
    if (Math.abs(this.eye.viewHeight / this.arrowHeight - 1) > 0.05) this.updateLayers(); // zoomed: arrows may be longer
    this.layers.nudge(this.eye.camera.position, this.eye.distance);
    this.renderer?.render(this.scene, this.eye.camera);
    this.triad.update(this.eye.camera);
    this.labels.place((point) => this.project(point));
    this.names.place((point) => this.project(point));
    this.onDraw();
  }

  drawIfNeeded(): void {
    if (!this.dirty) return;
    this.dirty = false;
    this.render();
  }

  // After the camera was moved by other means than the mouse.
  touchCamera(): void {
    this.setFraming(false);
    this.dirty = true;
    this.onCamera();
  }

  redraw(): void {
    this.dirty = true;
  }

  picture(): Promise<Blob | null> {
    this.render();
    return new Promise((resolve) => {
      this.canvas.toBlob(resolve, "image/png");
    });
  }

  // Where a point of the world is seen, in pixels of the canvas as laid out.
  project(point: [number, number, number]): [number, number] {
    const p = new THREE.Vector3(...point).project(this.eye.camera);
    return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight];
  }

  private caster(at: THREE.Vector2): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    this.eye.camera.updateMatrixWorld();
    ray.setFromCamera(at, this.eye.camera);
    return ray;
  }

  // The line of sight through the place of an event.
  rayAt(event: PointerEvent): THREE.Ray {
    return this.caster(this.pointer.place(event)).ray;
  }

  // The body under the pointer (-1: none), the point of it that is seen, or one of the ground or as far as the middle of
  // the view, and the line of sight.
  hit(event: PointerEvent): { body: number; point: THREE.Vector3; way: THREE.Vector3 } {
    const ray = this.caster(this.pointer.place(event));
    const way = ray.ray.direction.clone();
    const body = this.bodies.pick(ray);
    if (body) return { body: body.body, point: ray.ray.at(body.distance, new THREE.Vector3()), way };
    const floor = new THREE.Plane(new THREE.Vector3(0, 0, 1), -this.ground.level);
    const ground = ray.ray.intersectPlane(floor, new THREE.Vector3());
    const far = !ground || ground.distanceTo(ray.ray.origin) > 3 * this.eye.distance;
    return { body: -1, point: far ? ray.ray.at(this.eye.distance, new THREE.Vector3()) : ground, way };
  }

  // Before another view takes its place.
  dispose(): void {
    this.eye.controls.dispose();
    this.observer.disconnect();
    this.renderer?.dispose();
    this.renderer?.forceContextLoss();
    this.host.remove();
  }

  private pick(at: THREE.Vector2): Picked {
    const ray = this.caster(at);
    this.layers.nudge(this.eye.camera.position, this.eye.distance);
    return pickAlong(ray, this.bodies, this.layers);
  }
}

const noView =
  "This browser has no WebGL, so the three-dimensional view stays empty. Numbers, times and charts work without it.";
