// SPDX-License-Identifier: Apache-2.0
// All shapes of all bodies in two draw calls: one for what is solid, one for containers, which are ghosts. In: the page,
// poses, a color mode, a selection. Out: objects in the scene, boxes, and what a ray meets.
import * as THREE from "three";
import type { Page, Pose } from "../data/page";
import type { Vec3 } from "../data/schema";
import { colors, palette, ramp, type ColorMode } from "./colors";
import { containerShapes } from "./containers";
import { facetGeometry, facetMaterial, type EdgeLook } from "./facets";

interface Part {
  body: number;
  mesh: number;
  local: THREE.Matrix4; // the shape in its body
  color: number; // when colored by body
  role: "both" | "picture" | "contact"; // pictures are drawn instead of the shapes of contact, or the other way round
}

interface Batch {
  mesh: THREE.BatchedMesh;
  material: THREE.MeshLambertMaterial;
  parts: Part[];
  opacity: number;
}

export interface BodyHit {
  body: number;
  distance: number;
}

const ghostOpacity = 0.2;
const fadedPart = 0.72; // of the background in the color of what is not selected

function partsOf(page: Page): { part: Part; key: string }[] {
  const one = new THREE.Vector3(1, 1, 1);
  return page.bodies.flatMap((body, b) =>
    body.shapes.flatMap((shape, s): { part: Part; key: string }[] => {
      if (shape.mesh < 0) return []; // half-spaces are the ground and the walls
      const [w, x, y, z] = shape.rotation;
      const local = new THREE.Matrix4().compose(
        new THREE.Vector3(...shape.position),
        new THREE.Quaternion(x, y, z, w),
        one,
      );
      const color = shape.color || (body.kind === "static" ? colors.static : palette[b % palette.length]);
      const role = shape.covered ? "contact" : body.shapes.some((other) => other.covered) ? "picture" : "both";
      return [{ part: { body: b, mesh: shape.mesh, local, color, role }, key: `${b},${s}` }];
    }),
  );
}

export class Bodies {
  readonly group = new THREE.Group();
  readonly containers: boolean; // are there any?
  readonly pictures: boolean; // are there shapes that are drawn instead of others?
  private contactShapes = false; // these others are shown
  private readonly objects: THREE.Group[];
  private readonly batches: Batch[] = [];
  private readonly facets: THREE.BufferGeometry[];
  private readonly look: EdgeLook = { edgeColor: { value: new THREE.Color() }, edgeStrength: { value: 0.45 } };
  private readonly background = new THREE.Color();
  private readonly topSpeed: number;
  private edges = true;
  private ghosts = true;
  mode: ColorMode = "id";
  seeThrough = false;
  selected = -1;

  constructor(private readonly page: Page) {
    this.facets = page.meshes.map(facetGeometry);
    this.objects = page.bodies.map(() => new THREE.Group());
    this.group.add(...this.objects);
    const ghosts = containerShapes(page);
    const parts = partsOf(page);
    this.containers = ghosts.size > 0;
    this.pictures = parts.some((p) => p.part.role === "picture");
    this.addBatch(
      parts.filter((p) => !ghosts.has(p.key)).map((p) => p.part),
      1,
    );
    this.addBatch(
      parts.filter((p) => ghosts.has(p.key)).map((p) => p.part),
      ghostOpacity,
    );
    this.topSpeed = this.findTopSpeed();
    this.setSeeThrough(false);
  }

  private addBatch(parts: Part[], opacity: number): void {
    if (parts.length === 0) return;
    const used = [...new Set(parts.map((p) => p.mesh))];
    const vertices = used.reduce((sum, m) => sum + this.facets[m].getAttribute("position").count, 0);
    const material = facetMaterial(this.look);
    const mesh = new THREE.BatchedMesh(parts.length, vertices, 0, material);
    const ids = new Map(used.map((m) => [m, mesh.addGeometry(this.facets[m])]));
    for (const part of parts) mesh.addInstance(ids.get(part.mesh) ?? 0);
    mesh.castShadow = opacity === 1;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false; // its sphere would have to follow the bodies; each instance is culled by itself
    this.batches.push({ mesh, material, parts, opacity });
    this.group.add(mesh);
  }

  // The speed that only one sample in fifty exceeds.
  private findTopSpeed(): number {
    const samples: number[] = [];
    const step = Math.max(1, Math.floor(this.page.frameCount / 100));
    for (let f = 0; f < this.page.frameCount; f += step)
      this.page.bodies.forEach((_, b) => {
        if (this.page.isThere(f, b)) samples.push(Math.hypot(...this.page.velocity(f, b)));
      });
    samples.sort((p, q) => p - q);
    return samples.length > 0 ? samples[Math.floor(samples.length * 0.98)] : 0;
  }

  get speedScale(): number {
    return this.topSpeed > 0 ? this.topSpeed : 1;
  }

  setTheme(dark: boolean, background: THREE.Color): void {
    this.look.edgeColor.value.setHex(dark ? 0xd5dee6 : 0x10202c);
    this.background.copy(background);
  }

  setSeeThrough(on: boolean): void {
    this.seeThrough = on;
    this.look.edgeStrength.value = this.edges ? (on ? 0.8 : 0.45) : 0;
    for (const { material, mesh, opacity } of this.batches) {
      const own = this.ghosts ? opacity : 1;
      material.opacity = on ? Math.min(own, 0.3) : own;
      material.transparent = material.opacity < 1;
      material.depthWrite = !material.transparent;
      mesh.sortObjects = material.transparent;
      material.needsUpdate = true;
    }
  }

  setGhosts(on: boolean): void {
    this.ghosts = on;
    this.setSeeThrough(this.seeThrough);
  }

  setContactShapes(on: boolean): void {
    this.contactShapes = on;
  }

  private isShown(part: Part): boolean {
    return part.role === "both" || (part.role === "contact") === this.contactShapes;
  }

  setEdges(on: boolean): void {
    this.edges = on;
    this.setSeeThrough(this.seeThrough);
  }

  place(body: number, pose: Pose): void {
    const object = this.objects[body];
    object.position.set(...pose.position);
    object.quaternion.set(pose.rotation[1], pose.rotation[2], pose.rotation[3], pose.rotation[0]);
  }

  show(body: number, on: boolean): void {
    this.objects[body].visible = on;
  }

  // Poses and colors to the two batches.
  paint(frame: number): void {
    const matrix = new THREE.Matrix4();
    const color = new THREE.Color();
    const shade = new THREE.Vector4();
    for (const object of this.objects) object.updateMatrix();
    for (const { mesh, parts } of this.batches)
      parts.forEach((part, i) => {
        const object = this.objects[part.body];
        mesh.setMatrixAt(i, matrix.multiplyMatrices(object.matrix, part.local));
        mesh.setVisibleAt(i, object.visible && this.isShown(part));
        color.setHex(this.colorOf(frame, part.body, part.color));
        const faded = this.selected >= 0 && this.selected !== part.body;
        if (faded) color.lerp(this.background, fadedPart);
        mesh.setColorAt(i, shade.set(color.r, color.g, color.b, faded ? 0.3 : 1)); // the last: how strong its edges are
      });
  }

  private colorOf(frame: number, body: number, own: number): number {
    const at = frame * this.page.bodies.length + body;
    const still = this.page.bodies[body].kind === "static";
    if (this.mode === "id" || still) return own;
    if (this.mode === "sleeping") return this.page.asleep?.[at] ? colors.asleep : colors.awake;
    if (this.mode === "speed") return ramp(Math.hypot(...this.page.velocity(frame, body)) / this.speedScale);
    const island = this.page.islands?.[at] ?? -1;
    return island < 0 ? colors.asleep : palette[island % palette.length];
  }

  // The box around the shapes of one body where it is now; empty when it has none.
  boxOf(body: number): THREE.Box3 {
    const box = new THREE.Box3();
    const matrix = new THREE.Matrix4();
    this.objects[body].updateMatrix();
    for (const { parts } of this.batches)
      for (const part of parts) {
        if (part.body !== body) continue;
        const facets = this.facets[part.mesh];
        if (!facets.boundingBox) facets.computeBoundingBox();
        matrix.multiplyMatrices(this.objects[body].matrix, part.local);
        if (facets.boundingBox) box.union(facets.boundingBox.clone().applyMatrix4(matrix));
      }
    return box;
  }

  // The box around everything that is shown; without what stands still and is far larger than what moves.
  box(): THREE.Box3 {
    const moving = new THREE.Box3();
    const still: THREE.Box3[] = [];
    this.page.bodies.forEach((body, b) => {
      if (!this.objects[b].visible) return;
      if (body.kind === "static") still.push(this.boxOf(b));
      else moving.union(this.boxOf(b));
    });
    const size = (box: THREE.Box3): number => box.getSize(new THREE.Vector3()).length();
    const limit = moving.isEmpty() ? Infinity : 4 * size(moving);
    for (const box of still) if (size(box) < limit) moving.union(box);
    return moving;
  }

  // Shapes of a body for objects of their own, in its frame: outlines, copies.
  shapesOf(body: number): { geometry: THREE.BufferGeometry; local: THREE.Matrix4; color: number }[] {
    return this.batches.flatMap(({ parts }) =>
      parts
        .filter((p) => p.body === body && this.isShown(p))
        .map(({ mesh, local, color }) => ({ geometry: this.facets[mesh], local, color })),
    );
  }

  // The first body on a ray; a ghost only where nothing solid is behind it.
  pick(ray: THREE.Raycaster): BodyHit | null {
    for (const { mesh, parts } of this.batches) {
      const hit = ray.intersectObject(mesh, false).at(0);
      if (hit?.batchId !== undefined) return { body: parts[hit.batchId].body, distance: hit.distance };
    }
    return null;
  }

  // A point of a body in the world; null while the body is not there.
  pointOf(body: number, point: Vec3): Vec3 | null {
    const object = this.objects[body];
    const at = new THREE.Vector3(...point).applyQuaternion(object.quaternion).add(object.position);
    return object.visible ? [at.x, at.y, at.z] : null;
  }

  object(body: number): THREE.Object3D {
    return this.objects[body];
  }
}
