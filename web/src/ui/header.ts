// SPDX-License-Identifier: Apache-2.0
// The head of a page: its title, and buttons for all its views.
import { keyHelp, type HelpRows } from "../keys";
import type { Stage } from "../view/stage";
import { button, el, fileName, save } from "./dom";
import { toggleTheme } from "./theme";

export function header(title: string, subtitle: string, rows: HelpRows, stages: () => Stage[]): HTMLElement {
  const help = el("dialog", { class: "help", "aria-label": "Keys, mouse and touch" }, keyHelp(rows));
  help.append(
    button("Close", "Close", () => {
      help.close();
    }),
  );
  const tools = el(
    "div",
    { class: "tools" },
    button("Fit", "Show everything (F)", () => {
      for (const stage of stages()) {
        stage.setFraming(false);
        stage.fit();
      }
    }),
    button("PNG", "Save the picture as PNG", () => {
      for (const stage of stages())
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
  return el("header", {}, el("div", {}, el("h1", {}, title), el("p", {}, subtitle)), tools);
}
