// SPDX-License-Identifier: Apache-2.0
// Reads the data of the page, makes the view and the panels, and runs the clock.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Clock } from "./clock";
import { openPage, type Page } from "./data/page";
import { isRawPage } from "./data/schema";
import { listenKeys, keyHelp } from "./keys";
import { panelTypes } from "./panels";
import type { Context } from "./panels/panel";
import { button, el, fileName, save } from "./ui/dom";
import { num } from "./ui/format";
import { onTheme, toggleTheme } from "./ui/theme";
import { transport } from "./ui/transport";
import { Stage, type Picked } from "./view/stage";

function header(page: Page, stage: Stage): HTMLElement {
  const help = el("dialog", { class: "help", "aria-label": "Keys" }, keyHelp());
  help.append(
    button("Close", "Close", () => {
      help.close();
    }),
  );
  const tools = el(
    "div",
    { class: "tools" },
    button("Fit", "Show everything (F)", () => {
      stage.setFraming(false);
      stage.fit();
    }),
    button("PNG", "Save the picture as PNG", () => {
      void stage.picture().then((blob) => {
        if (blob) save(fileName(page.title, "png"), blob);
      });
    }),
    button("Theme", "Light or dark (T)", toggleTheme),
    button("Keys", "List of keys", () => {
      help.showModal();
    }),
    help,
  );
  const names = el("div", {}, el("h1", {}, page.title), el("p", {}, page.subtitle));
  return el("header", {}, names, tools);
}

function describe(page: Page): string {
  const bodies = `${page.bodies.length} ${page.bodies.length === 1 ? "body" : "bodies"}`;
  const kept = page.thinning === "" ? "" : ` (${page.thinning})`;
  return page.frameCount > 1 ? `${bodies}, ${page.frameCount} frames${kept}` : bodies;
}

function makeContext(page: Page, clock: Clock, stage: Stage): { context: Context; frame: (seconds: number) => void } {
  const selectors: ((picked: Picked) => void)[] = [];
  const frames: ((seconds: number) => void)[] = [];
  const select = (picked: Picked): void => {
    for (const listener of selectors) listener(picked);
  };
  stage.onPick = select;
  const context: Context = {
    page,
    clock,
    stage,
    select,
    onSelect: (listener) => selectors.push(listener),
    onFrame: (listener) => frames.push(listener),
  };
  return {
    context,
    frame: (seconds) => {
      for (const listener of frames) listener(seconds);
    },
  };
}

function build(app: HTMLElement, page: Page): void {
  document.title = page.title === "" ? "abut" : page.title;
  const host = el("div", { class: "stage" });
  const side = el("aside", { "aria-label": "Panels" });
  const below = el("div", { class: "under" });
  const view = el("div", { class: "view" }, host);
  app.append(view);
  const stage = new Stage(page, host);
  const clock = new Clock(page);
  const { context, frame } = makeContext(page, clock, stage);
  host.append(el("p", { class: "corner" }, `grid ${num(stage.ground.spacing, 1)} m · ${describe(page)}`));
  view.before(header(page, stage));
  if (page.frameCount > 1) view.append(transport(page, clock));
  app.append(side, below);
  for (const data of page.panels) {
    const type = panelTypes.find((t) => t.type === data.type);
    const panel = type?.create(data, context);
    if (panel) (panel.place === "side" ? side : below).append(panel.root);
  }
  if (below.childElementCount === 0) {
    below.remove();
    app.classList.add("alone"); // the view may fill the window
  }
  stage.canvas.setAttribute("aria-label", `Three-dimensional view: ${page.title}, ${describe(page)}`);
  clock.onChange(() => {
    stage.setTime(clock.time);
  });
  onTheme((dark) => {
    stage.setTheme(dark);
  });
  listenKeys(clock, stage, context.select);
  clock.seek(clock.start);
  run(clock, stage, frame);
  Object.assign(window, { abut: { page, clock, stage, select: context.select } });
}

function run(clock: Clock, stage: Stage, frame: (seconds: number) => void): void {
  let last = performance.now();
  const tick = (now: number): void => {
    const seconds = Math.max(0, now - last) / 1000;
    clock.advance(seconds);
    frame(Math.min(seconds, 0.1));
    stage.drawIfNeeded();
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
    build(app, await openPage(raw));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    app.replaceChildren(el("p", { class: "failure", role: "alert" }, `This page cannot be shown: ${message}`));
  }
}

void start();
