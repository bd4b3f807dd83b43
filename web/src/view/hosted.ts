// SPDX-License-Identifier: Apache-2.0
// A view in an element of its own, with what its corner says: distance of the grid lines, number of bodies, scale of arrows.
import type { Page } from "../data/page";
import { el } from "../ui/dom";
import { num } from "../ui/format";
import { Stage } from "./stage";

function describe(page: Page): string {
  const count = page.bodies.filter((_, b) => page.isThere(0, b) || !page.live).length;
  const bodies = `${count} ${count === 1 ? "body" : "bodies"}`;
  const kept = page.thinning === "" ? "" : ` (${page.thinning})`;
  return page.frameCount > 1 ? `${bodies}, ${page.frameCount} frames${kept}` : bodies;
}

export function hostedStage(page: Page, label: string): { stage: Stage; host: HTMLElement } {
  const host = el("div", { class: "stage" });
  const stage = new Stage(page, host);
  const corner = el("p", { class: "corner" });
  const before = `${label === "" ? "" : `${label}: `}grid ${num(stage.ground.spacing, 1)} m`;
  let said = "";
  stage.onDraw = () => {
    const text = [before, describe(page), stage.layers.legend()].filter((part) => part !== "").join(" · ");
    if (text !== said) corner.textContent = said = text;
  };
  host.append(corner);
  stage.canvas.setAttribute("aria-label", `Three-dimensional view: ${page.title}, ${describe(page)}`);
  return { stage, host };
}
