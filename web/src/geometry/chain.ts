// SPDX-License-Identifier: Apache-2.0
// A robot as a chain of bodies: poses from the positions of its joints. In: links with their parents before them, joints
// in the order in which they act, positions. Out: a pose per link.
import type { Pose } from "../data/page";
import type { Quat, Vec3 } from "../data/schema";
import { add, compose, fromRotationVector, multiply, rotate, scale, sub, transform } from "./vec";

export interface Joint {
  name: string;
  kind: "hinge" | "slide" | "ball";
  number: number;
  place: number; // of its first position
  at: Vec3; // in the frame of its body
  axis: Vec3;
  reference: number; // the position at which the body stands at its pose
  low: number;
  high: number;
}

export interface Link {
  body: number; // of the page; -1: it is welded to its parent there
  parent: number; // -1: the world
  fixed: boolean; // it stands, or moves freely: its pose is that of the frame
  position: Vec3;
  rotation: Quat;
  joints: Joint[];
}

export interface Coupling {
  joint: number;
  of: number; // -1: the joint is held
  polynomial: number[]; // lowest power first
}

function move(pose: Pose, joint: Joint, q: Float64Array): Pose {
  if (joint.kind === "slide") {
    const along = scale(rotate(pose.rotation, joint.axis), q[joint.place] - joint.reference);
    return { position: add(pose.position, along), rotation: pose.rotation };
  }
  const turn: Quat =
    joint.kind === "ball"
      ? [q[joint.place], q[joint.place + 1], q[joint.place + 2], q[joint.place + 3]]
      : fromRotationVector(scale(joint.axis, q[joint.place] - joint.reference));
  const rotation = multiply(pose.rotation, turn);
  const anchor = transform(pose, joint.at);
  return { position: sub(anchor, rotate(rotation, joint.at)), rotation };
}

// `standing` gives the pose of a link that is fixed.
export function chainPoses(links: Link[], q: Float64Array, standing: (link: Link) => Pose): Pose[] {
  const poses: Pose[] = [];
  for (const link of links) {
    if (link.fixed) {
      poses.push(standing(link));
      continue;
    }
    const own: Pose = { position: link.position, rotation: link.rotation };
    const start = link.parent < 0 ? own : compose(poses[link.parent], own);
    poses.push(link.joints.reduce((pose, joint) => move(pose, joint, q), start));
  }
  return poses;
}

// Brings coupled joints to where the others ask for.
export function couple(joints: Joint[], couplings: Coupling[], q: Float64Array): void {
  const byNumber = new Map(joints.map((joint) => [joint.number, joint]));
  for (const { joint, of, polynomial } of couplings) {
    const led = byNumber.get(joint);
    const leader = byNumber.get(of);
    if (!led) continue;
    const x = leader ? q[leader.place] - leader.reference : 0;
    q[led.place] = led.reference + polynomial.reduceRight((sum, c) => sum * x + c, 0);
  }
}
