// SPDX-License-Identifier: Apache-2.0
// Faces of what two bodies of a contact have in common, stretched along the normal to be seen.
import type { Page } from "../data/page";
import { facePlanes, meshFaces, overlapFaces, stretch, type Faces, type Plane } from "../geometry/clip";
import { compose, rotate } from "../geometry/vec";

function shapeFaces(page: Page, body: number, frame: number): { faces: Faces; planes: Plane[] }[] {
  if (body < 0) return [];
  const pose = page.pose(frame, body);
  const { shapes } = page.bodies[body];
  const touching = shapes.some((shape) => shape.covered) ? shapes.filter((shape) => shape.covered) : shapes;
  return touching.map((shape) => {
    const world = compose(pose, shape);
    if (shape.mesh >= 0) {
      const faces = meshFaces(page.meshes[shape.mesh], world);
      return { faces, planes: facePlanes(faces) };
    }
    const normal = rotate(world.rotation, [0, 0, 1]);
    const offset = normal.reduce((s, x, k) => s + x * world.position[k], 0);
    return { faces: [], planes: [{ normal, offset }] };
  });
}

// Of every pair of shapes of the two bodies, each about its own middle.
export function contactOverlap(page: Page, contact: number, frame: number, exaggeration: number): Faces {
  const c = page.contacts;
  if (!c) return [];
  const out: Faces = [];
  for (const a of shapeFaces(page, c.bodyA(contact), frame))
    for (const b of shapeFaces(page, c.bodyB(contact), frame)) {
      const faces = a.faces.length > 0 ? overlapFaces(a.faces, b.planes) : overlapFaces(b.faces, a.planes);
      out.push(...stretch(faces, c.center(contact), c.normal(contact), exaggeration));
    }
  return out;
}
