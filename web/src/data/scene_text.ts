// SPDX-License-Identifier: Apache-2.0
// The scene of a run log (docs/run_log.md) as bodies and meshes. The text comes from a file: nothing in it is trusted.
import type { MeshData } from "./page";
import type { Quat, RawBody, RawShape, Vec3 } from "./schema";

type Fields = Record<string, unknown>;

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function numbers(value: unknown, count: number, fallback: number[]): number[] {
  const given = list(value);
  const good = given.length === count && given.every((x) => typeof x === "number" && Number.isFinite(x));
  return good ? (given as number[]) : fallback;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function readMesh(shape: Fields): MeshData | null {
  const vertices = list(shape["vertices"]).map((v) => numbers(v, 3, [0, 0, 0]));
  if (vertices.length === 0) return null;
  const corners: number[] = [];
  for (const face of list(shape["faces"])) {
    const loop = list(face);
    if (!loop.every((i) => Number.isInteger(i) && (i as number) >= 0 && (i as number) < vertices.length)) continue;
    for (let k = 2; k < loop.length; k++) corners.push(loop[0] as number, loop[k - 1] as number, loop[k] as number);
  }
  return { vertices: Float64Array.from(vertices.flat()), triangles: Float64Array.from(corners) };
}

export interface SceneText {
  gravity: Vec3 | null;
  bodies: RawBody[];
  meshes: MeshData[];
}

export function readScene(json: string, bodyCount: number): SceneText {
  const scene = fields(JSON.parse(json));
  const meshes: MeshData[] = [];
  const known = new Map<string, number>(); // meshes by their text, so that equal shapes share one
  const readShape = (value: unknown): RawShape => {
    const shape = fields(value);
    const pose = numbers(shape["pose"], 7, [0, 0, 0, 1, 0, 0, 0]);
    const key = JSON.stringify([shape["vertices"], shape["faces"]]);
    let mesh = known.get(key) ?? -1;
    const data = mesh < 0 ? readMesh(shape) : null;
    if (data) {
      mesh = meshes.push(data) - 1;
      known.set(key, mesh);
    }
    const color = typeof shape["color"] === "number" ? shape["color"] & 0xffffff : 0;
    return { mesh, position: pose.slice(0, 3) as Vec3, rotation: pose.slice(3) as Quat, color };
  };
  const bodies = list(scene["bodies"]).map((value): RawBody => {
    const body = fields(value);
    const kind = body["kind"] === "static" || body["kind"] === "kinematic" ? body["kind"] : "dynamic";
    const mass = typeof body["mass"] === "number" ? body["mass"] : 0;
    return { name: text(body["name"]), kind, mass, shapes: list(body["shapes"]).map(readShape) };
  });
  if (bodies.length !== bodyCount) throw new Error(`the run has ${bodyCount} bodies and its scene ${bodies.length}`);
  const gravity = numbers(scene["gravity"], 3, []);
  return { gravity: gravity.length === 3 ? (gravity as Vec3) : null, bodies, meshes };
}
