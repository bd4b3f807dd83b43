// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Vec3 } from "../src/data/schema";
import { worldPlanes, type ContactState } from "../src/panels/modes_logic";
import { directionName, groupWords, movementWords, type Movement } from "../src/panels/modes_words";
import { rowOf, spread } from "../src/panels/plots_times";
import { mergedTimes } from "../src/data/page";
import { scaleText } from "../src/view/scale_text";

// A box on its four lower corners: 1, 2 in front, 3, 4 behind.
const corners: Vec3[] = [
  [-0.5, -0.4, 0],
  [0.5, -0.4, 0],
  [0.5, 0.4, 0],
  [-0.5, 0.4, 0],
];
function movement(velocity: Vec3, spin: Vec3, states: ContactState[]): Movement {
  const touches = corners.map((point, i) => ({ number: i + 1, point, normal: [0, 0, 1] as Vec3, state: states[i] }));
  return { origin: [0, 0, 0.25], velocity, spin, touches, size: 0.8 };
}
const all = (state: ContactState): ContactState[] => [state, state, state, state];

describe("movements in words", () => {
  it("slide, turn, tip and lift", () => {
    expect(movementWords(movement([0, 0, 0], [0, 0, 0], all("sticks")))).toBe("stays");
    expect(movementWords(movement([0, -1, 0], [0, 0, 0], all("slides")))).toBe("slides along -y");
    expect(movementWords(movement([0, 0, 0], [0, 0, 1], all("slides")))).toBe("turns about z");
    expect(movementWords(movement([0, 0, 1], [0, 0, 0], all("separates")))).toBe("lifts off along +z");
    // About the line y = -0.4, z = 0, which corners 1 and 2 lie on.
    const front: ContactState[] = ["sticks", "sticks", "separates", "separates"];
    expect(movementWords(movement([0, -0.25, 0.4], [1, 0, 0], front))).toBe(
      "tips about the front edge (contacts 1, 2)",
    );
    expect(movementWords(movement([0, -1.25, 0.4], [1, 0, 0], front))).toBe(
      "slides along -y, tips about the front edge (contacts 1, 2)",
    );
    expect(movementWords(movement([0.4, -0.5, 0], [0, 0, -1], ["sticks", "slides", "slides", "slides"]))).toBe(
      "turns about contact 1",
    );
  });
  it("name the axis of the velocity where contacts face different ways", () => {
    const finger = { number: 5, point: [0.5, 0, 0.3] as Vec3, normal: [-1, 0, 0] as Vec3, state: "slides" as const };
    const withFinger = (velocity: Vec3, spin: Vec3): string => {
      const m = movement(velocity, spin, all("slides"));
      return movementWords({ ...m, touches: [...m.touches, finger] });
    };
    expect(withFinger([0, 0, 0], [0, 0, 1])).toBe("turns about z");
    expect(withFinger([0, -1, 0], [0, 0, 0])).toBe("slides along -y");
    expect(withFinger([0, 0, 0.5], [0, 0, 1])).toBe("slides along +z, turns about z");
    // About the vertical line through contact 1.
    expect(withFinger([0.4, -0.5, 0], [0, 0, -1])).toBe("turns about z at contact 1");
  });
  it("name directions and groups", () => {
    expect([directionName([0, 0, -3]), directionName([1, 1, 0])]).toEqual(["-z", "(0.7, 0.7, 0.0)"]);
    expect(["00", "++", "0+0"].map(groupWords)).toEqual([
      "All contacts stay",
      "All contacts separate",
      "1, 3 stay; 2 separates",
    ]);
  });
});

describe("planes of the world", () => {
  it("are found once each, facing the body", () => {
    const floor = corners.map((point) => ({ point, normal: [0, 0, 1] as Vec3, a: -1, b: 0 }));
    const wall = { point: [1, 0, 2] as Vec3, normal: [2, 0, 0] as Vec3, a: 0, b: -1 };
    const inner = { ...wall, a: 0, b: 1 };
    expect(worldPlanes([...floor, wall, inner])).toEqual([
      { normal: [0, 0, 1], point: [0, 0, 0] },
      { normal: [-1, -0, -0], point: [1, 0, 2] },
    ]);
  });
});

describe("scales and times", () => {
  it("say how long an arrow is", () => {
    expect(scaleText(0.02, 0.03, "N")).toBe("1 N = 2 cm");
    expect(scaleText(5e-5, 0.06, "N")).toBe("1 kN = 5 cm");
    expect(scaleText(2, 0.02, "N m")).toBe("10 mN m = 2 cm");
    expect(scaleText(0, 1, "N")).toBe("");
  });
  it("put two runs on one axis", () => {
    const times = mergedTimes([
      [0, 1, 2],
      [0, 0.5, 1],
    ]);
    expect([...times]).toEqual([0, 0.5, 1, 2]);
    expect([...spread(times, Float64Array.of(0, 1, 2), [5, 6, 7])]).toEqual([5, NaN, 6, 7]);
  });
  it("of one pair are a row of the table", () => {
    expect([...rowOf(Float64Array.of(1, 2, 3, 4, 5, 6), 2, 1)]).toEqual([3, 4]);
  });
});
