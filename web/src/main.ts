// SPDX-License-Identifier: Apache-2.0
// Reads the data of the page, makes the view and the panels, and runs the clock.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Clock } from "./clock";
import { mergedTimes, openPages, type Page } from "./data/page";
import { isRawPage } from "./data/schema";
import { clockActions, listenKeys, replayHelp } from "./keys";
import { panelTypes } from "./panels";
import type { Context } from "./panels/panel";
import { el } from "./ui/dom";
import { header } from "./ui/header";
import { onTheme } from "./ui/theme";
import { transport } from "./ui/transport";
import { hostedStage } from "./view/hosted";
import type { Picked, Stage } from "./view/stage";

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
  const title = pages.map((page) => page.title).join(" and ");
  document.title = title === "" ? "abut" : title;
  const side = el("aside", { "aria-label": "Panels", tabindex: -1 });
  const below = el("div", { class: "under" });
  const labels = pages.map((page) => (pages.length > 1 ? page.title : ""));
  const row = el("div", { class: "stages" });
  const view = el("div", { class: "view" }, row);
  app.append(view, side, below);
  const made = pages.map((page, i) => hostedStage(page, labels[i]));
  row.append(...made.map(({ host }) => host));
  const stages = made.map(({ stage }) => stage);
  if (stages.length > 1) joinCameras(stages);
  const clock = new Clock(mergedTimes(pages.map((page) => page.times)));
  const frames: ((seconds: number) => void)[] = [];
  const contexts = stages.map((stage, i) =>
    makeContext(stage, [stage, ...stages.filter((s) => s !== stage)], clock, labels[i], frames),
  );
  view.before(header(title, pages[0].subtitle, replayHelp, () => stages));
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
  listenKeys(clock.runs ? clockActions(clock) : {}, () => stages, select);
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
