// SPDX-License-Identifier: Apache-2.0
// Series of runs with different times on one axis.
import { lastUpTo } from "../data/page";

// Numbers at some of the times, each where it belongs among all of them; elsewhere none.
export function spread(times: Float64Array, own: Float64Array, values: ArrayLike<number>): Float64Array {
  const out = new Float64Array(times.length).fill(Number.NaN);
  own.forEach((t, i) => {
    out[lastUpTo(times, t)] = values[i];
  });
  return out;
}

// One row of a table whose rows are `count` long.
export function rowOf(table: Float64Array, count: number, row: number): Float64Array {
  return table.subarray(row * count, (row + 1) * count);
}
