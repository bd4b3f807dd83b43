// SPDX-License-Identifier: Apache-2.0
// The page in memory: bodies, poses over time, contacts, series.
import { openPool, type Pool, type Ref } from "./codec";
import { Contacts } from "./contacts";
import type { Quat, RawBody, RawPage, RawPanel, RawRun, Vec3 } from "./schema";

export interface MeshData {
  vertices: Float64Array;
  triangles: Float64Array;
}

export interface Series {
  group: string;
  name: string;
  unit: string;
  values: Float64Array;
}

export interface Pose {
  position: Vec3;
  rotation: Quat;
}

export class Page {
  readonly title: string;
  readonly subtitle: string;
  readonly gravity: Vec3;
  readonly stride: number;
  readonly times: Float64Array;
  readonly bodies: RawBody[];
  readonly meshes: MeshData[];
  readonly contacts: Contacts | null;
  readonly series: Series[];
  readonly seriesTimes: Float64Array;
  readonly panels: RawPanel[];
  readonly asleep: Float64Array | null;
  readonly islands: Float64Array | null;
  readonly positions: Float64Array;
  readonly rotations: Float64Array;
  private readonly there: Float64Array | null;
  private readonly velocities: Float64Array | null;

  constructor(
    raw: RawRun,
    readonly pool: Pool,
  ) {
    this.title = raw.title;
    this.subtitle = raw.subtitle;
    this.stride = raw.stride;
    this.times = Float64Array.from(raw.times);
    this.gravity = raw.gravity;
    this.bodies = raw.bodies;
    const read = (m: { vertices: Ref; triangles: Ref }): MeshData => ({
      vertices: pool.numbers(m.vertices),
      triangles: pool.integers(m.triangles),
    });
    this.meshes = raw.meshes.map(read);
    this.positions = pool.numbers(raw.positions);
    this.rotations = pool.numbers(raw.rotations);
    this.there = raw.there ? pool.integers(raw.there) : null;
    this.velocities = raw.velocities ? pool.numbers(raw.velocities) : null;
    this.asleep = raw.asleep ? pool.integers(raw.asleep) : null;
    this.islands = raw.islands ? pool.integers(raw.islands) : null;
    this.contacts = raw.contacts ? new Contacts(raw.contacts, pool) : null;
    this.series = raw.series.map((s) => ({ ...s, values: pool.numbers(s.values) }));
    this.seriesTimes = raw.seriesTimes ? Float64Array.from(raw.seriesTimes) : this.times;
    this.panels = raw.panels;
  }

  nameOf(body: number): string {
    return body < 0 ? "an unknown body" : this.bodies[body].name || `body ${body}`;
  }
  get frameCount(): number {
    return this.times.length;
  }
  get duration(): number {
    return this.times[this.frameCount - 1] - this.times[0];
  }

  // The last frame at or before `time`.
  frameAt(time: number): number {
    return lastUpTo(this.times, time);
  }

  // Is the body there in this frame? Where it is not, its pose is the last it had, or the first it will have.
  isThere(frame: number, body: number): boolean {
    return !this.there || this.there[frame * this.bodies.length + body] !== 0;
  }

  pose(frame: number, body: number): Pose {
    const i = frame * this.bodies.length + body;
    const p = this.positions;
    const q = this.rotations;
    const rotation: Quat = [q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]];
    return { position: [p[3 * i], p[3 * i + 1], p[3 * i + 2]], rotation: normalized(rotation) };
  }

  // Between two frames: positions on a line, rotations on the short arc. A body that is about to go stays where it is.
  poseAt(time: number, body: number): Pose {
    const frame = this.frameAt(time);
    const a = this.pose(frame, body);
    if (frame + 1 >= this.frameCount || !this.isThere(frame + 1, body)) return a;
    const t = (time - this.times[frame]) / (this.times[frame + 1] - this.times[frame]);
    if (!(t > 1e-6)) return a;
    const b = this.pose(frame + 1, body);
    const sign = a.rotation.reduce((sum, value, i) => sum + value * b.rotation[i], 0) < 0 ? -1 : 1;
    const mix = (p: number, q: number): number => p + t * (q - p);
    return {
      position: a.position.map((value, i) => mix(value, b.position[i])) as Vec3,
      rotation: normalized(a.rotation.map((value, i) => mix(value, sign * b.rotation[i])) as Quat),
    };
  }

  velocity(frame: number, body: number): Vec3 {
    const n = this.bodies.length;
    if (this.velocities) {
      const at = 6 * (frame * n + body);
      return [this.velocities[at], this.velocities[at + 1], this.velocities[at + 2]];
    }
    const next = Math.min(frame + 1, this.frameCount - 1);
    const last = Math.max(next - 1, 0);
    if (next === last) return [0, 0, 0];
    const dt = this.times[next] - this.times[last];
    const a = this.pose(last, body).position;
    const b = this.pose(next, body).position;
    return [(b[0] - a[0]) / dt, (b[1] - a[1]) / dt, (b[2] - a[2]) / dt];
  }

  spin(frame: number, body: number): Vec3 | null {
    if (!this.velocities) return null;
    const at = 6 * (frame * this.bodies.length + body) + 3;
    return [this.velocities[at], this.velocities[at + 1], this.velocities[at + 2]];
  }

  // What the page leaves out of the frames and contacts of the run, in words; "" when nothing.
  get thinning(): string {
    const parts = this.stride > 1 ? [`1 of ${this.stride} frames`] : [];
    const contacts = this.stride * (this.contacts?.stride ?? 1);
    if (contacts > this.stride) parts.push(`contacts of 1 of ${contacts} frames`);
    return parts.join(", ");
  }

  // Sum of the contact forces on one body.
  contactForce(frame: number, body: number): Vec3 {
    const sum: Vec3 = [0, 0, 0];
    if (!this.contacts) return sum;
    const [begin, end] = this.contacts.range(frame);
    for (let i = begin; i < end; i++) {
      const sign = (this.contacts.bodyB(i) === body ? 1 : 0) - (this.contacts.bodyA(i) === body ? 1 : 0);
      if (sign === 0) continue;
      const f = this.contacts.force(i);
      for (let k = 0; k < 3; k++) sum[k] += sign * f[k];
    }
    return sum;
  }
}

// The number of the last time at or before `time`; 0 when there is none.
export function lastUpTo(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length - 1;
  const slack = 1e-9 * Math.max(1, Math.abs(time));
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + slack) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The times of several runs in one list, each once.
export function mergedTimes(all: ArrayLike<number>[]): Float64Array {
  const sorted = Float64Array.from(all.flatMap((times) => Array.from(times))).sort();
  return sorted.filter((t, i) => i === 0 || t - sorted[i - 1] > 1e-9 * Math.max(1, Math.abs(t)));
}

export function normalized(q: Quat): Quat {
  const length = Math.hypot(...q);
  return length > 0 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : [1, 0, 0, 0];
}

// The run of the page, and the one beside it where there is one.
export async function openPages(raw: RawPage): Promise<Page[]> {
  const pool = await openPool(raw.pool);
  return (raw.beside ? [raw, raw.beside] : [raw]).map((one) => new Page(one, pool));
}
