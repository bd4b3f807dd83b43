// SPDX-License-Identifier: Apache-2.0
// The scene of the playground as a page with one frame that changes. In: what the library tells of bodies and contacts.
// Balls that are not thrown yet are bodies that are not there.
import { Pool } from "../data/codec";
import { Contacts, type ContactTables } from "../data/contacts";
import { Page, type MeshData } from "../data/page";
import { roundMesh } from "../data/round";
import type { RawBody, RawRound, Vec3 } from "../data/schema";
import { length } from "../geometry/vec";
import { stateSize, type Core } from "./core";

type DescribedMesh = { vertices: number[]; triangles: number[] } | RawRound;
interface Described {
  gravity: Vec3;
  step: number;
  balls: number;
  bodies: RawBody[];
  meshes: DescribedMesh[];
}

function meshOf(mesh: DescribedMesh): MeshData {
  if ("round" in mesh) return roundMesh(mesh);
  return { vertices: Float64Array.from(mesh.vertices), triangles: Float64Array.from(mesh.triangles) };
}

function reachOf(mesh: MeshData): number {
  let reach = 0;
  for (let v = 0; v + 2 < mesh.vertices.length; v += 3)
    reach = Math.max(reach, Math.hypot(mesh.vertices[v], mesh.vertices[v + 1], mesh.vertices[v + 2]));
  return reach;
}

// Somewhat smaller than the bodies are in the middle.
function ballRadius(bodies: RawBody[], meshes: MeshData[]): number {
  const sizes = bodies
    .filter((body) => body.kind !== "static")
    .flatMap((body) => body.shapes.filter((s) => s.mesh >= 0).map((s) => reachOf(meshes[s.mesh])))
    .sort((p, q) => p - q);
  return 0.6 * (sizes.at(sizes.length >> 1) ?? 0.1);
}

// The tables of one frame from the numbers of play_contacts.
export function contactTables(numbers: Float64Array): ContactTables {
  const count = numbers[0];
  const rows: Record<"bodies" | "normals" | "centers" | "wrenches" | "pressureCenters" | "measures", number[]> = {
    bodies: [],
    normals: [],
    centers: [],
    wrenches: [],
    pressureCenters: [],
    measures: [],
  };
  const points: number[] = [];
  const pressures: number[] = [];
  const sliding: number[] = [];
  const vertexFirst = [0];
  let at = 1;
  const take = (to: number[], n: number): void => {
    for (let k = 0; k < n; k++) to.push(numbers[at++]);
  };
  for (let i = 0; i < count; i++) {
    take(rows.bodies, 3);
    take(rows.normals, 3);
    take(rows.centers, 3);
    take(rows.wrenches, 6);
    take(rows.pressureCenters, 3);
    take(rows.measures, 3);
    const vertices = numbers[at++];
    for (let v = 0; v < vertices; v++) {
      take(points, 3);
      take(pressures, 1);
      take(sliding, 1);
    }
    vertexFirst.push(vertexFirst[i] + vertices);
  }
  return {
    stride: 1,
    first: Int32Array.of(0, count),
    bodies: Float64Array.from(rows.bodies),
    normals: Float64Array.from(rows.normals),
    centers: Float64Array.from(rows.centers),
    wrenches: Float64Array.from(rows.wrenches),
    pressureCenters: Float64Array.from(rows.pressureCenters),
    measures: Float64Array.from(rows.measures),
    vertexFirst: Int32Array.from(vertexFirst),
    points: Float64Array.from(points),
    pressures: Float64Array.from(pressures),
    vertexSliding: Float64Array.from(sliding),
  };
}

export class Live {
  readonly page: Page;
  readonly ballRadius: number;
  readonly step: number; // as the scene has it, s
  private readonly there: Float64Array;
  private readonly velocities: Float64Array;
  readonly ballMass: number; // somewhat more than that of a body in the middle, kg
  private readonly weight: number; // of a body in the middle, N

  constructor(
    private readonly core: Core,
    scene: string,
  ) {
    const described = core.describe() as Described;
    const { bodies, balls, gravity } = described;
    const meshes = described.meshes.map(meshOf);
    this.step = described.step;
    this.ballRadius = ballRadius(bodies, meshes);
    const masses = bodies.flatMap((body) => (body.mass > 0 ? [body.mass] : [])).sort((p, q) => p - q);
    const mass = masses.at(masses.length >> 1) ?? 1;
    this.ballMass = 3 * mass;
    this.weight = mass * (length(gravity) || 9.81);
    const ball = meshes.push(roundMesh({ round: "sphere", size: [this.ballRadius, this.ballRadius, this.ballRadius] }));
    for (let i = 0; i < balls; i++)
      bodies.push({
        name: `ball${i}`,
        kind: "dynamic",
        mass: this.ballMass,
        shapes: [{ mesh: ball - 1, position: [0, 0, 0], rotation: [1, 0, 0, 0], color: 0xd94f3d }],
      });
    const n = bodies.length;
    this.there = new Float64Array(n);
    this.velocities = new Float64Array(6 * n);
    this.page = new Page({
      title: scene,
      subtitle: "",
      gravity,
      stride: 1,
      times: Float64Array.of(0),
      bodies,
      meshes,
      contacts: null,
      series: [],
      seriesTimes: Float64Array.of(0),
      panels: [],
      asleep: null,
      islands: null,
      positions: new Float64Array(3 * n),
      rotations: new Float64Array(4 * n),
      there: this.there,
      velocities: this.velocities,
      pool: new Pool(new Uint8Array(0)),
      live: true,
    });
    this.read();
  }

  // What the library says now.
  read(): void {
    const { page } = this;
    const state = this.core.state();
    for (let b = 0; b < page.bodies.length; b++) {
      const at = stateSize * b;
      page.positions.set(state.subarray(at, at + 3), 3 * b);
      page.rotations.set(state.subarray(at + 3, at + 7), 4 * b);
      this.velocities.set(state.subarray(at + 7, at + 13), 6 * b);
      this.there[b] = state[at + 13];
    }
    page.contacts = new Contacts(contactTables(this.core.contacts()), 2 * this.weight);
  }
}
