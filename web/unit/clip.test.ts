// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Pose } from "../src/data/page";
import { clipFaces, facePlanes, meshFaces, overlapFaces, stretch, volumeOf } from "../src/geometry/clip";
import { fromRotationVector, length, multiply, rotate, transform } from "../src/geometry/vec";

const vertices = Float64Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1]));
const triangles = Float64Array.from([
  0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
]);
const cube = { vertices, triangles };
const at = (x: number, y: number, z: number, w: [number, number, number] = [0, 0, 0]): Pose => ({
  position: [x, y, z],
  rotation: fromRotationVector(w),
});

describe("overlap", () => {
  const a = meshFaces(cube, at(0, 0, 0));
  it("knows the cube", () => {
    expect(volumeOf(a)).toBeCloseTo(1, 12);
    expect(facePlanes(a).length).toBe(6);
  });
  it("of shifted cubes is a box", () => {
    const planes = facePlanes(meshFaces(cube, at(0.25, 0.5, -0.75)));
    expect(volumeOf(overlapFaces(a, planes))).toBeCloseTo(0.75 * 0.5 * 0.25, 12);
  });
  it("does not depend on which body is cut", () => {
    const b = meshFaces(cube, at(0.3, 0.2, 0.1, [0.3, -0.8, 0.5]));
    const ab = volumeOf(overlapFaces(a, facePlanes(b)));
    expect(ab).toBeGreaterThan(0.05);
    expect(volumeOf(overlapFaces(b, facePlanes(a)))).toBeCloseTo(ab, 10);
  });
  it("is empty when apart, and grows when stretched", () => {
    expect(overlapFaces(a, facePlanes(meshFaces(cube, at(3, 0, 0)))).length).toBe(0);
    const half = clipFaces(a, { normal: [0, 0, 1], offset: 0.5 });
    expect(volumeOf(half)).toBeCloseTo(0.5, 12);
    expect(volumeOf(stretch(half, [0, 0, 0.25], [0, 0, 1], 4))).toBeCloseTo(2, 12);
  });
});

describe("rotations", () => {
  it("compose and keep lengths", () => {
    const q = fromRotationVector([0.1, 0.2, -0.3]);
    const r = fromRotationVector([-1, 0.5, 0.25]);
    const v = rotate(multiply(q, r), [1, 2, 3]);
    const w = rotate(q, rotate(r, [1, 2, 3]));
    expect(length([v[0] - w[0], v[1] - w[1], v[2] - w[2]])).toBeLessThan(1e-12);
    expect(length(v)).toBeCloseTo(Math.sqrt(14), 12);
    expect(transform(at(1, 0, 0), [0, 1, 0])).toEqual([1, 1, 0]);
  });
});
