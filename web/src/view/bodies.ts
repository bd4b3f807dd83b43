// SPDX-License-Identifier: Apache-2.0
// One object per body: its shapes as flat-shaded meshes with their sharp edges drawn.
import * as THREE from "three";
import type { MeshData, Page, Pose } from "../data/page";
import type { RawBody } from "../data/schema";
import { colors, palette, ramp, type ColorMode } from "./colors";

interface BodyView {
  object: THREE.Group;
  materials: THREE.MeshLambertMaterial[];
  own: number[]; // colour of each shape when coloured by id
}

function facetGeometry(mesh: MeshData): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(mesh.vertices), 3));
  indexed.setIndex(new THREE.BufferAttribute(Uint32Array.from(mesh.triangles), 1));
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

export class Bodies {
  readonly group = new THREE.Group();
  private readonly views: BodyView[] = [];
  private readonly edge = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 });
  private readonly topSpeed: number;
  mode: ColorMode = "id";
  seeThrough = false;
  selected = -1;

  constructor(private readonly page: Page) {
    const facets = page.meshes.map(facetGeometry);
    const edges = facets.map((g) => new THREE.EdgesGeometry(g, 25));
    page.bodies.forEach((body, i) => {
      this.views.push(this.makeBody(body, i, facets, edges));
    });
    this.topSpeed = this.findTopSpeed();
  }

  private makeBody(
    body: RawBody,
    index: number,
    facets: THREE.BufferGeometry[],
    edges: THREE.EdgesGeometry[],
  ): BodyView {
    const view: BodyView = { object: new THREE.Group(), materials: [], own: [] };
    for (const shape of body.shapes) {
      if (shape.mesh < 0) continue; // half-spaces are the ground
      const own = shape.color || (body.kind === "static" ? colors.static : palette[index % palette.length]);
      const material = new THREE.MeshLambertMaterial({ color: own });
      const mesh = new THREE.Mesh(facets[shape.mesh], material);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.userData["body"] = index;
      const part = new THREE.Group();
      part.position.set(...shape.position);
      part.quaternion.set(shape.rotation[1], shape.rotation[2], shape.rotation[3], shape.rotation[0]);
      part.add(mesh, new THREE.LineSegments(edges[shape.mesh], this.edge));
      view.object.add(part);
      view.materials.push(material);
      view.own.push(own);
    }
    this.group.add(view.object);
    return view;
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

  setTheme(dark: boolean): void {
    this.edge.color.setHex(dark ? 0x000000 : 0x10202c);
  }

  setSeeThrough(on: boolean): void {
    this.seeThrough = on;
    this.edge.opacity = on ? 0.6 : 0.35;
    for (const view of this.views)
      for (const material of view.materials) {
        material.transparent = on;
        material.opacity = on ? 0.3 : 1;
        material.depthWrite = !on;
        material.needsUpdate = true;
      }
  }

  setEdges(on: boolean): void {
    this.edge.visible = on;
  }

  place(body: number, pose: Pose): void {
    const object = this.views[body].object;
    object.position.set(...pose.position);
    object.quaternion.set(pose.rotation[1], pose.rotation[2], pose.rotation[3], pose.rotation[0]);
  }

  show(body: number, on: boolean): void {
    this.views[body].object.visible = on;
  }

  paint(frame: number): void {
    this.views.forEach((view, body) => {
      view.materials.forEach((material, s) => {
        material.color.setHex(this.colorOf(frame, body, view.own[s]));
        material.emissive.setHex(body === this.selected ? 0x6a4d00 : 0x000000);
      });
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

  // The box around all shapes that are shown, at the poses they have now.
  box(): THREE.Box3 {
    const box = new THREE.Box3();
    this.group.updateMatrixWorld(true);
    for (const view of this.views)
      if (view.materials.length > 0 && view.object.visible) box.expandByObject(view.object);
    return box;
  }

  object(body: number): THREE.Object3D {
    return this.views[body].object;
  }
}
