// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Page } from "../src/data/page";
import { together } from "../src/panels/plots_times";
import { resultFacts } from "../src/panels/distance_facts";
import { peaksOutside, steadyRange, tickTexts } from "../src/ui/chart_range";
import { shortNames } from "../src/view/labels";

describe("labels of ticks", () => {
  it("follow the range", () => {
    expect(tickTexts([0.015, 0.01500002, 0.01500004])).toEqual(["0.01500000", "0.01500002", "0.01500004"]);
    expect(tickTexts([0, 0.025, 0.05])).toEqual(["0", "0.025", "0.050"]);
    expect(tickTexts([0, 500, 1000])).toEqual(["0", "500", "1000"]);
    expect(tickTexts([9.80665, 9.80666])).toEqual(["9.80665", "9.80666"]);
  });
  it("share a power of ten where numbers are very large or small", () => {
    expect(tickTexts([-2e-6, 0, 2.5e-6])).toEqual(["-2.0e-6", "0", "2.5e-6"]);
    expect(tickTexts([100000, 150000])).toEqual(["1.0e5", "1.5e5"]);
    expect(tickTexts([1.2e7, 1.20002e7])).toEqual(["1.20000e7", "1.20002e7"]);
  });
  it("are different for any range, and true", () => {
    for (const base of [0, 0.015, -3, 1e-7, 12345, 9e8])
      for (const step of [1e-9, 2.5e-6, 0.1, 25, 1e5]) {
        if (base !== 0 && step < 1e-12 * Math.abs(base)) continue;
        const ticks = [0, 1, 2, 3, 4, 5].map((i) => base + i * step);
        const texts = tickTexts(ticks);
        expect(new Set(texts).size).toBe(6);
        texts.forEach((text, i) => {
          expect(Math.abs(Number(text) - ticks[i])).toBeLessThan(0.01 * step);
        });
      }
  });
  it("of nothing, of one number and of zeros are there too", () => {
    expect([tickTexts([]), tickTexts([0]), tickTexts([3])]).toEqual([[], ["0"], ["3"]]);
  });
});

describe("the range of a chart", () => {
  const steady = Array.from({ length: 200 }, (_, i) => 20 + Math.sin(i));
  it("leaves out a rare spike", () => {
    const values = steady.map((v, i) => (i === 50 ? 4000 : v));
    const range = steadyRange([values]);
    expect(range?.[0]).toBeGreaterThan(15);
    expect(range?.[1]).toBeLessThan(30);
    expect(peaksOutside(values, range ?? [0, 0])).toEqual([{ at: 50, value: 4000 }]);
  });
  it("is the whole one without a spike, for few numbers, and where spikes are the rule", () => {
    expect(steadyRange([steady])).toBeNull();
    expect(steadyRange([[1, 1, 1, 500]])).toBeNull();
    expect(steadyRange([steady.map((v, i) => (i % 5 === 0 ? 4000 : v))])).toBeNull();
    expect(steadyRange([steady.map((_, i) => i)])).toBeNull();
    expect(steadyRange([new Array<number>(100).fill(0)])).toBeNull();
  });
  it("does not blow up the noise of a level", () => {
    const range = steadyRange([steady.map((_, i) => (i === 3 ? 500 : 20 + 1e-9 * (i % 2)))]) ?? [0, 0];
    expect(range[1] - range[0]).toBeGreaterThan(0.5);
  });
  it("has one mark for each spike, at its farthest number, above and below", () => {
    const peaks = peaksOutside([0, 5, 9, 7, 0, -8, 0, Number.NaN, 6], [-1, 1]);
    expect(peaks).toEqual([
      { at: 2, value: 9 },
      { at: 5, value: -8 },
      { at: 8, value: 6 },
    ]);
  });
});

describe("two runs in one chart", () => {
  it("have lines of the same name beside each other, the second dashed", () => {
    const make = (title: string): Page =>
      ({
        title,
        seriesTimes: Float64Array.of(0, 1),
        series: ["x", "y"].map((name) => ({ group: "Force", name, unit: "N", values: Float64Array.of(1, 2) })),
      }) as unknown as Page;
    const lines = together([make("a"), make("b")], Float64Array.of(0, 1)).get("Force") ?? [];
    expect(lines.map((line) => line.name)).toEqual(["a: x", "b: x", "a: y", "b: y"]);
    expect(lines.map((line) => [line.color, line.dashed])).toEqual([
      [0, false],
      [0, true],
      [1, false],
      [1, true],
    ]);
  });
});

describe("words of results", () => {
  it("name the files and the outcome, as far as they are known", () => {
    expect(resultFacts(["a.stl", ""], "separated")).toEqual([
      ["A", "a.stl"],
      ["Outcome", "separated"],
    ]);
  });
  it("drop what all names begin with", () => {
    expect(shortNames(["piece 0", "piece 10"])).toEqual(["0", "10"]);
    expect(shortNames(["left arm a", "left leg b"])).toEqual(["arm a", "leg b"]);
    expect(shortNames(["box 1", "ground"])).toEqual(["box 1", "ground"]);
    expect(shortNames(["", "a b"])).toEqual(["", "a b"]);
    expect(shortNames(["one name"])).toEqual(["one name"]);
  });
});
