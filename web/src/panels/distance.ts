// SPDX-License-Identifier: Apache-2.0
// Distance between two bodies: witness points, the line between them, the normal.
import type { RawPanel, Vec3 } from "../data/schema";
import { distanceFacts, resultFacts } from "./distance_facts";
import { scale } from "../geometry/vec";
import { checkbox, el, Facts } from "../ui/dom";
import { Arrows, Balls, Polygons } from "../view/arrows";
import { colors, cssColor } from "../view/colors";
import type { Context, Panel, PanelType } from "./panel";

export interface RawDistance extends RawPanel {
  distance: number;
  normal: Vec3;
  pointA: Vec3;
  pointB: Vec3;
  note: string;
  outcome: string;
}

function create(data: RawDistance, context: Context): Panel {
  const { stage, page } = context;
  const size = stage.size;
  const balls = new Balls(21);
  const arrows = new Arrows(22);
  const line = new Polygons(20, 0);
  balls.set([
    { at: data.pointA, radius: size * 0.03, color: colors.witnessA },
    { at: data.pointB, radius: size * 0.03, color: colors.witnessB },
  ]);
  line.set([{ corners: [data.pointA, data.pointB], color: colors.overlap, owner: 0 }]);
  const from = data.pointB;
  arrows.set([{ from, vector: scale(data.normal, size * 0.4), color: colors.force, width: size * 0.01 }]);
  stage.extras.add(balls.group, arrows.group, line.lines);
  stage.bodies.setSeeThrough(data.distance <= 0);
  stage.update();
  const facts = new Facts();
  facts.set([
    ...resultFacts(
      page.bodies.map((body) => body.name),
      data.outcome,
    ),
    ...distanceFacts(data),
  ]);
  const key = el("div", { class: "legend" });
  const marks: [number, string][] = [
    [colors.witnessA, "point on A"],
    [colors.witnessB, "point on B"],
    [colors.force, "normal, from A to B"],
  ];
  for (const [color, text] of marks) {
    const mark = el("i");
    mark.style.background = cssColor(color);
    key.append(el("span", {}, mark, text));
  }
  const witness = checkbox("Witness points and normal", true, (on) => {
    balls.group.visible = arrows.group.visible = line.lines.visible = on;
    stage.update();
  });
  witness.dataset["layer"] = "witness";
  return { root: el("section", { class: "card" }, el("h2", {}, "Distance"), facts.root, key, witness), place: "side" };
}

export const distancePanel: PanelType = {
  type: "distance",
  create: (data, context) => create(data as RawDistance, context),
};
