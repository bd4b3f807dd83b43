// SPDX-License-Identifier: Apache-2.0
// Charts of the series of a run, or of two in the same charts, one per group; and one table with all of them.
import { mergedTimes, type Page } from "../data/page";
import { csvText } from "../data/csv";
import { button, el, fileName, save } from "../ui/dom";
import { Plot, type Extras, type Line } from "../ui/plot";
import type { RawClearance } from "./clearance";
import type { Context, Panel, PanelType } from "./panel";
import { groupsOf, together } from "./plots_times";

// The minima of a clearance in the chart of its distance, and what is proved below that.
export function extrasOf(page: Page, title: string, lines: Line[]): Extras {
  const clearance = page.panels.find((panel): panel is RawClearance => panel.type === "clearance");
  if (!clearance || title !== "Distance") return { marks: [], band: null };
  const lower = lines.findIndex((line) => line.name === "proved not below");
  return { marks: clearance.minima.map((m) => ({ t: m.t, value: m.d })), band: lower > 0 ? [0, lower] : null };
}

function create(context: Context): Panel | null {
  const { page, clock } = context;
  const pages = context.stages.map((stage) => stage.page);
  const times = pages.length > 1 ? mergedTimes(pages.map((one) => one.seriesTimes)) : page.seriesTimes;
  const groups = pages.length > 1 ? together(pages, times) : groupsOf(page);
  if (groups.size === 0) return null;
  const plots = [...groups].map(([title, lines]) => {
    const extras = pages.length > 1 ? undefined : extrasOf(page, title, lines);
    return new Plot(title, times, lines, clock, "time", extras);
  });
  const all = button("Save all as CSV", "Save every series as one table", () => {
    const columns = [{ name: "time", unit: "s", values: times as ArrayLike<number> }];
    for (const [group, lines] of groups)
      for (const line of lines) columns.push({ ...line, name: `${group}: ${line.name}` });
    save(fileName(page.title, "csv"), new Blob([csvText(columns)], { type: "text/csv" }));
  });
  all.id = "save-csv";
  const head = el("div", { class: "row spread" }, el("h2", {}, "Over time"), all);
  const grid = el("div", { class: "plots" }, ...plots.map((p) => p.root));
  return { root: el("section", { class: "below", "aria-label": "Charts" }, head, grid), place: "below" };
}

export const plotsPanel: PanelType = { type: "plots", create: (_, context) => create(context) };
