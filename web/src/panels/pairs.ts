// SPDX-License-Identifier: Apache-2.0
// Any one pair of links of a plan: its distance over time and what is proved of it, as a band.
import type { Ref } from "../data/codec";
import type { RawPanel } from "../data/schema";
import { el } from "../ui/dom";
import { Plot, type Line } from "../ui/plot";
import type { Context, Panel, PanelType } from "./panel";
import { rowOf } from "./plots_times";

export interface RawPairs extends RawPanel {
  names: string[];
  distances: Ref; // [pair][time]
  lower: Ref; // the same
}

// The two lines of a pair.
function linesOf(distances: Float64Array, lower: Float64Array, count: number, pair: number): Line[] {
  return [
    { name: "distance", unit: "m", values: rowOf(distances, count, pair) },
    { name: "proved not below", unit: "m", values: rowOf(lower, count, pair) },
  ];
}

function create(data: RawPairs, context: Context): Panel {
  const { page, clock } = context;
  const [distances, lower] = [page.pool.numbers(data.distances), page.pool.numbers(data.lower)];
  const count = page.times.length;
  const extras = { marks: [], band: [0, 1] as [number, number] };
  const plot = new Plot(data.names[0], page.times, linesOf(distances, lower, count, 0), clock, "time", extras);
  const choice = el("select", { id: "pair", "aria-label": "Pair of links" });
  choice.append(...data.names.map((name, i) => el("option", { value: String(i) }, name)));
  choice.addEventListener("change", () => {
    const pair = Number(choice.value);
    plot.setLines(linesOf(distances, lower, count, pair), data.names[pair]);
  });
  const head = el("div", { class: "row spread" }, el("h2", {}, "Every pair, the nearest first"), choice);
  const root = el("section", { class: "below", "aria-label": "Every pair" }, head, plot.root);
  return { root, place: "below" };
}

export const pairsPanel: PanelType = {
  type: "pairs",
  create: (data, context) => create(data as RawPairs, context),
};
