// SPDX-License-Identifier: Apache-2.0
// What is drawn of the contacts of one frame: polygons, wrenches, centers of pressure, pressure, the thrust line,
// overlaps; and velocities. Polygons lie inside the bodies by some of their depth: to be seen at all without x-ray they
// are drawn a little nearer to the camera, by shrinking them about it, which moves no point of the picture.
import * as THREE from "three";
import type { Page } from "../data/page";
import type { Vec3 } from "../data/schema";
import { dot, length, scale, unit } from "../geometry/vec";
import { Arrows, Balls, Polygons, Rods, type Arrow, type Ball, type Polygon } from "./arrows";
import { colors, ramp } from "./colors";
import { roundDown } from "./ground";
import { contactOverlap } from "./overlap_faces";
import { scaleText } from "./scale_text";
import { strongest, thrustLines } from "./thrust";

export const layerNames = {
  polygons: "Contact polygons",
  forces: "Contact forces",
  torques: "Contact torques",
  pressureCenters: "Centers of pressure",
  pressures: "Pressure",
  thrust: "Thrust line",
  overlaps: "Overlaps, exaggerated",
  velocities: "Velocities",
} as const;
export type LayerName = keyof typeof layerNames;

export const arrowLimit = 60; // by default no more arrows than this
const longestPart = 0.3; // of the height of the picture

export class ContactLayers {
  readonly group = new THREE.Group();
  readonly shown: Record<LayerName, boolean> = {
    polygons: true,
    forces: true,
    torques: false,
    pressureCenters: false,
    pressures: false,
    thrust: false,
    overlaps: false,
    velocities: false,
  };
  selected = -1; // contact
  selectedBody = -1;
  forceScale = 1;
  exaggeration = 10;
  allArrows = false;
  forcesOn: "above" | "below" = "above";
  viewHeight = Infinity; // of the picture, m
  private xray = false;
  private shortened = 0;
  private drawn: [number, number] = [0, 0]; // contacts with arrows, of how many
  private readonly flat = new THREE.Group();
  private readonly polygons = new Polygons(10, 0.4, true);
  private readonly overlaps = new Polygons(11, 0.5);
  private readonly arrows = new Arrows(14);
  private readonly rods = new Rods(12);
  private readonly balls = new Balls(13);
  private readonly perNewton: number; // m

  constructor(
    private readonly page: Page,
    private readonly size: number, // typical size of a body, m
    private readonly topSpeed: number,
  ) {
    this.perNewton = roundDown((this.size * 0.9) / (page.contacts?.typicalForce || 1));
    this.flat.add(this.polygons.mesh, this.polygons.lines);
    this.group.add(this.overlaps.mesh, this.overlaps.lines, this.flat);
    this.group.add(this.rods.group, this.balls.group, this.arrows.group);
  }

  get hasXray(): boolean {
    return this.xray;
  }
  setXray(on: boolean): void {
    this.xray = on;
    this.polygons.setOnTop(on);
  }

  // Polygons a fiftieth of a body nearer to the camera.
  nudge(camera: THREE.Vector3, distance: number): void {
    const s = this.xray ? 1 : 1 - Math.min(0.02 * (this.size / distance), 0.5);
    this.flat.scale.setScalar(s);
    this.flat.position.copy(camera).multiplyScalar(1 - s);
    this.flat.updateMatrixWorld(true);
  }

  update(frame: number): void {
    const arrows: Arrow[] = [];
    const balls: Ball[] = [];
    const polygons: Polygon[] = [];
    const overlaps: Polygon[] = [];
    const contacts = this.page.contacts;
    const [begin, end] = contacts ? contacts.range(frame) : [0, 0];
    this.shortened = 0;
    const strong = contacts && !this.allArrows ? strongest(contacts, begin, end, arrowLimit) : null;
    this.drawn = [strong ? strong.size : end - begin, end - begin];
    for (let i = begin; i < end; i++) {
      if (this.shown.polygons || this.shown.pressures) polygons.push(this.polygon(i));
      if (this.shown.overlaps)
        for (const corners of contactOverlap(this.page, i, frame, this.exaggeration))
          overlaps.push({ corners, color: colors.overlap, owner: i });
      if (!strong || strong.has(i)) this.wrench(i, arrows);
      this.marks(i, balls);
    }
    if (this.shown.velocities) this.velocityArrows(frame, arrows);
    this.polygons.set(polygons);
    this.overlaps.set(overlaps);
    this.arrows.set(arrows);
    this.balls.set(balls);
    this.rods.set(this.shown.thrust ? this.thrust(frame) : []);
  }

  private polygon(i: number): Polygon {
    const c = this.page.contacts;
    const corners: Vec3[] = [];
    const shades: number[] = [];
    if (c)
      for (let v = c.vertexFirst[i]; v < c.vertexFirst[i + 1]; v++) {
        corners.push([c.points[3 * v], c.points[3 * v + 1], c.points[3 * v + 2]]);
        shades.push(ramp(c.largestPressure > 0 ? Math.sqrt(Math.max(c.pressures[v], 0) / c.largestPressure) : 0));
      }
    const color = i === this.selected ? colors.select : c?.sliding(i) ? colors.slip : colors.stick;
    return { corners, color, owner: i, ...(this.shown.pressures && i !== this.selected ? { shades } : {}) };
  }

  // 1: the wrench as it acts on body b of the contact; -1: on body a. On the selected body, else as chosen.
  actsOn(i: number): 1 | -1 {
    const c = this.page.contacts;
    if (!c) return 1;
    if (this.selectedBody >= 0 && c.bodyB(i) === this.selectedBody) return 1;
    if (this.selectedBody >= 0 && c.bodyA(i) === this.selectedBody) return -1;
    const down = length(this.page.gravity) > 0 ? unit(this.page.gravity) : ([0, 0, -1] as Vec3);
    const above = dot(c.normal(i), down) <= 1e-6;
    return above === (this.forcesOn === "above") ? 1 : -1;
  }

  // As long as it is drawn: an impact does not fill the view.
  private capped(vector: Vec3): Vec3 {
    const longest = this.viewHeight * longestPart;
    const l = length(vector);
    if (!(l > longest)) return vector;
    this.shortened++;
    return scale(vector, longest / l);
  }

  private wrench(i: number, arrows: Arrow[]): void {
    const c = this.page.contacts;
    if (!c) return;
    const width = this.size * 0.02;
    const sign = this.actsOn(i);
    const from = c.center(i);
    const arrow = (value: Vec3, perUnit: number, color: number): void => {
      arrows.push({ from, vector: this.capped(scale(value, sign * perUnit)), color, width });
    };
    if (this.shown.forces) arrow(c.force(i), this.forceLength, colors.force);
    if (this.shown.torques) arrow(c.torque(i), this.torqueLength, colors.torque);
  }

  private get forceLength(): number {
    return this.perNewton * this.forceScale;
  }
  private get torqueLength(): number {
    return roundDown((this.perNewton * 4) / this.size) * this.forceScale;
  }

  private marks(i: number, balls: Ball[]): void {
    const c = this.page.contacts;
    if (!c) return;
    if (this.shown.pressureCenters)
      balls.push({ at: c.pressureCenter(i), radius: this.size * 0.045, color: colors.pressureCenter });
    if (!this.shown.pressures) return;
    for (let v = c.vertexFirst[i]; v < c.vertexFirst[i + 1]; v++) {
      const at: Vec3 = [c.points[3 * v], c.points[3 * v + 1], c.points[3 * v + 2]];
      const part = c.largestPressure > 0 ? Math.sqrt(Math.max(c.pressures[v], 0) / c.largestPressure) : 0;
      const color = c.vertexSliding[v] ? colors.slip : colors.pressure;
      balls.push({ at, radius: this.size * (0.012 + 0.06 * part * this.forceScale), color });
    }
  }

  private thrust(frame: number): Arrow[] {
    const width = this.size * 0.025;
    return thrustLines(this.page, frame).map(({ from, vector }) => ({
      from,
      vector,
      width,
      color: colors.pressureCenter,
    }));
  }

  private velocityArrows(frame: number, arrows: Arrow[]): void {
    this.page.bodies.forEach((body, b) => {
      if (body.kind === "static" || !this.page.isThere(frame, b)) return;
      const vector = scale(this.page.velocity(frame, b), (this.size * 2) / this.topSpeed);
      const from = this.page.pose(frame, b).position;
      arrows.push({ from, vector, color: colors.velocity, width: this.size * 0.02 });
    });
  }

  // The scales of the arrows that are shown, and what is left out of them; "" without arrows.
  legend(): string {
    if (!this.page.contacts) return "";
    const parts: string[] = [];
    const length = this.size * 0.3;
    if (this.shown.forces) parts.push(scaleText(this.forceLength, length, "N"));
    if (this.shown.torques) parts.push(scaleText(this.torqueLength, length, "N m"));
    if (parts.length === 0) return "";
    const [some, all] = this.drawn;
    if (some < all) parts.push(`strongest ${some} of ${all}`);
    if (this.shortened > 0) parts.push(`${this.shortened} shortened`);
    return `arrows: ${parts.filter((part) => part !== "").join(", ")}`;
  }

  // The polygon that the ray meets first, and how far from the camera it is drawn; null: none.
  pick(ray: THREE.Raycaster): { contact: number; distance: number } | null {
    if (!this.shown.polygons && !this.shown.pressures) return null;
    const hit = ray.intersectObject(this.polygons.mesh, false).at(0);
    if (typeof hit?.faceIndex !== "number") return null;
    return { contact: this.polygons.ownerOf(hit.faceIndex), distance: hit.distance };
  }
}
