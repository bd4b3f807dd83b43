// SPDX-License-Identifier: Apache-2.0
import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { seenFrom } from "../src/view/eye";
import { facetGeometry, sharpSides } from "../src/view/facets";

describe("the camera", () => {
  const up = new THREE.Vector3(0, 0, 1);
  const front = new THREE.Vector3(0, -1, 0);
  it("is as near as the balls allow", () => {
    const ball = { at: new THREE.Vector3(0, 0, 0), radius: 0.9 };
    expect(seenFrom([ball], front, up, { across: 1, up: 0.5 })).toBeCloseTo(2, 12);
    const nearer = { at: new THREE.Vector3(0.9, -3, 0), radius: 0 };
    expect(seenFrom([ball, nearer], front, up, { across: 1, up: 0.5 })).toBeCloseTo(4, 12);
  });
  it("looks straight down too", () => {
    const ball = { at: new THREE.Vector3(1, 0, 0), radius: 0 };
    expect(seenFrom([ball], up, up, { across: 1, up: 1 })).toBeGreaterThan(0);
  });
});

describe("edges", () => {
  // The unit cube: corner i has the bits of i as coordinates.
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2]);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const triangles = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  const cube = { vertices: Float64Array.from(corners), triangles: Float64Array.from(triangles) };
  it("of a cube are its twelve, not the diagonals of its faces", () => {
    const geometry = facetGeometry(cube);
    const sides = sharpSides(cube, geometry.getAttribute("normal").array);
    expect(sides.filter((side) => side)).toHaveLength(24);
    // In the first triangle (a, b, c) the side opposite to b is the diagonal.
    expect(sides.slice(0, 3)).toEqual([true, false, true]);
    expect(Array.from(geometry.getAttribute("reach").array.slice(0, 9))).toEqual([1, 1, 0, 0, 1, 0, 0, 1, 1]);
  });
  it("of an open sheet are its rim", () => {
    const sheet = { vertices: cube.vertices, triangles: Float64Array.from(triangles.slice(0, 6)) };
    const sides = sharpSides(sheet, facetGeometry(sheet).getAttribute("normal").array);
    expect(sides.filter((side) => side)).toHaveLength(4);
  });
});
