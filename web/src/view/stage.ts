// SPDX-License-Identifier: Apache-2.0
// The three-dimensional view: camera, light, ground, bodies. Draws only when something changed.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Page, Pose } from "../data/page";
import { Bodies } from "./bodies";
import { ContactLayers } from "./contacts";
import { Framing } from "./framing";
import { Ground } from "./ground";

export interface Picked {
  body: number;
  contact: number;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly bodies: Bodies;
  readonly layers: ContactLayers;
  readonly ground: Ground;
  readonly extras = new THREE.Group(); // what panels draw
  readonly size: number; // typical size of a body
  onPick: (picked: Picked) => void = () => undefined;
  follow = -1;
  poseOverride: ((body: number) => Pose | null) | null = null;
  onFraming: (on: boolean) => void = () => undefined;
  private framing: Framing | null = null;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xb4b8bd, 1.5);
  private dirty = true;
  private time = 0;
  private readonly last = new THREE.Vector3();

  constructor(
    private readonly page: Page,
    host: HTMLElement,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    host.append(this.canvas);

    this.bodies = new Bodies(page);
    for (let b = 0; b < page.bodies.length; b++) {
      this.bodies.place(b, page.pose(0, b));
      this.bodies.show(b, page.isThere(0, b));
    }
    const box = this.bodies.box();
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
    const center = box.getCenter(new THREE.Vector3());
    const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    this.size = this.typicalSize(radius);
    this.layers = new ContactLayers(page, this.size, this.bodies.speedScale);
    this.ground = new Ground(center, radius, this.groundHeight(box.min.z));
    this.setLight(center, radius);
    this.scene.add(this.sky, this.sun, this.sun.target, this.ground.group, this.bodies.group, this.layers.group);
    this.scene.add(this.extras);

    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => {
      this.dirty = true;
    });
    this.controls.addEventListener("start", () => {
      this.setFraming(false);
    });
    this.listenForPicks();
    new ResizeObserver(() => {
      this.resize(host);
    }).observe(host);
    this.resize(host);
    this.fit();
    this.setFraming(page.frameCount > 1);
  }

  // The camera keeps the bodies in view, until the reader moves it.
  setFraming(on: boolean): void {
    if (on === (this.framing !== null)) return;
    this.framing = on ? new Framing(this.page, this.size) : null;
    this.onFraming(on);
    if (on) this.update();
  }

  private typicalSize(radius: number): number {
    const sizes: number[] = [];
    this.page.bodies.forEach((body, b) => {
      if (body.kind === "static" && this.page.bodies.length > 2) return;
      const box = new THREE.Box3().expandByObject(this.bodies.object(b));
      if (!box.isEmpty()) sizes.push(box.getSize(new THREE.Vector3()).length() / 1.7);
    });
    sizes.sort((p, q) => p - q);
    const middle = sizes.length > 0 ? sizes[sizes.length >> 1] : radius;
    return Math.max(middle, radius * 0.02);
  }

  // The height of a level half-space, or the lowest point of the bodies.
  private groundHeight(lowest: number): number {
    for (const [b, body] of this.page.bodies.entries()) {
      if (body.kind !== "static") continue;
      for (const shape of body.shapes) if (shape.mesh < 0) return this.page.pose(0, b).position[2] + shape.position[2];
    }
    return lowest;
  }

  private setLight(center: THREE.Vector3, radius: number): void {
    this.sun.target.position.copy(center);
    this.sun.position.copy(center).add(new THREE.Vector3(-0.9, -1.4, 2.4).multiplyScalar(radius * 1.6));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    const frame = this.sun.shadow.camera;
    frame.left = frame.bottom = -radius * 2;
    frame.right = frame.top = radius * 2;
    frame.near = radius * 0.1;
    frame.far = radius * 12;
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = this.size * 0.01;
  }

  setTheme(dark: boolean): void {
    this.scene.background = new THREE.Color(dark ? 0x171c21 : 0xf3f5f7);
    this.sky.intensity = dark ? 1.3 : 1.9;
    this.ground.setTheme(dark);
    this.bodies.setTheme(dark);
    this.dirty = true;
  }

  private resize(host: HTMLElement): void {
    const width = Math.max(host.clientWidth, 1);
    const height = Math.max(host.clientHeight, 1);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  // Looks at everything from the side it was looked at before (at first: from the front, a little above).
  fit(margin = 1): void {
    const box = this.bodies.box();
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    this.lookAt(sphere.center, sphere.radius * margin);
    this.last.copy(this.followed());
  }

  private lookAt(center: THREE.Vector3, size: number): void {
    const radius = Math.max(size, 1e-6);
    const direction = this.camera.position.clone().sub(this.controls.target);
    if (direction.lengthSq() === 0 || this.firstLook) direction.set(0.62, -1, 0.5);
    this.firstLook = false;
    const angle = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(angle, Math.atan(Math.tan(angle) * this.camera.aspect));
    const distance = (radius / Math.sin(narrow)) * 1.02;
    this.controls.target.copy(center);
    this.camera.position.copy(center).add(direction.setLength(distance));
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.dirty = true;
  }
  private firstLook = true;

  private followed(): THREE.Vector3 {
    return this.follow >= 0 ? this.bodies.object(this.follow).position : new THREE.Vector3();
  }

  setFollow(body: number): void {
    this.follow = body;
    this.last.copy(this.followed());
    if (body >= 0) {
      this.camera.position.add(this.followed().clone().sub(this.controls.target));
      this.controls.target.copy(this.followed());
      this.controls.update();
    }
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
    this.layers.update(frame);
    const frameNow = this.follow >= 0 ? null : this.framing?.at(this.time);
    if (frameNow) this.lookAt(new THREE.Vector3(...frameNow.center), frameNow.radius);
    if (this.follow >= 0) {
      const step = this.followed().clone().sub(this.last);
      this.camera.position.add(step);
      this.controls.target.add(step);
      this.last.copy(this.followed());
      this.controls.update();
    }
    this.dirty = true;
  }

  drawIfNeeded(): void {
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
  }

  picture(): Promise<Blob | null> {
    this.renderer.render(this.scene, this.camera);
    return new Promise((resolve) => {
      this.canvas.toBlob(resolve, "image/png");
    });
  }

  // Where a point of the world is seen, in pixels of the canvas as laid out.
  project(point: [number, number, number]): [number, number] {
    const p = new THREE.Vector3(...point).project(this.camera);
    return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight];
  }

  private listenForPicks(): void {
    let x = 0;
    let y = 0;
    this.canvas.addEventListener("pointerdown", (event) => {
      x = event.clientX;
      y = event.clientY;
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (event.button === 0 && Math.hypot(event.clientX - x, event.clientY - y) < 5) this.onPick(this.pick(event));
    });
  }

  private pick(event: PointerEvent): Picked {
    const rect = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(
      ((event.clientX - rect.left) / rect.width) * 2 - 1,
      1 - ((event.clientY - rect.top) / rect.height) * 2,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    const contact = this.layers.pick(ray);
    if (contact >= 0) return { body: -1, contact };
    const hits = ray.intersectObject(this.bodies.group, true).filter((h) => h.object instanceof THREE.Mesh);
    const picked = hits.map((h) => h.object.userData["body"] as number).find((b) => this.bodies.object(b).visible);
    return { body: picked ?? -1, contact: -1 };
  }
}
