// SPDX-License-Identifier: Apache-2.0
// The panels there are. A new one: a module like facts.ts, a line here, and a writer on the C side; see docs/howto/panels.md.
import { clearancePanel } from "./clearance";
import { directionsPanel } from "./directions";
import { distancePanel } from "./distance";
import { factsPanel } from "./facts";
import { jointsPanel } from "./joints";
import { layersPanel } from "./layers";
import { modesPanel } from "./modes";
import { overlapPanel } from "./overlap";
import { pairsPanel } from "./pairs";
import type { PanelType } from "./panel";
import { plotsPanel } from "./plots";
import { selectionPanel } from "./selection";

export const panelTypes: PanelType[] = [
  factsPanel,
  distancePanel,
  clearancePanel,
  directionsPanel,
  overlapPanel,
  modesPanel,
  selectionPanel,
  jointsPanel,
  layersPanel,
  pairsPanel,
  plotsPanel,
];
