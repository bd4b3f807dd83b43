// SPDX-License-Identifier: Apache-2.0
// Where the bodies are, frame by frame, without the few that strayed, and smoothed over time: what the camera follows
// until the reader moves it. Smoothing never makes a box smaller than it is at that time. In a live scene, whose future is
// not known, the box follows what there is, a little at a time.
import type { Page } from "../data/page";
import type { Vec3 } from "../data/schema";
import { add, length, scale, sub, transform } from "../geometry/vec";
import { emptyBox, growBox, type Box } from "./containers";

const samples = 120; // framed times; between them the camera moves evenly
const livePart = 0.06; // of the way to the present box, at every picture

// The smallest and largest of values; those that lie far outside of what ten twelfths take up do not count.
export function withoutStrays(values: number[], slack: number): [number, number] {
  const sorted = [...values].sort((p, q) => p - q);
  const cut = Math.floor(sorted.length / 12);
  const low = sorted[cut];
  const high = sorted[sorted.length - 1 - cut];
  const reach = 1.5 * (high - low) + slack;
  const kept = sorted.filter((x) => x >= low - reach && x <= high + reach);
  return [kept[0], kept[kept.length - 1]];
}

// The middle of what is drawn of a body, in its frame, whose origin may be anywhere, and how far it reaches from there.
export function extentOf(page: Page, body: number): { middle: Vec3; reach: number } {
  const box = emptyBox();
  for (const shape of page.bodies[body].shapes) {
    const vertices = shape.mesh < 0 ? [] : page.meshes[shape.mesh].vertices;
    for (let v = 0; v + 2 < vertices.length; v += 3)
      growBox(box, transform(shape, [vertices[v], vertices[v + 1], vertices[v + 2]]));
  }
  if (!(box.low[0] <= box.high[0])) return { middle: [0, 0, 0], reach: 0 };
  return { middle: scale(add(box.low, box.high), 0.5), reach: length(sub(box.high, box.low)) / 2 };
}

function mixed(a: Box, b: Box, t: number): Box {
  const mix = (p: Vec3, q: Vec3): Vec3 => add(p, scale(sub(q, p), t));
  return { low: mix(a.low, b.low), high: mix(a.high, b.high) };
}

export class Framing {
  readonly moving: number[];
  readonly extents: { middle: Vec3; reach: number }[];
  private readonly boxes: Box[] = [];
  constructor(private readonly page: Page) {
    const moving = page.bodies.flatMap((body, b) => (body.kind === "static" ? [] : [b]));
    const extents = page.bodies.map((_, b) => extentOf(page, b));
    this.moving = moving;
    this.extents = extents;
    if (page.live) return;
    const raw: Box[] = [];
    const count = Math.min(samples, page.frameCount);
    for (let s = 0; s < count && moving.length > 0; s++)
      raw.push(this.boxOfMoving(Math.round((s * (page.frameCount - 1)) / Math.max(count - 1, 1))));
    const reach = Math.max(1, Math.round(count / 16));
    raw.forEach((own, i) => {
      const near = raw.slice(Math.max(0, i - reach), i + reach + 1);
      const mean = (value: (box: Box) => number): number =>
        near.reduce((sum, box) => sum + value(box), 0) / near.length;
      this.boxes.push({
        low: own.low.map((x, k) =>
          Math.min(
            x,
            mean((box) => box.low[k]),
          ),
        ) as Vec3,
        high: own.high.map((x, k) =>
          Math.max(
            x,
            mean((box) => box.high[k]),
          ),
        ) as Vec3,
      });
    });
  }

  private boxOfMoving(frame: number): Box {
    const there = this.moving.filter((b) => this.page.isThere(frame, b));
    return this.boxAt(frame, there.length > 0 ? there : this.moving, this.extents);
  }

  private boxAt(frame: number, bodies: number[], extents: { middle: Vec3; reach: number }[]): Box {
    const at = bodies.map((b) => transform(this.page.pose(frame, b), extents[b].middle));
    const largest = Math.max(...bodies.map((b) => extents[b].reach));
    const ends = [0, 1, 2].map((k) =>
      withoutStrays(
        at.map((p) => p[k]),
        4 * largest,
      ),
    );
    return {
      low: ends.map(([low]) => low - largest) as Vec3,
      high: ends.map(([, high]) => high + largest) as Vec3,
    };
  }

  // Balls around the bodies that did not stray.
  balls(time: number, box: Box): { at: Vec3; reach: number }[] {
    if (this.page.live) return []; // they come and go: the box alone moves evenly
    const frame = this.page.frameAt(time);
    return this.moving.flatMap((b) => {
      if (!this.page.isThere(frame, b)) return [];
      const { middle, reach } = this.extents[b];
      const at = transform(this.page.poseAt(time, b), middle);
      return at.every((x, k) => x >= box.low[k] && x <= box.high[k]) ? [{ at, reach }] : [];
    });
  }

  private liveBox(): Box | null {
    if (this.moving.length === 0) return null;
    const now = this.boxOfMoving(0);
    const [before] = this.boxes;
    this.boxes[0] = this.boxes.length > 0 ? mixed(before, now, livePart) : now;
    return this.boxes[0];
  }

  at(time: number): Box | null {
    if (this.page.live) return this.liveBox();
    if (this.boxes.length === 0) return null;
    const start = this.page.times[0];
    const part = this.page.duration > 0 ? (time - start) / this.page.duration : 0;
    const x = Math.min(Math.max(part, 0), 1) * (this.boxes.length - 1);
    const i = Math.min(Math.floor(x), Math.max(this.boxes.length - 2, 0));
    return mixed(this.boxes[i], this.boxes[Math.min(i + 1, this.boxes.length - 1)], x - i);
  }
}
