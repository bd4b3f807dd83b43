// SPDX-License-Identifier: Apache-2.0
// Which shapes are the walls of a container: those of bodies that stand still, reach higher than the bodies among them,
// and together enclose at least half of what moves, at the end of the run, or in a live scene have it above them. Out:
// "body,shape" of each.
import type { Page } from "../data/page";
import type { RawShape, Vec3 } from "../data/schema";
import { compose, transform } from "../geometry/vec";

export interface Box {
  low: Vec3;
  high: Vec3;
}

export function emptyBox(): Box {
  return { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
}

export function growBox(box: Box, p: Vec3): void {
  for (let k = 0; k < 3; k++) {
    box.low[k] = Math.min(box.low[k], p[k]);
    box.high[k] = Math.max(box.high[k], p[k]);
  }
}

function shapeBox(page: Page, frame: number, body: number, shape: RawShape): Box {
  const box = emptyBox();
  const pose = compose(page.pose(frame, body), shape);
  const vertices = page.meshes[shape.mesh].vertices;
  for (let v = 0; v + 2 < vertices.length; v += 3)
    growBox(box, transform(pose, [vertices[v], vertices[v + 1], vertices[v + 2]]));
  return box;
}

export function containerShapes(page: Page): Set<string> {
  const frame = page.frameCount - 1;
  const walls: { key: string; box: Box }[] = [];
  const all = emptyBox();
  page.bodies.forEach((body, b) => {
    if (body.kind !== "static") return;
    body.shapes.forEach((shape, s) => {
      if (shape.mesh < 0) return;
      const box = shapeBox(page, frame, b, shape);
      growBox(all, box.low);
      growBox(all, box.high);
      walls.push({ key: `${b},${s}`, box });
    });
  });
  const moving = page.bodies.flatMap((body, b) =>
    body.kind === "static" || !page.isThere(frame, b) ? [] : [page.pose(frame, b).position],
  );
  if (page.live) all.high[2] = Infinity;
  const inside = moving.filter((p) => p.every((x, k) => x > all.low[k] && x < all.high[k]));
  if (inside.length === 0 || inside.length * 2 < moving.length) return new Set();
  const lowest = page.live ? all.low[2] : Math.min(...inside.map((p) => p[2]));
  return new Set(walls.filter((wall) => wall.box.high[2] > lowest).map((wall) => wall.key));
}
