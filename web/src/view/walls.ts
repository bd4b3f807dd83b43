// SPDX-License-Identifier: Apache-2.0
// Half-spaces that are not the ground: a patch of each, with a grid, see-through from behind. Each belongs to the object
// of its body and moves with it. Which half-space is the ground is said here too.
import * as THREE from "three";
import type { Page } from "../data/page";
import type { Vec3 } from "../data/schema";
import { compose, rotate, unit } from "../geometry/vec";
import type { Bodies } from "./bodies";

export interface HalfSpace {
  body: number;
  shape: number;
  height: number; // of a level one; NaN: it is tilted, or moves
}

export function halfSpaces(page: Page): HalfSpace[] {
  return page.bodies.flatMap((body, b) =>
    body.shapes.flatMap((shape, s) => {
      if (shape.mesh >= 0) return [];
      const pose = compose(page.pose(0, b), shape);
      const level = body.kind === "static" && rotate(pose.rotation, [0, 0, 1])[2] > 1 - 1e-9;
      return [{ body: b, shape: s, height: level ? pose.position[2] : Number.NaN }];
    }),
  );
}

// The highest level half-space: what is below another is not seen.
export function groundOf(all: HalfSpace[]): HalfSpace | null {
  const level = all.filter((h) => Number.isFinite(h.height));
  return level.reduce<HalfSpace | null>((best, h) => (best && best.height >= h.height ? best : h), null);
}

function patch(size: number, fill: THREE.Material, line: THREE.Material): THREE.Group {
  const group = new THREE.Group();
  const points: number[] = [];
  const cells = 10;
  for (let i = 0; i <= cells; i++)
    for (let j = 0; j < cells; j++) {
      const [at, a, b] = [i, j, j + 1].map((k) => (k / cells - 0.5) * size);
      points.push(at, a, 0, at, b, 0, a, at, 0, b, at, 0);
    }
  const grid = new THREE.BufferGeometry();
  grid.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  const face = new THREE.Mesh(new THREE.PlaneGeometry(size, size), fill);
  face.receiveShadow = true;
  group.add(face, new THREE.LineSegments(grid, line));
  return group;
}

export class Walls {
  private readonly patches: THREE.Group[] = [];
  private readonly fill = new THREE.MeshLambertMaterial({
    transparent: true,
    opacity: 0.35,
    side: THREE.DoubleSide,
    depthWrite: false,
  });
  private readonly line = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.6 });

  // `start`: the box around the bodies at the start; the patches reach as far as the bodies will.
  constructor(page: Page, bodies: Bodies, start: THREE.Box3) {
    const all = halfSpaces(page);
    const box = start.clone();
    for (let f = 0; f < page.frameCount; f += Math.max(1, page.frameCount >> 4))
      page.bodies.forEach((body, b) => {
        if (body.kind !== "static") box.expandByPoint(new THREE.Vector3(...page.pose(f, b).position));
      });
    const center = box.getCenter(new THREE.Vector3());
    const radius = box.getSize(new THREE.Vector3()).length() / 2;
    const ground = groundOf(all);
    for (const half of all) {
      if (half === ground || Number.isFinite(half.height)) continue;
      const shape = page.bodies[half.body].shapes[half.shape];
      const [w, x, y, z] = shape.rotation;
      const object = patch(radius * 2.4, this.fill, this.line);
      const local = new THREE.Matrix4().compose(
        new THREE.Vector3(...shape.position),
        new THREE.Quaternion(x, y, z, w),
        new THREE.Vector3(1, 1, 1),
      );
      const body = bodies.object(half.body);
      body.updateMatrix();
      const middle = center.clone().applyMatrix4(body.matrix.clone().multiply(local).invert());
      local
        .multiply(new THREE.Matrix4().makeTranslation(middle.x, middle.y, 0))
        .decompose(object.position, object.quaternion, object.scale);
      body.add(object);
      this.patches.push(object);
    }
  }

  get count(): number {
    return this.patches.length;
  }

  // A patch of a plane that no body of the page stands for.
  addPlane(to: THREE.Object3D, point: Vec3, normal: Vec3, size: number): void {
    const object = patch(size, this.fill, this.line);
    object.position.set(...point);
    object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...unit(normal)));
    to.add(object);
    this.patches.push(object);
  }

  setVisible(on: boolean): void {
    for (const object of this.patches) object.visible = on;
  }

  setTheme(dark: boolean): void {
    this.fill.color.setHex(dark ? 0x55626e : 0xb4bec8);
    this.line.color.setHex(dark ? 0x93a2af : 0x7c8994);
  }
}
