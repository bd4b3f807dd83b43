// SPDX-License-Identifier: Apache-2.0
// The direction of parting over time as a line on the unit sphere, which can be turned; the charts show its components.
import { lastUpTo, type Page } from "../data/page";
import type { Vec3 } from "../data/schema";
import { button, el, svg } from "../ui/dom";
import { num } from "../ui/format";
import type { Context, Panel, PanelType } from "./panel";
import { largestTurn, seen, sphereLines } from "./sphere";

export function directionsOf(page: Page): Vec3[] {
  const lines = page.series.filter((s) => s.group === "Direction").map((s) => s.values);
  if (lines.length !== 3) return [];
  const [x, y, z] = lines;
  return Array.from(x, (_, i) => [x[i], y[i], z[i]]);
}

// Great circles of the axes, so that the turning of the sphere can be seen.
function circles(yaw: number, pitch: number): string {
  const steps = Array.from({ length: 73 }, (_, i) => (i * Math.PI) / 36);
  const around: ((a: number) => Vec3)[] = [
    (a) => [Math.cos(a), Math.sin(a), 0],
    (a) => [Math.cos(a), 0, Math.sin(a)],
    (a) => [0, Math.cos(a), Math.sin(a)],
  ];
  return around.map((at) => sphereLines(steps.map(at), yaw, pitch).front).join("");
}

function create(context: Context): Panel | null {
  const directions = directionsOf(context.page);
  if (directions.length < 2) return null;
  const grid = svg("path", { class: "sphere-grid" });
  const behind = svg("path", { class: "sphere-behind" });
  const front = svg("path", { class: "sphere-front" });
  const dot = svg("circle", { r: 0.045, class: "sphere-dot" });
  const rim = svg("circle", { r: 1, class: "sphere-grid" });
  const picture = svg(
    "svg",
    { viewBox: "-1.1 -1.1 2.2 2.2", class: "sphere", role: "img" },
    rim,
    grid,
    behind,
    front,
    dot,
  );
  const now = el("p", { class: "hint", "data-direction": "now" });
  let [yaw, pitch] = [0.5, 0.35];
  const mark = (): void => {
    const at = lastUpTo(context.page.seriesTimes, context.clock.time);
    const d = directions[at];
    const place = seen(d, yaw, pitch);
    dot.setAttribute("cx", place.x.toFixed(4));
    dot.setAttribute("cy", place.y.toFixed(4));
    dot.classList.toggle("behind", !place.front);
    now.textContent = `direction ${d.map((c) => num(c, 3)).join(", ")}`;
    picture.setAttribute("aria-label", `Unit sphere, ${now.textContent}`);
  };
  const draw = (): void => {
    const lines = sphereLines(directions, yaw, pitch);
    grid.setAttribute("d", circles(yaw, pitch));
    behind.setAttribute("d", lines.behind);
    front.setAttribute("d", lines.front);
    mark();
  };
  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) return;
    yaw -= event.movementX * 0.01;
    pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, pitch + event.movementY * 0.01));
    draw();
  });
  context.clock.onChange(mark);
  draw();
  const turn = largestTurn(directions);
  const text = `Largest turn: ${num(turn.degrees, 3)}° before ${num(context.page.seriesTimes[turn.at], 4)} s`;
  const go = button(text, "Go to the largest turn", () => {
    context.clock.playing = false;
    context.clock.seek(context.page.seriesTimes[turn.at]);
  });
  go.dataset["turn"] = String(turn.at);
  return {
    root: el("section", { class: "card" }, el("h2", {}, "Direction, A to B"), picture, now, go),
    place: "side",
  };
}

export const directionsPanel: PanelType = { type: "directions", create: (_, context) => create(context) };
