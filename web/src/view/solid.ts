// SPDX-License-Identifier: Apache-2.0
// A polyhedron given by its faces, shaded, with its edges; drawn among bodies that can be seen through.
import * as THREE from "three";
import type { Faces } from "../geometry/clip";

export class Solid {
  readonly group = new THREE.Group();
  private readonly mesh: THREE.Mesh;
  private readonly lines: THREE.LineSegments;

  constructor(color: number) {
    const fill = new THREE.MeshLambertMaterial({ color, side: THREE.DoubleSide, transparent: true, opacity: 0.85 });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), fill);
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x4a0a24 }));
    this.mesh.renderOrder = this.lines.renderOrder = 20;
    this.group.add(this.mesh, this.lines);
  }

  set(faces: Faces): void {
    const points: number[] = [];
    for (const face of faces) for (let i = 2; i < face.length; i++) points.push(...face[0], ...face[i - 1], ...face[i]);
    this.mesh.geometry.dispose();
    this.lines.geometry.dispose();
    this.mesh.geometry = new THREE.BufferGeometry();
    this.mesh.geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    this.mesh.geometry.computeVertexNormals();
    this.lines.geometry = new THREE.EdgesGeometry(this.mesh.geometry, 1);
  }
}
