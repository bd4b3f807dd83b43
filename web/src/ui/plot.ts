// SPDX-License-Identifier: Apache-2.0
// One chart over time: zoom by dragging, back by double click, values under the pointer, the time shown as a line,
// and export as picture or table.
import uPlot from "uplot";
import type { Clock } from "../clock";
import { csvText, type Column } from "../data/csv";
import { lastUpTo } from "../data/page";
import { button, el, fileName, save } from "./dom";
import { num } from "./format";
import { isDark, onTheme } from "./theme";

export interface Line {
  name: string;
  unit: string;
  values: ArrayLike<number>;
  sparse?: boolean; // has a number at some of the times only, of which the last counts
}

// What a chart shows besides its lines: points of note, the first of them larger; and an area between two of the lines.
export interface Extras {
  marks: { t: number; value: number }[];
  band: [upper: number, lower: number] | null;
}

const light = ["#2455c3", "#d1491f", "#1f8f5f", "#8e44ad", "#a67c00", "#51606d", "#c2185b", "#00838f"];
const dark = ["#7aa2ff", "#ff8a65", "#5fd19a", "#cf9be6", "#e2b93b", "#aab6c0", "#f48fb1", "#4dd0e1"];

// Colours and axes of a chart.
export function chartLook(isDark: boolean): { colors: string[]; axis: uPlot.Axis; rem: number } {
  const grid = { stroke: isDark ? "#2b343c" : "#e3e8ec", width: 1 };
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const font = `${Math.round(rem * 0.75)}px system-ui, sans-serif`;
  const axis = { stroke: isDark ? "#aab6c0" : "#51606d", grid, ticks: { ...grid, size: 4 }, font };
  return { colors: isDark ? dark : light, axis, rem };
}

export class Plot {
  readonly root: HTMLElement;
  private chart: uPlot | null = null;
  private readonly legend = el("div", { class: "legend" });
  private readonly host = el("div", { class: "chart" });
  private values: HTMLElement[] = [];
  private hover = -1;
  private readonly marker = el("div", { class: "marker" });

  constructor(
    private readonly title: string,
    private readonly times: ArrayLike<number>,
    private lines: Line[],
    private readonly clock: Clock,
    private readonly syncKey: string,
    private readonly extras: Extras = { marks: [], band: null },
  ) {
    const unit = this.commonUnit();
    const heading = el("h3", {}, title, ...(unit === "" ? [] : [el("small", {}, unit)]));
    const png = button("PNG", `Save the chart “${title}” as a picture`, () => {
      this.savePicture();
    });
    const csv = button("CSV", `Save the numbers of “${title}” as a table`, () => {
      save(fileName(title, "csv"), new Blob([this.csv()], { type: "text/csv" }));
    });
    this.root = el(
      "figure",
      { class: "plot", "data-plot": title },
      el("figcaption", {}, heading, el("span", { class: "tools" }, png, csv)),
      this.host,
      this.legend,
    );
    this.host.setAttribute("role", "img");
    onTheme(() => {
      this.build();
    });
    clock.onChange(() => {
      this.showTime();
    });
    new ResizeObserver(() => {
      this.fitSize();
    }).observe(this.host);
  }

  private commonUnit(): string {
    const units = new Set(this.lines.map((l) => l.unit));
    return units.size === 1 ? [...units][0] : "";
  }

  setLines(lines: Line[]): void {
    this.lines = lines;
    this.build();
  }

  csv(): string {
    const columns: Column[] = [{ name: "time", unit: "s", values: this.times }, ...this.lines];
    return csvText(columns);
  }

  private size(): { width: number; height: number } {
    const width = Math.max(this.host.clientWidth, 120);
    return { width, height: Math.round(Math.min(Math.max(width * 0.4, 150), 420)) };
  }

  private fitSize(): void {
    if (!this.chart) this.build();
    else if (this.chart.width !== this.size().width) this.chart.setSize(this.size());
  }

  private build(): void {
    if (this.host.clientWidth === 0) return;
    this.chart?.destroy();
    const { colors, axis, rem } = chartLook(isDark());
    const options: uPlot.Options = {
      ...this.size(),
      pxAlign: false,
      legend: { show: false },
      cursor: { sync: { key: this.syncKey }, points: { size: 6 }, drag: { x: true, y: false } },
      scales: { x: { time: false } },
      axes: [
        { ...axis, size: rem * 1.9, values: (_, ticks) => ticks.map((t) => num(t, 4).replace(/\.?0+$/, "")) },
        { ...axis, size: rem * 3.8, values: (_, ticks) => ticks.map(tick) },
      ],
      series: [
        {},
        ...this.lines.map((line, i) => ({
          label: String(i),
          stroke: colors[i % colors.length],
          width: 1.5,
          points: { show: line.values.length < 2 },
          spanGaps: line.sparse ?? false,
        })),
      ],
      hooks: {
        setCursor: [
          (u: uPlot) => {
            this.hover = u.cursor.idx ?? -1;
            this.showValues();
          },
        ],
        draw: [
          (u: uPlot) => {
            this.drawMarks(u, colors[0]);
            this.placeMarker();
          },
        ],
      },
    };
    if (this.extras.band)
      options.bands = [{ series: [this.extras.band[0] + 1, this.extras.band[1] + 1], fill: `${colors[1]}55` }];
    const data: uPlot.AlignedData = [
      Array.from(this.times),
      ...this.lines.map((l) => Array.from(l.values).map(finite)),
    ];
    this.chart = new uPlot(options, data, this.host);
    this.chart.over.append(this.marker);
    this.listen(this.chart.over);
    this.makeLegend(colors);
    this.showTime();
  }

  private drawMarks(u: uPlot, color: string): void {
    const context = u.ctx;
    context.save();
    context.fillStyle = color;
    this.extras.marks.forEach(({ t, value }, i) => {
      const [x, y] = [u.valToPos(t, "x", true), u.valToPos(value, "y", true)];
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
      context.beginPath();
      context.arc(x, y, (i === 0 ? 5 : 3.5) * uPlot.pxRatio, 0, 2 * Math.PI);
      context.fill();
    });
    context.restore();
    this.host.dataset["marks"] = String(this.extras.marks.length);
  }

  // A click without dragging goes to that time.
  private listen(over: HTMLElement): void {
    let x = 0;
    over.addEventListener("mousedown", (event) => {
      x = event.clientX;
    });
    over.addEventListener("mouseup", (event) => {
      if (this.chart && Math.abs(event.clientX - x) < 3) {
        this.clock.playing = false;
        this.clock.seek(this.chart.posToVal(event.offsetX, "x"));
      }
    });
  }

  private makeLegend(colors: string[]): void {
    this.values = this.lines.map(() => el("b"));
    this.legend.replaceChildren(
      ...this.lines.map((line, i) => {
        const swatch = el("i");
        swatch.style.background = colors[i % colors.length];
        const unit = this.commonUnit() === "" && line.unit !== "" ? `\u2009${line.unit}` : "";
        return el("span", {}, swatch, line.name, " ", this.values[i], unit);
      }),
    );
  }

  // The line at the time shown lies over the chart, so that playing does not draw the chart anew.
  private placeMarker(): void {
    if (!this.chart) return;
    const x = this.chart.valToPos(this.clock.time, "x");
    this.marker.hidden = !(x >= 0 && x <= this.chart.over.clientWidth);
    this.marker.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  private showTime(): void {
    this.placeMarker();
    this.showValues();
  }

  private showValues(): void {
    const now = lastUpTo(this.times, this.clock.time);
    const at = this.hover >= 0 && this.hover < this.times.length ? this.hover : now;
    const texts = this.lines.map((line) => num(valueAt(line, at)));
    texts.forEach((text, i) => {
      if (this.values[i] && this.values[i].textContent !== text) this.values[i].textContent = text;
    });
    const said = this.lines.map((line, i) => `${line.name} ${texts[i]} ${line.unit}`).join(", ");
    this.host.setAttribute("aria-label", `${this.title} at ${num(this.times[at])} s: ${said}`);
  }

  private savePicture(): void {
    if (!this.chart) return;
    const from = this.chart.ctx.canvas;
    const band = Math.round(26 * uPlot.pxRatio);
    const canvas = el("canvas", { width: from.width, height: from.height + band });
    const context = canvas.getContext("2d");
    if (!context) return;
    context.fillStyle = isDark() ? "#1d242a" : "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = isDark() ? "#e4e9ed" : "#1c252d";
    context.font = `${Math.round(band * 0.55)}px system-ui, sans-serif`;
    const unit = this.commonUnit();
    const names = this.lines.map((l) => l.name).join(", ");
    context.fillText(`${this.title}${unit === "" ? "" : ` [${unit}]`}: ${names}`, band * 0.4, band * 0.7);
    context.drawImage(from, 0, band);
    canvas.toBlob((blob) => {
      if (blob) save(fileName(this.title, "png"), blob);
    }, "image/png");
  }
}

function valueAt(line: Line, at: number): number {
  let i = at;
  while (line.sparse && i > 0 && !Number.isFinite(line.values[i])) i--;
  return line.values[i];
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function tick(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace("e+", "e").replace(".0e", "e");
  return String(Number(value.toPrecision(4)));
}
