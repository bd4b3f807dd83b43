// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Quat, Vec3 } from "../src/data/schema";
import { chainPoses, couple, type Joint, type Link } from "../src/geometry/chain";

const still: Quat = [1, 0, 0, 0];
const up: Vec3 = [0, 0, 1];
const joint = (kind: Joint["kind"], number: number, more: Partial<Joint> = {}): Joint => ({
  name: `j${number}`,
  kind,
  number,
  place: number,
  at: [0, 0, 0],
  axis: up,
  reference: 0,
  low: -1,
  high: 1,
  ...more,
});
const link = (body: number, parent: number, position: Vec3, joints: Joint[]): Link => ({
  body,
  parent,
  fixed: false,
  position,
  rotation: still,
  joints,
});
const none = () => ({ position: [0, 0, 0] as Vec3, rotation: still });

function expectNear(found: Vec3, wanted: Vec3): void {
  for (let i = 0; i < 3; i++) expect(found[i]).toBeCloseTo(wanted[i], 12);
}

describe("a chain", () => {
  it("turns what hangs on it", () => {
    const links = [link(0, -1, [1, 0, 0], [joint("hinge", 0)]), link(1, 0, [1, 0, 0], [joint("slide", 1)])];
    const [, second] = chainPoses(links, Float64Array.of(Math.PI / 2, 0.25), none);
    expectNear(second.position, [1, 1, 0.25]);
  });
  it("turns about the place of the joint, from its reference", () => {
    const links = [link(0, -1, [0, 0, 0], [joint("hinge", 0, { at: [1, 0, 0], reference: 0.5 })])];
    const [pose] = chainPoses(links, Float64Array.of(0.5 + Math.PI), none);
    expectNear(pose.position, [2, 0, 0]);
  });
  it("leaves to the frame what is fixed", () => {
    const links = [{ ...link(0, -1, [9, 9, 9], []), fixed: true }, link(1, 0, [0, 1, 0], [])];
    const poses = chainPoses(links, Float64Array.of(), () => ({ position: [5, 0, 0], rotation: still }));
    expect(poses[1].position).toEqual([5, 1, 0]);
  });
  it("couples joints", () => {
    const joints = [joint("hinge", 0), joint("hinge", 1, { reference: 0.1 })];
    const q = Float64Array.of(0.3, 0);
    couple(joints, [{ joint: 1, of: 0, polynomial: [0.5, -1, 0, 0, 0] }], q);
    expect(q[1]).toBeCloseTo(0.3, 12);
  });
});
