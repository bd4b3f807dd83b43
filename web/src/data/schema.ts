// SPDX-License-Identifier: Apache-2.0
// What the C side writes into the page, as JSON; docs/howto/panels.md describes each field.
import type { Ref } from "./codec";

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w first

export interface RawShape {
  mesh: number; // -1: the half-space z <= 0 of the shape frame
  position: Vec3;
  rotation: Quat;
  color: number; // 0: chosen by number
  covered?: boolean; // a shape of contact whose body has a mesh to be drawn instead
}

export interface RawBody {
  name: string;
  kind: "dynamic" | "static" | "kinematic" | "link";
  mass: number;
  shapes: RawShape[];
}

// A round shape as numbers, for the page to draw as finely as it likes; sizes as of the C side.
export interface RawRound {
  round: "sphere" | "capsule" | "cylinder" | "ellipsoid" | "cone";
  size: Vec3;
}
export type RawMesh = { vertices: Ref; triangles: Ref } | RawRound;

export interface RawContacts {
  stride: number; // contacts are kept of every stride-th frame
  counts: Ref;
  bodies: Ref; // a, b, sliding; a or b is -1 for a body that is not on the page
  normals: Ref;
  centers: Ref;
  wrenches: Ref; // force, torque on b
  pressureCenters: Ref;
  measures: Ref; // area, volume, depth
  vertexCounts: Ref;
  vertexPoints: Ref;
  vertexPressures: Ref;
  vertexSliding: Ref;
}

export interface RawSeries {
  group: string;
  name: string;
  unit: string;
  values: Ref;
}

export interface RawPanel {
  type: string;
}

// A run, or a result that stands still.
export interface RawRun {
  title: string;
  subtitle: string;
  gravity: Vec3;
  stride: number; // of the frames of the run
  times: number[];
  bodies: RawBody[];
  meshes: RawMesh[];
  positions: Ref;
  rotations: Ref;
  there?: Ref; // 1 where a body is there; absent: all bodies all the time
  velocities?: Ref;
  asleep?: Ref;
  islands?: Ref;
  contacts?: RawContacts;
  seriesTimes?: number[]; // of the series; absent: those of the frames
  series: RawSeries[];
  panels: RawPanel[];
}

export interface RawPage extends RawRun {
  format: "abut-page";
  version: number;
  beside?: RawRun; // another run, to be shown beside this one on the same clock
  pool: string;
}

export function isRawPage(value: unknown): value is RawPage {
  return typeof value === "object" && value !== null && "format" in value && value.format === "abut-page";
}
