// SPDX-License-Identifier: Apache-2.0
// Many arrows or balls of one colour each, drawn on top of the bodies with two draw calls.
import * as THREE from "three";
import type { Vec3 } from "../data/schema";

const up = new THREE.Vector3(0, 1, 0);

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

export class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: Instances;
  private readonly heads: Instances;

  constructor(order: number) {
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(2.6, 1, 12).translate(0, -0.5, 0);
    this.shafts = new Instances(this.group, shaft, order);
    this.heads = new Instances(this.group, head, order);
  }

  set(arrows: Arrow[]): void {
    this.shafts.begin(arrows.length);
    this.heads.begin(arrows.length);
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const color = new THREE.Color();
    for (const arrow of arrows) {
      const vector = new THREE.Vector3(...arrow.vector);
      const length = vector.length();
      if (!(length > 0) || !Number.isFinite(length)) continue;
      turn.setFromUnitVectors(up, vector.clone().divideScalar(length));
      const from = new THREE.Vector3(...arrow.from);
      const head = Math.min(arrow.width * 6, length * 0.6);
      const w = Math.min(arrow.width, length * 0.2);
      color.setHex(arrow.color);
      this.shafts.put(matrix.compose(from, turn, new THREE.Vector3(w, length - head, w)), color);
      this.heads.put(matrix.compose(from.clone().add(vector), turn, new THREE.Vector3(w, head, w)), color);
    }
    this.shafts.end();
    this.heads.end();
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

// Flat polygons, filled, each with a colour; remembers which triangle belongs to which.
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

  set(polygons: { corners: Vec3[]; color: number; owner: number }[]): void {
    const fill: number[] = [];
    const fillColor: number[] = [];
    const line: number[] = [];
    const lineColor: number[] = [];
    this.owner = [];
    const color = new THREE.Color();
    for (const { corners, color: hex, owner } of polygons) {
      color.setHex(hex);
      const c = [color.r, color.g, color.b];
      corners.forEach((corner, i) => {
        line.push(...corner, ...corners[(i + 1) % corners.length]);
        lineColor.push(...c, ...c);
        if (i < 2) return;
        fill.push(...corners[0], ...corners[i - 1], ...corner);
        fillColor.push(...c, ...c, ...c);
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
