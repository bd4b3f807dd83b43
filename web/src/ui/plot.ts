// SPDX-License-Identifier: Apache-2.0
// One chart over time: zoom by dragging, back by double click, values under the pointer, the time shown as a line, a
// legend that chooses the lines, rare spikes clipped with a mark, and export as picture or table.
import uPlot from "uplot";
import type { Clock } from "../clock";
import { csvText, type Column } from "../data/csv";
import { lastUpTo } from "../data/page";
import { peaksOutside, steadyRange, tickTexts } from "./chart_range";
import { button, el, fileName, save } from "./dom";
import { num } from "./format";
import { isDark, onTheme } from "./theme";

export interface Line {
  name: string;
  unit: string;
  values: ArrayLike<number>;
  sparse?: boolean; // has a number at some of the times only, of which the last counts
  color?: number; // of the palette; its place in the list unless given
  dashed?: boolean;
}

// Lines that a chart shows at once.
export const SHOWN = 6;

// What a chart shows besides its lines: points of note, the first of them larger; and an area between two of the lines.
export interface Extras {
  marks: { t: number; value: number }[];
  band: [upper: number, lower: number] | null;
}

const light = ["#2455c3", "#d1491f", "#1f8f5f", "#8e44ad", "#a67c00", "#51606d", "#c2185b", "#00838f"];
const dark = ["#7aa2ff", "#ff8a65", "#5fd19a", "#cf9be6", "#e2b93b", "#aab6c0", "#f48fb1", "#4dd0e1"];

// Colors and axes of a chart.
export function chartLook(isDark: boolean): { colors: string[]; axis: uPlot.Axis; rem: number } {
  const grid = { stroke: isDark ? "#2b343c" : "#e3e8ec", width: 1 };
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const font = `${Math.round(rem * 0.75)}px system-ui, sans-serif`;
  const stroke = isDark ? "#aab6c0" : "#51606d";
  const axis = { stroke, grid, ticks: { ...grid, size: 4 }, font };
  return { colors: isDark ? dark : light, axis, rem };
}

// The axes of a chart over time: labels that follow the range, and room for them.
export function timeAxes(axis: uPlot.Axis, rem: number): uPlot.Axis[] {
  const values = (_: uPlot, ticks: number[]): string[] => tickTexts(ticks);
  const room = (_: uPlot, texts: string[] | null): number =>
    rem * Math.max(3, 0.45 * Math.max(0, ...(texts ?? []).map((text) => text.length)) + 1);
  return [
    {
      ...axis,
      size: rem * 1.7,
      values,
      label: "time, s",
      labelSize: rem * 1.2,
      labelGap: 0,
      labelFont: axis.font ?? "",
    },
    { ...axis, size: room, values },
  ];
}

export class Plot {
  readonly root: HTMLElement;
  private chart: uPlot | null = null;
  private readonly legend = el("div", { class: "legend" });
  private readonly host = el("div", { class: "chart" });
  private values: HTMLElement[] = [];
  private hover = -1;
  private shown: number[]; // numbers of the lines in the chart, in the order in which they were chosen
  private clip: [number, number] | null = null; // the range without spikes
  private whole = false; // spikes are not clipped
  private readonly marker = el("div", { class: "marker" });
  private readonly heading = el("h3");
  private readonly clipNote = el("p", { class: "hint clip-note", hidden: true });

  constructor(
    private title: string,
    private readonly times: ArrayLike<number>,
    private lines: Line[],
    private readonly clock: Clock,
    private readonly syncKey: string,
    private readonly extras: Extras = { marks: [], band: null },
  ) {
    this.shown = firstOf(lines);
    const png = button("PNG", "Save the chart as a picture", () => {
      this.savePicture();
    });
    const csv = button("CSV", "Save the numbers of the chart as a table", () => {
      save(fileName(this.title, "csv"), new Blob([this.csv()], { type: "text/csv" }));
    });
    this.root = el(
      "figure",
      { class: "plot" },
      el("figcaption", {}, this.heading, el("span", { class: "tools" }, png, csv)),
      this.host,
      this.clipNote,
      this.legend,
    );
    this.head();
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

  // Other lines, under another name where one is given.
  setLines(lines: Line[], title = this.title): void {
    this.lines = lines;
    this.title = title;
    this.shown = firstOf(lines);
    this.head();
    this.build();
  }

  private head(): void {
    const unit = this.commonUnit();
    this.heading.replaceChildren(this.title, ...(unit === "" ? [] : [el("small", {}, unit)]));
    this.root.dataset["plot"] = this.title;
  }

  // Shows or hides a line; the one that was chosen first makes room.
  private choose(line: number): void {
    const others = this.shown.filter((i) => i !== line);
    if (others.length === this.shown.length) others.push(line);
    this.shown = others.slice(-SHOWN);
    this.build();
  }

  // Numbers of the lines as they are drawn: of a band the upper one last, so that nothing hides it.
  private drawn(): number[] {
    const upper = this.extras.band?.[0];
    const order = [...this.shown].sort((a, b) => a - b);
    return upper === undefined ? order : [...order.filter((i) => i !== upper), ...order.filter((i) => i === upper)];
  }

  private color(line: number, colors: string[]): string {
    return colors[(this.lines[line].color ?? line) % colors.length];
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
    const drawn = this.drawn();
    this.clip = steadyRange(drawn.map((i) => this.lines[i].values));
    const options: uPlot.Options = {
      ...this.size(),
      pxAlign: false,
      legend: { show: false },
      cursor: { sync: { key: this.syncKey }, points: { size: 6 }, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: (_, least, most) => this.range(least, most) } },
      axes: timeAxes(axis, rem),
      series: [
        {},
        ...drawn.map((i) => ({
          label: String(i),
          stroke: this.color(i, colors),
          width: this.extras.band?.[1] === i ? 1 : 1.5,
          dash: this.lines[i].dashed ? [6, 4] : [],
          points: { show: this.lines[i].values.length < 2 },
          spanGaps: this.lines[i].sparse ?? false,
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
            this.drawSpikes(u, colors);
            this.placeMarker();
          },
        ],
      },
    };
    const band = this.extras.band?.map((i) => drawn.indexOf(i) + 1);
    if (band?.every((at) => at > 0))
      options.bands = [{ series: [band[0], band[1]], fill: `${this.color(this.extras.band?.[1] ?? 1, colors)}30` }];
    const data: uPlot.AlignedData = [
      Array.from(this.times),
      ...drawn.map((i) => Array.from(this.lines[i].values).map(finite)),
    ];
    this.chart = new uPlot(options, data, this.host);
    this.chart.over.append(this.marker);
    this.host.dataset["lines"] = String(drawn.length);
    this.listen(this.chart.over);
    this.makeLegend(colors);
    this.noteClip();
    this.showTime();
  }

  // The range of values: all of those in view, or without the spikes.
  private range(least: number, most: number): [number, number] {
    const [low, high] = uPlot.rangeNum(least, most, 0.1, true) as [number, number];
    if (this.whole || !this.clip || least > this.clip[1] || most < this.clip[0]) return [low, high];
    return [Math.max(low, this.clip[0]), Math.min(high, this.clip[1])];
  }

  private noteClip(): void {
    const out = this.clip ? this.spikes(this.clip) : [];
    this.clipNote.hidden = out.length === 0;
    if (out.length === 0) return;
    const peak = out.reduce((a, b) => (Math.abs(b.value) > Math.abs(a.value) ? b : a));
    const text = `▲ clipped: up to ${num(peak.value)} at ${num(this.times[peak.at])} s `;
    const all = button(this.whole ? "Clip" : "Show all", "Clip rare spikes, or show the whole range", () => {
      this.whole = !this.whole;
      this.build();
    });
    this.clipNote.replaceChildren(this.whole ? "" : text, all);
  }

  // The farthest number of each spike.
  private spikes(clip: [number, number]): { line: number; at: number; value: number }[] {
    return this.drawn().flatMap((line) => peaksOutside(this.lines[line].values, clip).map((p) => ({ line, ...p })));
  }

  // A triangle at the edge of the chart where a spike leaves it.
  private drawSpikes(u: uPlot, colors: string[]): void {
    if (!this.clip || this.whole) return;
    const { left, top, width, height } = u.bbox;
    const size = 6 * uPlot.pxRatio;
    for (const { line, at, value } of this.spikes(this.clip)) {
      const x = u.valToPos(this.times[at], "x", true);
      if (x < left || x > left + width) continue;
      const [tip, foot] = value > this.clip[1] ? [top, top + size] : [top + height, top + height - size];
      u.ctx.fillStyle = this.color(line, colors);
      u.ctx.beginPath();
      u.ctx.moveTo(x, tip);
      u.ctx.lineTo(x - size * 0.6, foot);
      u.ctx.lineTo(x + size * 0.6, foot);
      u.ctx.fill();
    }
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

  // Names and values; of several lines each entry shows or hides its own.
  private makeLegend(colors: string[]): void {
    this.values = this.lines.map(() => el("b"));
    this.legend.replaceChildren(
      ...this.lines.map((line, i) => {
        const swatch = el("i", line.dashed ? { class: "dashed" } : {});
        swatch.style.background = this.color(i, colors);
        const unit = this.commonUnit() === "" && line.unit !== "" ? `\u2009${line.unit}` : "";
        const entry = this.lines.length > 1 ? el("button", { type: "button" }) : el("span");
        entry.append(swatch, line.name, " ", this.values[i], unit);
        if (this.lines.length === 1) return entry;
        entry.title = `Show or hide “${line.name}”`;
        entry.setAttribute("aria-pressed", String(this.shown.includes(i)));
        entry.addEventListener("click", () => {
          this.choose(i);
        });
        return entry;
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
    const names = this.drawn()
      .map((i) => this.lines[i].name)
      .join(", ");
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

function firstOf(lines: Line[]): number[] {
  return lines.slice(0, SHOWN).map((_, i) => i);
}
