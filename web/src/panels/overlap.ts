// SPDX-License-Identifier: Apache-2.0
// The overlap of two bodies: its polyhedron, volume and normal.
import type { Ref } from "../data/codec";
import type { RawPanel, Vec3 } from "../data/schema";
import { meshFaces, stretch } from "../geometry/clip";
import { scale } from "../geometry/vec";
import { resultFacts } from "./distance_facts";
import { checkbox, el, Facts, slider } from "../ui/dom";
import { vec, withUnit } from "../ui/format";
import { Arrows, Balls } from "../view/arrows";
import { Solid } from "../view/solid";
import { colors } from "../view/colors";
import type { Context, Panel, PanelType } from "./panel";

export interface RawOverlap extends RawPanel {
  vertices: Ref;
  triangles: Ref;
  volume: number;
  area: number;
  centroid: Vec3;
  normal: Vec3;
  note: string;
  outcome: string;
}

function create(data: RawOverlap, context: Context): Panel {
  const { stage, page } = context;
  const mesh = { vertices: page.pool.numbers(data.vertices), triangles: page.pool.integers(data.triangles) };
  const faces = meshFaces(mesh, { position: [0, 0, 0], rotation: [1, 0, 0, 0] });
  const solid = new Solid(colors.overlap);
  const balls = new Balls(21);
  const arrows = new Arrows(22);
  const draw = (factor: number): void => {
    solid.set(stretch(faces, data.centroid, data.normal, factor));
    stage.update();
  };
  if (data.volume > 0) {
    balls.set([{ at: data.centroid, radius: stage.size * 0.025, color: colors.witnessA }]);
    const vector = scale(data.normal, stage.size * 0.5);
    arrows.set([{ from: data.centroid, vector, color: colors.force, width: stage.size * 0.01 }]);
  }
  stage.extras.add(solid.group, balls.group, arrows.group);
  stage.bodies.setSeeThrough(true);
  draw(1);
  const facts = new Facts();
  const rows = resultFacts(
    page.bodies.map((body) => body.name),
    data.outcome,
  );
  rows.push(["Volume", withUnit(data.volume, "m³", 6)]);
  if (data.volume > 0)
    rows.push(
      ["Surface", withUnit(data.area, "m²", 6)],
      ["Centroid", vec(data.centroid, "m", 6)],
      ["Normal, A to B", vec(data.normal, "", 6)],
      ["Vertices", String(mesh.vertices.length / 3)],
    );
  if (data.note !== "") rows.push(["Method", data.note]);
  facts.set(rows);
  const visible = checkbox("Overlap", true, (on) => {
    solid.group.visible = balls.group.visible = arrows.group.visible = on;
    stage.update();
  });
  visible.dataset["layer"] = "overlap";
  const text = (v: number): string => `${Number((10 ** v).toPrecision(2))}×`;
  const grow = slider("Exaggeration", { min: 0, max: 3, step: 0.1, value: 0 }, text, (v) => {
    draw(10 ** v);
  });
  return { root: el("section", { class: "card" }, el("h2", {}, "Overlap"), facts.root, visible, grow), place: "side" };
}

export const overlapPanel: PanelType = {
  type: "overlap",
  create: (data, context) => create(data as RawOverlap, context),
};
