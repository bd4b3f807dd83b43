// SPDX-License-Identifier: Apache-2.0
// The camera: where it looks, moved by mouse and touch (OrbitControls) and by keys. Balls, or the corners of a box, are
// put into the picture as large as they go: for a camera at distance D on the line of sight a ball of radius r at
// (x, y, z), z towards the camera, is inside when |x| + r <= (D - z) tan(h) and |y| + r <= (D - z) tan(v), or nearly so.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const fill = 0.9; // part of the picture that the balls may take

export interface Ball {
  at: THREE.Vector3;
  radius: number;
}

// The distance from which all balls, given about the target, are seen.
export function seenFrom(
  balls: Ball[],
  direction: THREE.Vector3,
  up: THREE.Vector3,
  tan: { across: number; up: number },
): number {
  const toward = direction.clone().normalize();
  const right = up.clone().cross(toward);
  if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
  right.normalize();
  const above = toward.clone().cross(right);
  let distance = 0;
  for (const { at, radius } of balls) {
    const z = at.dot(toward);
    distance = Math.max(
      distance,
      z + (Math.abs(at.dot(right)) + radius) / (fill * tan.across),
      z + (Math.abs(at.dot(above)) + radius) / (fill * tan.up),
    );
  }
  return distance;
}

export class Eye {
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 100);
  readonly controls: OrbitControls;
  private first = true;

  constructor(canvas: HTMLCanvasElement) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  // Height of the picture where the camera looks, m.
  get viewHeight(): number {
    return 2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360);
  }

  private offset(): THREE.Vector3 {
    const offset = this.camera.position.clone().sub(this.controls.target);
    if (this.first || offset.lengthSq() === 0) offset.set(0.62, -1, 0.5);
    this.first = false;
    return offset;
  }

  // Looks at a box from the side it looks from now (at first: from the front, a little above).
  lookAt(box: THREE.Box3, room = 1): void {
    const center = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3()).multiplyScalar(0.5 * room);
    const corner = (i: number): THREE.Vector3 =>
      new THREE.Vector3(i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y, i & 4 ? size.z : -size.z);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({ at: corner(i).add(center), radius: 0 }));
    this.lookAtBalls(center, corners);
  }

  lookAtBalls(center: THREE.Vector3, balls: Ball[]): void {
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const offset = this.offset();
    const tan = { across: half * this.camera.aspect, up: half };
    const about = balls.map(({ at, radius }) => ({ at: at.clone().sub(center), radius }));
    const distance = Math.max(seenFrom(about, offset, this.camera.up, tan), 1e-6);
    this.controls.target.copy(center);
    this.camera.position.copy(center).add(offset.setLength(distance));
    this.setDepth(distance);
  }

  private setDepth(distance: number): void {
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  moveBy(step: THREE.Vector3): void {
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.controls.update();
  }

  // Turns about the target, by angles to the left and upwards.
  turn(left: number, up: number): void {
    const ball = new THREE.Spherical().setFromVector3(turned(this.offset()));
    ball.theta += left;
    ball.phi = Math.min(Math.max(ball.phi - up, 0.01), Math.PI - 0.01);
    this.camera.position.copy(this.controls.target).add(turnedBack(new THREE.Vector3().setFromSpherical(ball)));
    this.controls.update();
  }

  zoom(factor: number): void {
    const offset = this.offset().multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.setDepth(offset.length());
  }

  // Moves sideways and upwards by parts of the picture's height.
  pan(right: number, up: number): void {
    const step = new THREE.Vector3(right, up, 0).multiplyScalar(this.viewHeight);
    this.moveBy(step.applyQuaternion(this.camera.quaternion));
  }

  lookFrom(direction: THREE.Vector3): void {
    const offset = direction.clone().setLength(this.distance);
    this.first = false;
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  // The same side and distance as another camera looks from, about this one's own target.
  copyFrom(other: Eye): void {
    const offset = other.camera.position.clone().sub(other.controls.target);
    this.first = false;
    this.camera.position.copy(this.controls.target).add(offset);
    this.setDepth(offset.length());
  }
}

// THREE.Spherical counts from y, the world here from z.
const turned = (v: THREE.Vector3): THREE.Vector3 => new THREE.Vector3(v.y, v.z, v.x);
const turnedBack = (v: THREE.Vector3): THREE.Vector3 => new THREE.Vector3(v.z, v.x, v.y);
