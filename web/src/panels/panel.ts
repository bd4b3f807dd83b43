// SPDX-License-Identifier: Apache-2.0
// What a panel is: a card beside or below the view that knows the page, the clock and the stage.
import type { Clock } from "../clock";
import type { Page } from "../data/page";
import type { RawPanel } from "../data/schema";
import type { Picked, Stage } from "../view/stage";

export interface Context {
  page: Page;
  clock: Clock;
  stage: Stage;
  stages: Stage[]; // that of this run first; others when runs are shown side by side
  label: string; // of this run among several; "": it is the only one
  select: (picked: Picked) => void;
  onSelect: (listener: (picked: Picked) => void) => void;
  onFrame: (listener: (seconds: number) => void) => void; // each time the browser draws
}

export interface Panel {
  root: HTMLElement;
  place: "side" | "below";
}

// `create` gives null when the page has nothing for this panel.
export interface PanelType {
  type: string;
  create: (data: RawPanel, context: Context) => Panel | null;
}
