// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { openPool, Pool } from "../src/data/codec";

// The writer of the format, told again: what it puts in must come out.
function encode(columns: number[][], before?: number[], order = 1): Uint8Array {
  const bytes: number[] = [];
  for (const column of columns)
    column.forEach((value, r) => {
      const p = before ? before[r] : r - 1;
      let d = value;
      if (p >= 0) d -= column[p];
      if (order === 2 && p > 0) d -= column[p] - column[p - 1];
      let bits = d < 0 ? -2 * d - 1 : 2 * d;
      while (bits >= 128) {
        bytes.push(128 + (bits % 128));
        bits = Math.floor(bits / 128);
      }
      bytes.push(bits);
    });
  return Uint8Array.from(bytes);
}

describe("pool", () => {
  const x = [0, 1, -1, 63, 64, -65, 2 ** 40, -(2 ** 40), 5];
  const y = x.map((v) => 3 - v);
  for (const order of [1, 2])
    it(`gives integers back, order ${order}`, () => {
      const pool = new Pool(encode([x, y], undefined, order));
      const out = pool.integers({ at: 0, rows: x.length, columns: 2, order });
      expect(Array.from(out)).toEqual(x.flatMap((v, i) => [v, y[i]]));
    });

  it("counts from the rows it is told to", () => {
    const before = [-1, -1, 0, 2, 1];
    const column = [100, 7, 103, 104, 9];
    const pool = new Pool(encode([column], before));
    expect(Array.from(pool.integers({ at: 0, rows: 5, columns: 1 }, Int32Array.from(before)))).toEqual(column);
  });

  it("reads steps and floats", () => {
    const bits = new Uint32Array(new Float32Array([1.5]).buffer)[0];
    const pool = new Pool(encode([[3, -4]]));
    expect(Array.from(pool.numbers({ at: 0, rows: 2, columns: 1, step: 0.25 }))).toEqual([0.75, -1]);
    const floats = new Pool(encode([[bits >>> 11, -(bits >>> 11), 0]]));
    expect(Array.from(floats.numbers({ at: 0, rows: 3, columns: 1, shift: 11 }))).toEqual([1.5, -1.5, 0]);
  });

  it("refuses data that end too early", () => {
    expect(() => new Pool(new Uint8Array([200])).integers({ at: 0, rows: 1, columns: 1 })).toThrow(/too early/);
  });

  it("opens what was deflated", async () => {
    const stream = new Blob([Uint8Array.from([2, 4])]).stream().pipeThrough(new CompressionStream("deflate"));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    const pool = await openPool(btoa(String.fromCharCode(...packed)));
    expect(Array.from(pool.integers({ at: 0, rows: 2, columns: 1 }))).toEqual([1, 3]);
  });
});
