// SPDX-License-Identifier: Apache-2.0
// Many arrows, rods or balls of one color each, drawn on top of the bodies with few draw calls. Arrows have a white halo,
// which sets them off from bodies of any color.
import * as THREE from "three";
import type { Vec3 } from "../data/schema";

const up = new THREE.Vector3(0, 1, 0);
const white = new THREE.Color(0xffffff);

function overlay(): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
}

class Instances {
  mesh: THREE.InstancedMesh;
  constructor(
    private readonly group: THREE.Group,
    private readonly geometry: THREE.BufferGeometry,
    private readonly order: number,
  ) {
    this.mesh = this.make(64);
  }

  private make(capacity: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, overlay(), capacity);
    mesh.setColorAt(0, new THREE.Color());
    mesh.frustumCulled = false;
    mesh.renderOrder = this.order;
    mesh.count = 0;
    this.group.add(mesh);
    return mesh;
  }

  begin(need: number): void {
    if (need > this.mesh.instanceMatrix.count) {
      this.group.remove(this.mesh);
      this.mesh.dispose();
      this.mesh = this.make(need * 2);
    }
    this.mesh.count = 0;
  }

  put(matrix: THREE.Matrix4, color: THREE.Color): void {
    this.mesh.setMatrixAt(this.mesh.count, matrix);
    this.mesh.setColorAt(this.mesh.count, color);
    this.mesh.count++;
  }

  end(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

export interface Arrow {
  from: Vec3;
  vector: Vec3; // as long as it is drawn
  color: number;
  width: number;
}

const rod = (): THREE.BufferGeometry => new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);

export class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: Instances;
  private readonly heads: Instances;
  private readonly shaftHalos: Instances;
  private readonly headHalos: Instances;
  private readonly all: Instances[];

  constructor(order: number) {
    const head = new THREE.ConeGeometry(2.6, 1, 12).translate(0, -0.5, 0);
    this.shaftHalos = new Instances(this.group, rod(), order - 0.5);
    this.headHalos = new Instances(this.group, head, order - 0.5);
    this.shafts = new Instances(this.group, rod(), order);
    this.heads = new Instances(this.group, head, order);
    this.all = [this.shaftHalos, this.headHalos, this.shafts, this.heads];
  }

  set(arrows: Arrow[]): void {
    for (const part of this.all) part.begin(arrows.length);
    for (const arrow of arrows) this.put(arrow);
    for (const part of this.all) part.end();
  }

  private put(arrow: Arrow): void {
    const vector = new THREE.Vector3(...arrow.vector);
    const length = vector.length();
    if (!(length > 0) || !Number.isFinite(length)) return;
    const way = vector.clone().divideScalar(length);
    const turn = new THREE.Quaternion().setFromUnitVectors(up, way);
    const from = new THREE.Vector3(...arrow.from);
    const tip = from.clone().add(vector);
    const head = Math.min(arrow.width * 6, length * 0.6);
    const w = Math.min(arrow.width, length * 0.2);
    const rim = 0.6 * w;
    const matrix = new THREE.Matrix4();
    const color = new THREE.Color(arrow.color);
    const size = (r: number, l: number): THREE.Vector3 => new THREE.Vector3(r, l, r);
    const back = from.clone().addScaledVector(way, -rim);
    this.shaftHalos.put(matrix.compose(back, turn, size(w + rim, length - head + rim)), white);
    // A cone that is larger by the rim on all sides: its tip is further out by rim / sin of half the opening.
    const slant = rim * Math.hypot(1, head / (2.6 * w));
    const haloTip = tip.clone().addScaledVector(way, slant);
    const haloHead = head + slant + rim;
    this.headHalos.put(matrix.compose(haloTip, turn, size((w * haloHead) / head, haloHead)), white);
    this.shafts.put(matrix.compose(from, turn, size(w, length - head)), color);
    this.heads.put(matrix.compose(tip, turn, size(w, head)), color);
  }
}

// Straight lines of some thickness.
export class Rods {
  readonly group = new THREE.Group();
  private readonly rods: Instances;
  constructor(order: number) {
    this.rods = new Instances(this.group, rod(), order);
  }
  set(rods: Arrow[]): void {
    this.rods.begin(rods.length);
    const matrix = new THREE.Matrix4();
    for (const { from, vector, width, color } of rods) {
      const way = new THREE.Vector3(...vector);
      const length = way.length();
      if (!(length > 0) || !Number.isFinite(length)) continue;
      const turn = new THREE.Quaternion().setFromUnitVectors(up, way.divideScalar(length));
      matrix.compose(new THREE.Vector3(...from), turn, new THREE.Vector3(width, length, width));
      this.rods.put(matrix, new THREE.Color(color));
    }
    this.rods.end();
  }
}

export interface Ball {
  at: Vec3;
  radius: number;
  color: number;
}

export class Balls {
  readonly group = new THREE.Group();
  private readonly balls: Instances;
  constructor(order: number) {
    this.balls = new Instances(this.group, new THREE.SphereGeometry(1, 14, 10), order);
  }
  set(balls: Ball[]): void {
    this.balls.begin(balls.length);
    const matrix = new THREE.Matrix4();
    const color = new THREE.Color();
    for (const ball of balls) {
      if (!ball.at.every((x) => Number.isFinite(x))) continue;
      matrix.makeScale(ball.radius, ball.radius, ball.radius).setPosition(...ball.at);
      this.balls.put(matrix, color.setHex(ball.color));
    }
    this.balls.end();
  }
}

export interface Polygon {
  corners: Vec3[];
  color: number;
  owner: number;
  shades?: number[]; // colors of the corners, in place of the one color, of the filling
}

// Flat polygons, filled, each with a color; remembers which triangle belongs to which.
export class Polygons {
  readonly mesh: THREE.Mesh;
  readonly lines: THREE.LineSegments;
  private owner: number[] = [];

  constructor(order: number, opacity: number, depthTest = false) {
    const fill = new THREE.MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      opacity,
      side: THREE.DoubleSide,
      depthTest,
      depthWrite: false,
    });
    const edge = new THREE.LineBasicMaterial({ vertexColors: true, depthTest, transparent: true });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), fill);
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), edge);
    for (const object of [this.mesh, this.lines]) {
      object.frustumCulled = false;
      object.renderOrder = order;
    }
  }

  // Drawn through what is in front of them?
  setOnTop(on: boolean): void {
    for (const { material } of [this.mesh, this.lines])
      if (material instanceof THREE.Material) material.depthTest = !on;
  }

  set(polygons: Polygon[]): void {
    const fill: number[] = [];
    const fillColor: number[] = [];
    const line: number[] = [];
    const lineColor: number[] = [];
    this.owner = [];
    const color = new THREE.Color();
    const parts = (hex: number): number[] => color.setHex(hex).toArray();
    for (const { corners, color: hex, owner, shades } of polygons) {
      const c = parts(hex);
      const shade = (i: number): number[] => (shades ? parts(shades[i]) : c);
      corners.forEach((corner, i) => {
        line.push(...corner, ...corners[(i + 1) % corners.length]);
        lineColor.push(...c, ...c);
        if (i < 2) return;
        fill.push(...corners[0], ...corners[i - 1], ...corner);
        fillColor.push(...shade(0), ...shade(i - 1), ...shade(i));
        this.owner.push(owner);
      });
    }
    setAttributes(this.mesh.geometry, fill, fillColor);
    setAttributes(this.lines.geometry, line, lineColor);
  }

  ownerOf(triangle: number): number {
    return this.owner[triangle];
  }
}

function setAttributes(geometry: THREE.BufferGeometry, positions: number[], vertexColors: number[]): void {
  geometry.dispose();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(vertexColors, 3));
  geometry.boundingSphere = null;
}
