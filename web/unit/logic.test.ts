// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { Clock } from "../src/clock";
import { csvText } from "../src/data/csv";
import { matchContacts, matchVertices, sums } from "../src/data/contacts";
import { normalized, Page, readRun } from "../src/data/page";
import { Pool } from "../src/data/codec";
import { roundMesh } from "../src/data/round";
import type { RawPage, RawRound, Vec3 } from "../src/data/schema";
import { contactState, covers, isFace } from "../src/panels/modes_logic";
import { largestTurn, seen, sphereLines } from "../src/panels/sphere";
import { num, seconds, vec } from "../src/ui/format";
import { ramp } from "../src/view/colors";
import { extentOf, withoutStrays } from "../src/view/framing";
import { ghostTimes } from "../src/view/ghost";
import { roundDown } from "../src/view/ground";

describe("contacts", () => {
  it("are matched by their bodies", () => {
    const bodies = Float64Array.from([0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 3, 0, 1, 2, 1]);
    const first = sums([2, 3, 1]);
    expect(Array.from(matchContacts(first, bodies))).toEqual([-1, -1, 1, -1, -1, -1]);
  });
  it("lend their vertices", () => {
    const before = Int32Array.from([-1, 0]);
    expect(Array.from(matchVertices(sums([2, 3]), before))).toEqual([-1, 0, 0, 1, 3]);
  });
});

describe("round shapes", () => {
  const volume = (shape: RawRound): number => {
    const { vertices: v, triangles: t } = roundMesh(shape);
    let sum = 0;
    for (let i = 0; i < t.length; i += 3) {
      const [a, b, c] = [3 * t[i], 3 * t[i + 1], 3 * t[i + 2]];
      sum += v[a] * (v[b + 1] * v[c + 2] - v[b + 2] * v[c + 1]);
      sum += v[a + 1] * (v[b + 2] * v[c] - v[b] * v[c + 2]);
      sum += v[a + 2] * (v[b] * v[c + 1] - v[b + 1] * v[c]);
    }
    return sum / 6;
  };
  it("are closed meshes of nearly their volume", () => {
    const ball = (4 / 3) * Math.PI * 0.008;
    const pillar = 2 * Math.PI * 0.04 * 0.3;
    const exact = { sphere: ball, capsule: ball + pillar, cylinder: pillar, cone: pillar / 3, ellipsoid: ball * 1.5 };
    for (const round of ["sphere", "capsule", "cylinder", "cone", "ellipsoid"] as const) {
      const part = volume({ round, size: [0.2, 0.2, 0.3] }) / exact[round];
      expect(part).toBeGreaterThan(0.98);
      expect(part).toBeLessThan(1);
    }
  });
});

function emptyRaw(times: number[]): RawPage {
  const none = { at: 0, rows: 0, columns: 0 };
  const head = {
    format: "abut-page" as const,
    version: 2,
    title: "",
    subtitle: "",
    stride: 1,
    pool: "",
  };
  const gravity: Vec3 = [0, 0, 0];
  const lists = { bodies: [], meshes: [], series: [], panels: [] };
  return {
    ...head,
    ...lists,
    gravity,
    times,
    positions: none,
    rotations: none,
  };
}

function emptyPage(times: number[]): Page {
  return new Page(readRun(emptyRaw(times), new Pool(new Uint8Array(0))));
}

describe("clock", () => {
  it("finds the frame at or before a time", () => {
    const page = emptyPage([0, 0.1, 0.2, 0.3]);
    expect([-1, 0, 0.05, 0.1, 0.29999, 0.3, 9].map((t) => page.frameAt(t))).toEqual([0, 0, 0, 1, 2, 3, 3]);
  });
  it("plays to the end, and again from the start", () => {
    const clock = new Clock(Float64Array.of(0, 0.1, 0.2));
    clock.toggle();
    clock.advance(0.15);
    expect(clock.frame).toBe(1);
    clock.advance(0.15);
    expect([clock.time, clock.playing]).toEqual([0.2, false]);
    clock.toggle();
    expect([clock.time, clock.playing]).toEqual([0, true]);
    clock.step(-5);
    expect([clock.frame, clock.playing]).toEqual([0, false]);
  });
  it("does not play one frame", () => {
    const clock = new Clock(Float64Array.of(0));
    clock.toggle();
    expect(clock.playing).toBe(false);
  });
});

describe("bodies that come and go", () => {
  // Two bodies over four frames: the second is there in frames 1 and 2, at x = 1 and 3.
  const zigzag = (values: number[]): number[] => {
    let last = 0;
    return values.map((v) => {
      const d = v - last;
      last = v;
      return d < 0 ? -2 * d - 1 : 2 * d;
    });
  };
  const columns = (list: number[][]): number[] => list.flatMap(zigzag);
  const still = [0, 0, 0, 0];
  const positions = columns([still, still, still, [1, 1, 3, 3], still, still]);
  const one = [1, 1, 1, 1];
  const rotations = columns([one, still, still, still, one, still, still, still]);
  const there = columns([one, [0, 1, 1, 0]]);
  const table = (at: number, count: number): { at: number; rows: number; columns: number; step: number } => ({
    at,
    rows: 4,
    columns: count,
    step: 1,
  });
  const body = { name: "", kind: "dynamic" as const, mass: 1, shapes: [] };
  const raw = {
    ...emptyRaw([0, 1, 2, 3]),
    bodies: [body, body],
    positions: table(0, 6),
    rotations: table(positions.length, 8),
    there: table(positions.length + rotations.length, 2),
  };
  const page = new Page(readRun(raw, new Pool(Uint8Array.from([...positions, ...rotations, ...there]))));
  it("are there when the table says so", () => {
    expect([0, 1, 2, 3].map((f) => page.isThere(f, 1))).toEqual([false, true, true, false]);
    expect([0, 1, 2, 3].map((f) => page.isThere(f, 0))).toEqual([true, true, true, true]);
  });
  it("move between frames, and stay where they are when they go", () => {
    expect(page.poseAt(1.5, 1).position[0]).toBe(2);
    expect(page.poseAt(2.5, 1).position[0]).toBe(3);
  });
});

describe("modes", () => {
  it("tell what a contact does", () => {
    const text = "0+0" + "00" + ".." + "+0";
    expect([0, 1, 2].map((c) => contactState(text, c, 3, 2))).toEqual(["sticks", "separates", "slides"]);
    expect(contactState("0+", 0, 2, 0)).toBe("contacts");
  });
  it("are ordered by faces", () => {
    expect(isFace("00", "0+", 2)).toBe(true);
    expect(isFace("0+", "00", 2)).toBe(false);
    expect(isFace("0-", "0+", 1)).toBe(false);
    expect(covers(["00", "0+", "+0", "++"], [0, 1, 1, 2], 2)).toEqual([
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
    ]);
  });
});

describe("text", () => {
  it("writes tables", () => {
    const columns = [
      { name: 'a "b", c', unit: "m", values: [1, Number.NaN] },
      { name: "d", unit: "", values: [0.1, -2] },
    ];
    expect(csvText(columns)).toBe('"a ""b"", c [m]",d\r\n1,0.1\r\n,-2\r\n');
  });
  it("writes numbers", () => {
    expect([num(0), num(1234.56), num(1e-7), num(-2.5e9), num(Number.NaN)]).toEqual([
      "0",
      "1235",
      "1.00e-7",
      "-2.50e9",
      "–",
    ]);
    expect(vec([1, -0.00001, 20.5], "m")).toBe("(1.00, 0.00, 20.50)\u2009m");
    expect(seconds(1.5, 1 / 60)).toBe("1.500\u2009s");
  });
  it("frames what is drawn of a body, wherever its origin is", () => {
    const page = emptyPage([0]);
    page.meshes.push({
      vertices: Float64Array.from([4, 0, 0, 6, 0, 0, 5, 2, 0]),
      triangles: Float64Array.from([0, 1, 2]),
    });
    const shape = {
      mesh: 0,
      position: [0, 0, 1] as Vec3,
      rotation: [1, 0, 0, 0] as [number, number, number, number],
    };
    const ground = { ...shape, mesh: -1, color: 0 };
    page.bodies.push({
      name: "",
      kind: "dynamic",
      mass: 1,
      shapes: [{ ...shape, color: 0 }, ground],
    });
    page.bodies.push({ name: "", kind: "static", mass: 0, shapes: [ground] });
    expect(extentOf(page, 0).middle).toEqual([5, 1, 1]);
    expect(extentOf(page, 1)).toEqual({ middle: [0, 0, 0], reach: 0 });
  });
  it("rounds and trims", () => {
    expect([0.3, 1, 7, 19, 1000].map(roundDown)).toEqual([0.2, 1, 5, 10, 1000]);
    expect(withoutStrays([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1000], 0)).toEqual([0, 10]);
    expect([ramp(-1), ramp(2), ramp(Number.NaN)]).toEqual([0x2f3c7e, 0xfde74c, 0x2f3c7e]);
    expect(normalized([0, 0, 0, 0])).toEqual([1, 0, 0, 0]);
  });
});

describe("directions on the sphere", () => {
  it("are seen from the side: x to the right, z up, -y in front", () => {
    expect(seen([1, 0, 0], 0, 0)).toEqual({ x: 1, y: -0, front: true });
    expect(seen([0, 0, 1], 0, 0).y).toBe(-1);
    expect(seen([0, -1, 0], 0, 0).front).toBe(true);
    expect(seen([0, 1, 0], 0, 0).front).toBe(false);
    expect(seen([0, 0, 1], 0, 0.3).front).toBe(true); // from above
  });
  it("are lines in front and behind, with gaps where there is none", () => {
    const lines = sphereLines(
      [
        [0, -1, 0],
        [0.6, -0.8, 0],
        [0, 0, 0],
        [0, 1, 0],
        [0.6, 0.8, 0],
      ],
      0,
      0,
    );
    expect(lines.front.match(/M/g)).toHaveLength(1);
    expect(lines.behind.match(/M/g)).toHaveLength(1);
  });
  it("turn most where neighbors differ most", () => {
    const turn = largestTurn([
      [1, 0, 0],
      [1, 0, 0],
      [0, 0, 1],
      [0, 0, 1],
    ]);
    expect(turn.at).toBe(2);
    expect(turn.degrees).toBeCloseTo(90, 9);
  });
});

describe("ghosts", () => {
  it("stand at even times from the first to the last", () => {
    expect(ghostTimes(1, 3, 5)).toEqual([1, 1.5, 2, 2.5, 3]);
    expect(ghostTimes(2, 2, 1)).toEqual([2]);
  });
});
