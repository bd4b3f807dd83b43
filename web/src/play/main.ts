// SPDX-License-Identifier: Apache-2.0
// The playground: opens the library that is in the page, shows its scene, and runs it.
import "uplot/dist/uPlot.min.css";
import "../style.css";
import { el } from "../ui/dom";
import { Core } from "./core";
import { Playground } from "./playground";

async function start(): Promise<void> {
  const app = document.getElementById("app");
  const bytes = document.getElementById("abut-core")?.textContent.trim() ?? "";
  if (!app) return;
  try {
    if (bytes === "") throw new Error("it holds no library: it is the empty template");
    const playground = new Playground(app, await Core.open(bytes));
    Object.assign(window, { abut: playground });
    playground.run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    app.replaceChildren(el("p", { class: "failure", role: "alert" }, `This page cannot be shown: ${message}`));
  }
}

void start();
