// SPDX-License-Identifier: Apache-2.0
// Reads the data of the page, makes the view and the panels, and runs the clock.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Clock } from "./clock";
import { mergedTimes, openPages, type Page } from "./data/page";
import { isRawPage } from "./data/schema";
import { keyHelp, listenKeys } from "./keys";
import { panelTypes } from "./panels";
import type { Context } from "./panels/panel";
import { button, el, fileName, save } from "./ui/dom";
import { num } from "./ui/format";
import { onTheme, toggleTheme } from "./ui/theme";
import { transport } from "./ui/transport";
import { Stage, type Picked } from "./view/stage";

function header(pages: Page[], stages: Stage[]): HTMLElement {
  const help = el("dialog", { class: "help", "aria-label": "Keys, mouse and touch" }, keyHelp());
  help.append(
    button("Close", "Close", () => {
      help.close();
    }),
  );
  const tools = el(
    "div",
    { class: "tools" },
    button("Fit", "Show everything (F)", () => {
      for (const stage of stages) {
        stage.setFraming(false);
        stage.fit();
      }
    }),
    button("PNG", "Save the picture as PNG", () => {
      for (const stage of stages)
        void stage.picture().then((blob) => {
          if (blob) save(fileName(stage.page.title, "png"), blob);
        });
    }),
    button("Theme", "Light or dark (T)", toggleTheme),
    button("Help", "Keys, mouse and touch", () => {
      help.showModal();
    }),
    help,
  );
  const title = pages.map((page) => page.title).join(" and ");
  const names = el("div", {}, el("h1", {}, title), el("p", {}, pages[0].subtitle));
  return el("header", {}, names, tools);
}

function describe(page: Page): string {
  const bodies = `${page.bodies.length} ${page.bodies.length === 1 ? "body" : "bodies"}`;
  const kept = page.thinning === "" ? "" : ` (${page.thinning})`;
  return page.frameCount > 1 ? `${bodies}, ${page.frameCount} frames${kept}` : bodies;
}

// The view of one run, with what its corner says.
function makeStage(page: Page, label: string): { stage: Stage; host: HTMLElement } {
  const host = el("div", { class: "stage" });
  const stage = new Stage(page, host);
  const corner = el("p", { class: "corner" });
  const fixed = `${label === "" ? "" : `${label}: `}grid ${num(stage.ground.spacing, 1)} m · ${describe(page)}`;
  let said = "";
  stage.onDraw = () => {
    const legend = stage.layers.legend();
    const text = legend === "" ? fixed : `${fixed} · ${legend}`;
    if (text !== said) corner.textContent = said = text;
  };
  host.append(corner);
  stage.canvas.setAttribute("aria-label", `Three-dimensional view: ${page.title}, ${describe(page)}`);
  return { stage, host };
}

// Moving one camera moves the other.
function joinCameras(stages: Stage[]): void {
  let busy = false;
  for (const stage of stages)
    stage.onCamera = () => {
      if (busy) return;
      busy = true;
      for (const other of stages) {
        if (other === stage) continue;
        other.setFraming(false);
        other.eye.copyFrom(stage.eye);
        other.redraw();
      }
      busy = false;
    };
}

type Selector = (picked: Picked) => void;

function makeContext(
  stage: Stage,
  stages: Stage[],
  clock: Clock,
  label: string,
  frames: ((seconds: number) => void)[],
): Context {
  const selectors: Selector[] = [];
  const select: Selector = (picked) => {
    for (const listener of selectors) listener(picked);
  };
  stage.onPick = select;
  return {
    page: stage.page,
    clock,
    stage,
    stages,
    label,
    select,
    onSelect: (listener) => selectors.push(listener),
    onFrame: (listener) => frames.push(listener),
  };
}

// Panels of the first run, and of the others what belongs to one run alone.
function addPanels(context: Context, first: boolean, side: HTMLElement, below: HTMLElement): void {
  for (const data of context.page.panels) {
    const type = panelTypes.find((t) => t.type === data.type);
    if (!first && data.type !== "selection") continue;
    const panel = type?.create(data, context);
    if (panel) (panel.place === "side" ? side : below).append(panel.root);
  }
}

function build(app: HTMLElement, pages: Page[]): void {
  document.title = pages[0].title === "" ? "abut" : pages.map((page) => page.title).join(" and ");
  const side = el("aside", { "aria-label": "Panels", tabindex: -1 });
  const below = el("div", { class: "under" });
  const labels = pages.map((page) => (pages.length > 1 ? page.title : ""));
  const row = el("div", { class: "stages" });
  const view = el("div", { class: "view" }, row);
  app.append(view, side, below);
  const made = pages.map((page, i) => makeStage(page, labels[i]));
  row.append(...made.map(({ host }) => host));
  const stages = made.map(({ stage }) => stage);
  if (stages.length > 1) joinCameras(stages);
  const clock = new Clock(mergedTimes(pages.map((page) => page.times)));
  const frames: ((seconds: number) => void)[] = [];
  const contexts = stages.map((stage, i) =>
    makeContext(stage, [stage, ...stages.filter((s) => s !== stage)], clock, labels[i], frames),
  );
  view.before(header(pages, stages));
  if (clock.runs) view.append(transport(clock));
  contexts.forEach((context, i) => {
    addPanels(context, i === 0, side, below);
  });
  if (below.childElementCount === 0) {
    below.remove();
    app.classList.add("alone"); // the view may fill the window
  }
  for (const stage of stages) {
    clock.onChange(() => {
      stage.setTime(clock.time);
    });
    onTheme((dark) => {
      stage.setTheme(dark);
    });
  }
  const select: Selector = (picked) => {
    for (const context of contexts) context.select(picked);
  };
  listenKeys(clock, stages, select);
  clock.seek(clock.start);
  run(clock, stages, frames);
  const [context] = contexts;
  Object.assign(window, { abut: { page: pages[0], clock, stage: context.stage, stages, select: context.select } });
}

function run(clock: Clock, stages: Stage[], frames: ((seconds: number) => void)[]): void {
  let last = performance.now();
  const tick = (now: number): void => {
    const seconds = Math.max(0, now - last) / 1000;
    clock.advance(seconds);
    for (const listener of frames) listener(Math.min(seconds, 0.1));
    for (const stage of stages) stage.drawIfNeeded();
    if (!document.documentElement.dataset["ready"]) document.documentElement.dataset["ready"] = now.toFixed(0);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

async function start(): Promise<void> {
  const app = document.getElementById("app");
  const text = document.getElementById("abut-data")?.textContent ?? "";
  if (!app) return;
  try {
    const raw: unknown = JSON.parse(text);
    if (!isRawPage(raw)) throw new Error("this page holds no data: it is the empty template");
    build(app, await openPages(raw));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    app.replaceChildren(el("p", { class: "failure", role: "alert" }, `This page cannot be shown: ${message}`));
  }
}

void start();
