// SPDX-License-Identifier: Apache-2.0
// What moving bodies sweep: translucent copies of them at times spread evenly over the run.
import * as THREE from "three";
import type { Page, Pose } from "../data/page";
import type { Bodies } from "./bodies";

const copies = 16;

// Times of the copies, from the first frame to the last.
export function ghostTimes(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => from + ((to - from) * k) / Math.max(1, count - 1));
}

function differs(p: Pose, q: Pose): boolean {
  return [...p.position, ...p.rotation].some((x, i) => Math.abs(x - [...q.position, ...q.rotation][i]) > 1e-9);
}

export class Ghost {
  readonly group = new THREE.Group();

  constructor(page: Page, bodies: Bodies) {
    const times = ghostTimes(page.times[0], page.times[page.frameCount - 1], copies);
    page.bodies.forEach((_, body) => {
      const start = page.poseAt(times[0], body);
      if (!times.some((t) => differs(start, page.poseAt(t, body)))) return;
      for (const t of times) this.group.add(this.copy(bodies, body, page.poseAt(t, body)));
    });
  }

  // The body in its color, so thin that copies add up.
  private copy(bodies: Bodies, body: number, pose: Pose): THREE.Object3D {
    const ghost = new THREE.Group();
    ghost.position.set(...pose.position);
    ghost.quaternion.set(pose.rotation[1], pose.rotation[2], pose.rotation[3], pose.rotation[0]);
    for (const { geometry, local, color } of bodies.shapesOf(body)) {
      const thin = { color, transparent: true, opacity: 0.08, depthWrite: false };
      const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial(thin));
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(local);
      ghost.add(mesh);
    }
    return ghost;
  }
}
