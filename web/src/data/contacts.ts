// SPDX-License-Identifier: Apache-2.0
// Contacts of all kept frames. Within a frame they stand sorted by (a, b); a contact counts from the one of the same
// bodies in the kept frame before, a vertex from the vertex of the same number there, else from its neighbor.
import type { Pool } from "./codec";
import type { RawContacts, Vec3 } from "./schema";

export interface ContactTables {
  stride: number;
  first: Int32Array; // of each kept frame, and the end
  bodies: Float64Array; // a, b, sliding
  normals: Float64Array;
  centers: Float64Array;
  wrenches: Float64Array; // force, torque on b
  pressureCenters: Float64Array;
  measures: Float64Array; // area, volume, depth
  vertexFirst: Int32Array;
  points: Float64Array;
  pressures: Float64Array;
  vertexSliding: Float64Array;
}

export function readContacts(raw: RawContacts, pool: Pool): ContactTables {
  const first = sums(pool.integers(raw.counts));
  const bodies = pool.integers(raw.bodies);
  const before = matchContacts(first, bodies);
  const vertexFirst = sums(pool.integers(raw.vertexCounts, before));
  const vertexBefore = matchVertices(vertexFirst, before);
  return {
    stride: raw.stride,
    first,
    bodies,
    normals: pool.numbers(raw.normals, before),
    centers: pool.numbers(raw.centers, before),
    wrenches: pool.numbers(raw.wrenches, before),
    pressureCenters: pool.numbers(raw.pressureCenters, before),
    measures: pool.numbers(raw.measures, before),
    vertexFirst,
    points: pool.numbers(raw.vertexPoints, vertexBefore),
    pressures: pool.numbers(raw.vertexPressures, vertexBefore),
    vertexSliding: pool.integers(raw.vertexSliding, vertexBefore),
  };
}

export class Contacts {
  readonly stride: number;
  readonly first: Int32Array;
  readonly bodies: Float64Array;
  readonly normals: Float64Array;
  readonly centers: Float64Array;
  readonly wrenches: Float64Array;
  readonly pressureCenters: Float64Array;
  readonly measures: Float64Array;
  readonly vertexFirst: Int32Array;
  readonly points: Float64Array;
  readonly pressures: Float64Array;
  readonly vertexSliding: Float64Array;
  readonly largestForce: number;
  readonly typicalForce: number;
  readonly largestPressure: number;

  // `typical`: the force whose arrow is about as long as a body; without it one that few contacts exceed.
  constructor(tables: ContactTables, typical?: number) {
    this.stride = tables.stride;
    this.first = tables.first;
    this.bodies = tables.bodies;
    this.normals = tables.normals;
    this.centers = tables.centers;
    this.wrenches = tables.wrenches;
    this.pressureCenters = tables.pressureCenters;
    this.measures = tables.measures;
    this.vertexFirst = tables.vertexFirst;
    this.points = tables.points;
    this.pressures = tables.pressures;
    this.vertexSliding = tables.vertexSliding;
    const forces: number[] = [];
    for (let i = 0; i < this.count; i++) forces.push(Math.hypot(...this.force(i)));
    forces.sort((p, q) => p - q);
    this.largestForce = forces.length > 0 ? forces[forces.length - 1] : 0;
    this.typicalForce = typical ?? (forces.length > 0 ? forces[Math.floor(forces.length * 0.9)] : 0);
    let largest = 0;
    for (const p of this.pressures) if (p > largest) largest = p;
    this.largestPressure = largest;
  }

  get count(): number {
    return this.bodies.length / 3;
  }
  get vertexCount(): number {
    return this.points.length / 3;
  }
  // First contact and the end of the kept frame at or before `frame`.
  range(frame: number): [number, number] {
    const kept = Math.min(Math.floor(frame / this.stride), this.first.length - 2);
    return kept < 0 ? [0, 0] : [this.first[kept], this.first[kept + 1]];
  }
  bodyA(i: number): number {
    return this.bodies[3 * i];
  }
  bodyB(i: number): number {
    return this.bodies[3 * i + 1];
  }
  sliding(i: number): boolean {
    return this.bodies[3 * i + 2] !== 0;
  }
  normal(i: number): Vec3 {
    return triple(this.normals, 3 * i);
  }
  center(i: number): Vec3 {
    return triple(this.centers, 3 * i);
  }
  force(i: number): Vec3 {
    return triple(this.wrenches, 6 * i);
  }
  torque(i: number): Vec3 {
    return triple(this.wrenches, 6 * i + 3);
  }
  pressureCenter(i: number): Vec3 {
    return triple(this.pressureCenters, 3 * i);
  }
  // The contact of the same pair and number among them in another frame, or -1.
  same(a: number, b: number, number: number, frame: number): number {
    const [begin, end] = this.range(frame);
    let seen = 0;
    for (let i = begin; i < end; i++)
      if (this.bodyA(i) === a && this.bodyB(i) === b) {
        if (seen === number) return i;
        seen++;
      }
    return -1;
  }
}

function triple(array: Float64Array, at: number): Vec3 {
  return [array[at], array[at + 1], array[at + 2]];
}

export function sums(counts: ArrayLike<number>): Int32Array {
  const out = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) out[i + 1] = out[i] + counts[i];
  return out;
}

export function matchContacts(first: Int32Array, bodies: Float64Array): Int32Array {
  const before = new Int32Array(first[first.length - 1]).fill(-1);
  for (let f = 1; f + 1 < first.length; f++) {
    let p = first[f - 1];
    let i = first[f];
    while (p < first[f] && i < first[f + 1]) {
      const order = bodies[3 * p] - bodies[3 * i] || bodies[3 * p + 1] - bodies[3 * i + 1];
      if (order === 0) before[i] = p;
      if (order <= 0) p++;
      if (order >= 0) i++;
    }
  }
  return before;
}

export function matchVertices(first: Int32Array, before: Int32Array): Int32Array {
  const out = new Int32Array(first[first.length - 1]);
  for (let i = 0; i + 1 < first.length; i++) {
    const p = before[i];
    for (let v = first[i]; v < first[i + 1]; v++) {
      const number = v - first[i];
      const match = p >= 0 && number < first[p + 1] - first[p] ? first[p] + number : -1;
      out[v] = match >= 0 ? match : number > 0 ? v - 1 : -1;
    }
  }
  return out;
}
