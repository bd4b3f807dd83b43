// SPDX-License-Identifier: Apache-2.0
// Series of runs with different times on one axis.
import { lastUpTo, type Page } from "../data/page";
import type { Line } from "../ui/plot";

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

export function groupsOf(page: Page): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  for (const series of page.series) {
    const lines = groups.get(series.group) ?? [];
    lines.push(series);
    groups.set(series.group, lines);
  }
  return groups;
}

// The series of runs in the same charts, each line of the first beside those of the others of that name, which are dashed.
export function together(pages: Page[], times: Float64Array): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  const all = pages.map(groupsOf);
  for (const title of new Set(all.flatMap((own) => [...own.keys()]))) {
    const names = [...new Set(all.flatMap((own) => (own.get(title) ?? []).map((line) => line.name)))];
    const lines = names.flatMap((name, color) =>
      pages.flatMap((page, k) =>
        (all[k].get(title) ?? [])
          .filter((line) => line.name === name)
          .map(({ unit, values }) => ({
            name: `${page.title}: ${name}`,
            unit,
            values: spread(times, page.seriesTimes, values),
            sparse: true,
            color,
            dashed: k > 0,
          })),
      ),
    );
    groups.set(title, lines);
  }
  return groups;
}
