// SPDX-License-Identifier: Apache-2.0
// Grid on the ground with lines at round distances, and the plane that takes the shadows.
import * as THREE from "three";
import type { Vec3 } from "../data/schema";

// The round distance 1, 2 or 5 times a power of ten at or below x.
export function roundDown(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = 10 ** Math.floor(Math.log10(x) + 1e-12);
  const lead = x / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

export class Ground {
  readonly group = new THREE.Group();
  readonly spacing: number;
  private readonly plane: THREE.Mesh<THREE.BufferGeometry, THREE.ShadowMaterial>;
  private readonly grid: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;

  constructor(
    center: THREE.Vector3,
    private readonly radius: number,
    readonly level: number, // its height
  ) {
    this.spacing = roundDown(radius / 8);
    const half = Math.ceil((radius * 3) / this.spacing);
    const x0 = Math.round(center.x / this.spacing);
    const y0 = Math.round(center.y / this.spacing);
    const points: number[] = [];
    const line = (a: number, b: number, c: number, d: number): void => {
      points.push(a * this.spacing, b * this.spacing, 0, c * this.spacing, d * this.spacing, 0);
    };
    // One piece per cell: a line that reaches behind the camera would be dropped whole by some renderers.
    for (let i = -half; i <= half; i++) {
      for (let j = -half; j < half; j++) {
        line(x0 + i, y0 + j, x0 + i, y0 + j + 1);
        line(x0 + j, y0 + i, x0 + j + 1, y0 + i);
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    this.grid = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.5 }));
    this.plane = new THREE.Mesh(
      new THREE.PlaneGeometry(radius * 40, radius * 40),
      new THREE.ShadowMaterial({ opacity: 0.25, depthWrite: false }),
    );
    this.plane.receiveShadow = true;
    this.plane.position.set(center.x, center.y, 0);
    this.group.add(this.plane, this.grid);
    this.group.position.z = level - radius * 1e-4;
  }

  // Is this plane the ground?
  isAt(point: Vec3, normal: Vec3): boolean {
    return normal[2] > 1 - 1e-9 && Math.abs(point[2] - this.level) < 1e-6 * this.radius;
  }

  setTheme(dark: boolean): void {
    this.grid.material.color.setHex(dark ? 0x4a545e : 0xb9c1c8);
    this.plane.material.opacity = dark ? 0.5 : 0.22;
  }
}
