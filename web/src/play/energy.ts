// SPDX-License-Identifier: Apache-2.0
// Energy over the last seconds: kinetic, potential and their sum.
import uPlot from "uplot";
import { el } from "../ui/dom";
import { num } from "../ui/format";
import { chartLook, timeAxes } from "../ui/plot";
import { isDark, onTheme } from "../ui/theme";

const span = 8; // s
const most = 2000; // points
const names = ["kinetic", "potential", "total"];

export class EnergyChart {
  readonly root: HTMLElement;
  private readonly host = el("div", { class: "chart", role: "img" });
  private readonly values = names.map(() => el("b"));
  private chart: uPlot | null = null;
  private rows: number[][] = [[], [], [], []]; // time, and one for each name
  private drawn = 0;

  constructor() {
    const legend = el("div", { class: "legend" });
    legend.append(...names.map((name, i) => el("span", {}, el("i"), name, " ", this.values[i], "\u2009J")));
    this.root = el(
      "figure",
      { class: "plot", "data-plot": "Energy" },
      el("figcaption", {}, el("h3", {}, "Energy", el("small", {}, "J"))),
      this.host,
      legend,
    );
    onTheme(() => {
      this.build();
      const { colors } = chartLook(isDark());
      legend.querySelectorAll("i").forEach((mark, i) => {
        mark.style.background = colors[i];
      });
    });
    new ResizeObserver(() => {
      this.build();
    }).observe(this.host);
  }

  clear(): void {
    this.rows = [[], [], [], []];
    this.chart?.setData(this.rows as uPlot.AlignedData);
  }

  get times(): readonly number[] {
    return this.rows[0];
  }

  add(time: number, kinetic: number, potential: number): void {
    [time, kinetic, potential, kinetic + potential].forEach((x, i) => this.rows[i].push(x));
    const first = this.rows[0].findIndex((t) => t >= time - span);
    const drop = Math.max(first, this.rows[0].length - most);
    if (drop > 0) for (const row of this.rows) row.splice(0, drop);
    this.values.forEach((node, i) => {
      node.textContent = num(this.rows[i + 1].at(-1) ?? 0);
    });
    const said = names.map((name, i) => `${name} ${this.values[i].textContent} J`).join(", ");
    this.host.setAttribute("aria-label", `Energy at ${num(time)} s: ${said}`);
    this.draw();
  }

  // Ten times a second at most.
  private draw(): void {
    const now = performance.now();
    if (now - this.drawn < 100) return;
    this.drawn = now;
    this.chart?.setData(this.rows as uPlot.AlignedData);
  }

  private build(): void {
    const width = this.host.clientWidth;
    if (width === 0 || (this.chart?.width === width && this.chart.root.dataset["dark"] === String(isDark()))) return;
    this.chart?.destroy();
    const { colors, axis, rem } = chartLook(isDark());
    const options: uPlot.Options = {
      width,
      height: Math.round(Math.min(Math.max(width * 0.25, 150), 320)),
      pxAlign: false,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false } },
      axes: timeAxes(axis, rem),
      series: [{}, ...names.map((_, i) => ({ stroke: colors[i], width: 1.5, points: { show: false } }))],
    };
    this.chart = new uPlot(options, this.rows as uPlot.AlignedData, this.host);
    this.chart.root.dataset["dark"] = String(isDark());
  }
}
