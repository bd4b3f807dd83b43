// SPDX-License-Identifier: Apache-2.0
// A list of names and values; what most results have to say in words.
import type { RawPanel } from "../data/schema";
import { el, Facts } from "../ui/dom";
import type { Panel, PanelType } from "./panel";

export interface RawFacts extends RawPanel {
  title: string;
  rows: [string, string][];
}

export const factsPanel: PanelType = {
  type: "facts",
  create: (data): Panel => {
    const { title, rows } = data as RawFacts;
    const facts = new Facts();
    facts.set(rows);
    return { root: el("section", { class: "card" }, el("h2", {}, title), facts.root), place: "side" };
  },
};
