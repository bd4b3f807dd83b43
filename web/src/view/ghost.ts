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

// The colour of a body, without its edges and shadows, so thin that copies add up.
function fade(object: THREE.Object3D): void {
  const lines: THREE.Object3D[] = [];
  object.traverse((part) => {
    if (part instanceof THREE.LineSegments) lines.push(part);
    if (!(part instanceof THREE.Mesh)) return;
    const color = (part.material as THREE.MeshLambertMaterial).color;
    part.material = new THREE.MeshLambertMaterial({ color, transparent: true, opacity: 0.08, depthWrite: false });
    part.castShadow = part.receiveShadow = false;
    part.userData = {};
  });
  for (const line of lines) line.removeFromParent();
}

export class Ghost {
  readonly group = new THREE.Group();

  constructor(page: Page, bodies: Bodies) {
    const times = ghostTimes(page.times[0], page.times[page.frameCount - 1], copies);
    page.bodies.forEach((_, body) => {
      const start = page.poseAt(times[0], body);
      if (!times.some((t) => differs(start, page.poseAt(t, body)))) return;
      for (const t of times) this.group.add(this.copy(bodies.object(body), page.poseAt(t, body)));
    });
  }

  private copy(object: THREE.Object3D, pose: Pose): THREE.Object3D {
    const ghost = object.clone(true);
    ghost.position.set(...pose.position);
    ghost.quaternion.set(pose.rotation[1], pose.rotation[2], pose.rotation[3], pose.rotation[0]);
    fade(ghost);
    return ghost;
  }
}
