// SPDX-License-Identifier: Apache-2.0
// What is drawn of the contacts of one frame: polygons, wrenches, centres of pressure, pressure, overlaps; and velocities.
import * as THREE from "three";
import type { Page } from "../data/page";
import type { Vec3 } from "../data/schema";
import { facePlanes, meshFaces, overlapFaces, stretch, type Faces, type Plane } from "../geometry/clip";
import { compose, length, rotate, scale } from "../geometry/vec";
import { Arrows, Balls, Polygons, type Arrow, type Ball } from "./arrows";
import { colors } from "./colors";

export const layerNames = {
  polygons: "Contact polygons",
  forces: "Contact forces",
  torques: "Contact torques",
  pressureCenters: "Centres of pressure",
  pressures: "Pressure at the vertices",
  overlaps: "Overlaps, exaggerated",
  velocities: "Velocities",
} as const;
export type LayerName = keyof typeof layerNames;

function capped(vector: Vec3, longest: number): Vec3 {
  const l = length(vector);
  return l > longest ? scale(vector, longest / l) : vector;
}

export class ContactLayers {
  readonly group = new THREE.Group();
  readonly shown: Record<LayerName, boolean> = {
    polygons: true,
    forces: true,
    torques: false,
    pressureCenters: false,
    pressures: false,
    overlaps: false,
    velocities: false,
  };
  selected = -1;
  forceScale = 1;
  exaggeration = 10;
  private readonly polygons = new Polygons(10, 0.3);
  private readonly overlaps = new Polygons(11, 0.5);
  private readonly arrows = new Arrows(13);
  private readonly balls = new Balls(12);

  constructor(
    private readonly page: Page,
    private readonly size: number, // typical size of a body, m
    private readonly topSpeed: number,
  ) {
    this.group.add(this.overlaps.mesh, this.overlaps.lines, this.polygons.mesh, this.polygons.lines);
    this.group.add(this.balls.group, this.arrows.group);
  }

  update(frame: number): void {
    const arrows: Arrow[] = [];
    const balls: Ball[] = [];
    const polygons: { corners: Vec3[]; color: number; owner: number }[] = [];
    const overlaps: { corners: Vec3[]; color: number; owner: number }[] = [];
    const contacts = this.page.contacts;
    const [begin, end] = contacts ? contacts.range(frame) : [0, 0];
    for (let i = begin; i < end; i++) {
      if (this.shown.polygons) polygons.push(this.polygon(i));
      if (this.shown.overlaps)
        for (const corners of this.overlap(i, frame)) overlaps.push({ corners, color: colors.overlap, owner: i });
      this.marks(i, arrows, balls);
    }
    if (this.shown.velocities) this.velocityArrows(frame, arrows);
    this.polygons.set(polygons);
    this.overlaps.set(overlaps);
    this.arrows.set(arrows);
    this.balls.set(balls);
  }

  private polygon(i: number): { corners: Vec3[]; color: number; owner: number } {
    const c = this.page.contacts;
    const corners: Vec3[] = [];
    if (c)
      for (let v = c.vertexFirst[i]; v < c.vertexFirst[i + 1]; v++)
        corners.push([c.points[3 * v], c.points[3 * v + 1], c.points[3 * v + 2]]);
    const color = i === this.selected ? colors.select : c?.sliding(i) ? colors.slip : colors.stick;
    return { corners, color, owner: i };
  }

  private marks(i: number, arrows: Arrow[], balls: Ball[]): void {
    const c = this.page.contacts;
    if (!c) return;
    const width = this.size * 0.02;
    const force = (this.size * 0.9 * this.forceScale) / (c.typicalForce || 1);
    const center = c.center(i);
    const longest = this.size * 3 * this.forceScale; // an impact does not fill the view
    if (this.shown.forces)
      arrows.push({ from: center, vector: capped(scale(c.force(i), force), longest), color: colors.force, width });
    if (this.shown.torques) {
      const vector = capped(scale(c.torque(i), (force * 4) / this.size), longest);
      arrows.push({ from: center, vector, color: colors.torque, width });
    }
    if (this.shown.pressureCenters)
      balls.push({ at: c.pressureCenter(i), radius: this.size * 0.045, color: colors.pressureCenter });
    if (!this.shown.pressures) return;
    for (let v = c.vertexFirst[i]; v < c.vertexFirst[i + 1]; v++) {
      const point: Vec3 = [c.points[3 * v], c.points[3 * v + 1], c.points[3 * v + 2]];
      const part = c.largestPressure > 0 ? Math.sqrt(Math.max(c.pressures[v], 0) / c.largestPressure) : 0;
      const color = c.vertexSliding[v] ? colors.slip : colors.pressure;
      balls.push({ at: point, radius: this.size * (0.012 + 0.1 * part * this.forceScale), color });
    }
  }

  private velocityArrows(frame: number, arrows: Arrow[]): void {
    this.page.bodies.forEach((body, b) => {
      if (body.kind === "static" || !this.page.isThere(frame, b)) return;
      const vector = scale(this.page.velocity(frame, b), (this.size * 2) / this.topSpeed);
      const from = this.page.pose(frame, b).position;
      arrows.push({ from, vector, color: colors.velocity, width: this.size * 0.02 });
    });
  }

  // Overlap of every pair of shapes of the two bodies, stretched along the normal about its own middle.
  private overlap(i: number, frame: number): Faces {
    const c = this.page.contacts;
    if (!c) return [];
    const planes = (body: number): { faces: Faces; planes: Plane[] }[] => {
      if (body < 0) return [];
      const pose = this.page.pose(frame, body);
      return this.page.bodies[body].shapes.map((shape) => {
        const world = compose(pose, shape);
        if (shape.mesh >= 0) {
          const faces = meshFaces(this.page.meshes[shape.mesh], world);
          return { faces, planes: facePlanes(faces) };
        }
        const normal = rotate(world.rotation, [0, 0, 1]);
        const offset = normal.reduce((s, x, k) => s + x * world.position[k], 0);
        return { faces: [], planes: [{ normal, offset }] };
      });
    };
    const out: Faces = [];
    for (const a of planes(c.bodyA(i)))
      for (const b of planes(c.bodyB(i))) {
        const faces = a.faces.length > 0 ? overlapFaces(a.faces, b.planes) : overlapFaces(b.faces, a.planes);
        out.push(...stretch(faces, c.center(i), c.normal(i), this.exaggeration));
      }
    return out;
  }

  // The contact whose polygon the ray meets first, or -1.
  pick(ray: THREE.Raycaster): number {
    if (!this.shown.polygons) return -1;
    const hits = ray.intersectObject(this.polygons.mesh, false);
    const face = hits.length > 0 ? hits[0].faceIndex : null;
    return typeof face === "number" ? this.polygons.ownerOf(face) : -1;
  }
}
