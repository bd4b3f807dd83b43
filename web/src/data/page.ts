// SPDX-License-Identifier: Apache-2.0
// The page in memory: bodies, poses over time, contacts, series.
import { openPool, type Pool, type Ref } from "./codec";
import { Contacts, readContacts } from "./contacts";
import { roundMesh } from "./round";
import type { Quat, RawBody, RawMesh, RawPage, RawPanel, RawRun, Vec3 } from "./schema";

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

// What a page has in it, decoded. Tables of frames are [frame][body][column].
export interface PageContent {
  title: string;
  subtitle: string;
  gravity: Vec3;
  stride: number;
  times: Float64Array;
  bodies: RawBody[];
  meshes: MeshData[];
  contacts: Contacts | null;
  series: Series[];
  seriesTimes: Float64Array;
  panels: RawPanel[];
  asleep: Float64Array | null;
  islands: Float64Array | null;
  positions: Float64Array;
  rotations: Float64Array;
  there: Float64Array | null;
  velocities: Float64Array | null;
  pool: Pool;
  live: boolean; // its one frame changes while it is looked at
}

export function readRun(raw: RawRun, pool: Pool): PageContent {
  const times = Float64Array.from(raw.times);
  const optional = (ref: Ref | undefined): Float64Array | null => (ref ? pool.integers(ref) : null);
  const read = (m: RawMesh): MeshData =>
    "round" in m ? roundMesh(m) : { vertices: pool.numbers(m.vertices), triangles: pool.integers(m.triangles) };
  return {
    title: raw.title,
    subtitle: raw.subtitle,
    stride: raw.stride,
    times,
    gravity: raw.gravity,
    bodies: raw.bodies,
    meshes: raw.meshes.map(read),
    positions: pool.numbers(raw.positions),
    rotations: pool.numbers(raw.rotations),
    there: optional(raw.there),
    velocities: raw.velocities ? pool.numbers(raw.velocities) : null,
    asleep: optional(raw.asleep),
    islands: optional(raw.islands),
    contacts: raw.contacts ? new Contacts(readContacts(raw.contacts, pool)) : null,
    series: raw.series.map((s) => ({ ...s, values: pool.numbers(s.values) })),
    seriesTimes: raw.seriesTimes ? Float64Array.from(raw.seriesTimes) : times,
    panels: raw.panels,
    pool,
    live: false,
  };
}

export class Page {
  readonly title: string;
  readonly subtitle: string;
  gravity: Vec3;
  readonly stride: number;
  readonly times: Float64Array;
  readonly bodies: RawBody[];
  readonly meshes: MeshData[];
  contacts: Contacts | null;
  readonly series: Series[];
  readonly seriesTimes: Float64Array;
  readonly panels: RawPanel[];
  readonly asleep: Float64Array | null;
  readonly islands: Float64Array | null;
  readonly positions: Float64Array;
  readonly rotations: Float64Array;
  readonly pool: Pool;
  readonly live: boolean;
  private readonly there: Float64Array | null;
  private readonly velocities: Float64Array | null;

  constructor(content: PageContent) {
    this.title = content.title;
    this.subtitle = content.subtitle;
    this.gravity = content.gravity;
    this.stride = content.stride;
    this.times = content.times;
    this.bodies = content.bodies;
    this.meshes = content.meshes;
    this.contacts = content.contacts;
    this.series = content.series;
    this.seriesTimes = content.seriesTimes;
    this.panels = content.panels;
    this.asleep = content.asleep;
    this.islands = content.islands;
    this.positions = content.positions;
    this.rotations = content.rotations;
    this.pool = content.pool;
    this.live = content.live;
    this.there = content.there;
    this.velocities = content.velocities;
  }

  // Does anything change: is there more than one frame, or is the one alive?
  get moves(): boolean {
    return this.live || this.frameCount > 1;
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
  return (raw.beside ? [raw, raw.beside] : [raw]).map((one) => new Page(readRun(one, pool)));
}
