// SPDX-License-Identifier: Apache-2.0
// Small vectors and rotations; quaternions have w first.
import type { Pose } from "../data/page";
import type { Quat, Vec3 } from "../data/schema";

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export function unit(a: Vec3): Vec3 {
  const l = length(a);
  return l > 0 ? scale(a, 1 / l) : [0, 0, 1];
}
// Some vector at right angles to a unit vector.
export function perpendicular(n: Vec3): Vec3 {
  return unit(cross(n, Math.abs(n[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
}

export function rotate(q: Quat, v: Vec3): Vec3 {
  const axis: Vec3 = [q[1], q[2], q[3]];
  const t = scale(cross(axis, v), 2);
  return add(add(v, scale(t, q[0])), cross(axis, t));
}

export function multiply(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

// The rotation by |w| about w.
export function fromRotationVector(w: Vec3): Quat {
  const angle = length(w);
  const axis = unit(w);
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s];
}

export function transform(pose: Pose, v: Vec3): Vec3 {
  return add(rotate(pose.rotation, v), pose.position);
}

export function compose(outer: Pose, inner: Pose): Pose {
  return { position: transform(outer, inner.position), rotation: multiply(outer.rotation, inner.rotation) };
}
