// SPDX-License-Identifier: Apache-2.0
// Where the bodies are, frame by frame, without the few that strayed, and smoothed over time: what the camera follows
// until the reader moves it.
import type { Page } from "../data/page";
import type { Vec3 } from "../data/schema";
import { add, scale, transform } from "../geometry/vec";

export interface Frame {
  center: Vec3;
  radius: number;
}

const samples = 120; // framed times; between them the camera moves evenly

// The middle of values without a twelfth on either side, and half the extent.
export function trimmed(values: number[]): [number, number] {
  const sorted = [...values].sort((p, q) => p - q);
  const cut = Math.floor(sorted.length / 12);
  const low = sorted[cut];
  const high = sorted[sorted.length - 1 - cut];
  return [(low + high) / 2, (high - low) / 2];
}

// The middle of what is drawn of a body, in its frame, whose origin may be anywhere.
export function middleOf(page: Page, body: number): Vec3 {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const shape of page.bodies[body].shapes) {
    const vertices = shape.mesh < 0 ? [] : page.meshes[shape.mesh].vertices;
    for (let v = 0; v + 2 < vertices.length; v += 3) {
      const p = transform(shape, [vertices[v], vertices[v + 1], vertices[v + 2]]);
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], p[k]);
        high[k] = Math.max(high[k], p[k]);
      }
    }
  }
  return low[0] <= high[0] ? scale(add(low, high), 0.5) : [0, 0, 0];
}

export class Framing {
  private readonly frames: Frame[] = [];
  constructor(
    private readonly page: Page,
    margin: number,
  ) {
    const moving = page.bodies.flatMap((body, b) => (body.kind === "static" ? [] : [b]));
    const middles = page.bodies.map((_, b) => middleOf(page, b));
    const raw: Frame[] = [];
    const tight = moving.length < 24 ? 0.95 : 0.75; // of a sphere around the box; many bodies fill no corners
    const count = Math.min(samples, page.frameCount);
    for (let s = 0; s < count && moving.length > 0; s++) {
      const frame = Math.round((s * (page.frameCount - 1)) / Math.max(count - 1, 1));
      const there = moving.filter((b) => page.isThere(frame, b));
      const at = (there.length > 0 ? there : moving).map((b) => transform(page.pose(frame, b), middles[b]));
      const [x, y, z] = [0, 1, 2].map((k) => trimmed(at.map((p) => p[k])));
      raw.push({
        center: [x[0], y[0], z[0]],
        radius: tight * Math.hypot(x[1], y[1], z[1]) + 0.75 * margin,
      });
    }
    const reach = Math.max(1, Math.round(count / 16));
    raw.forEach((_, i) => {
      const near = raw.slice(Math.max(0, i - reach), i + reach + 1);
      const mean = (value: (f: Frame) => number): number => near.reduce((s, f) => s + value(f), 0) / near.length;
      const center: Vec3 = [mean((f) => f.center[0]), mean((f) => f.center[1]), mean((f) => f.center[2])];
      this.frames.push({ center, radius: mean((f) => f.radius) });
    });
  }

  at(time: number): Frame | null {
    if (this.frames.length === 0) return null;
    const start = this.page.times[0];
    const part = this.page.duration > 0 ? (time - start) / this.page.duration : 0;
    const x = Math.min(Math.max(part, 0), 1) * (this.frames.length - 1);
    const i = Math.min(Math.floor(x), Math.max(this.frames.length - 2, 0));
    const a = this.frames[i];
    const b = this.frames[Math.min(i + 1, this.frames.length - 1)];
    const mix = (p: number, q: number): number => p + (x - i) * (q - p);
    return {
      center: [mix(a.center[0], b.center[0]), mix(a.center[1], b.center[1]), mix(a.center[2], b.center[2])],
      radius: mix(a.radius, b.radius),
    };
  }
}
