// SPDX-License-Identifier: Apache-2.0
// Minima of the distance over a motion: times to go to, nearest points as marks, and what the bodies sweep.
import type { RawPanel, Vec3 } from "../data/schema";
import { button, checkbox, el } from "../ui/dom";
import { rove } from "../ui/rove";
import { Balls, Polygons } from "../view/arrows";
import { colors } from "../view/colors";
import { Ghost } from "../view/ghost";
import type { Context, Panel, PanelType } from "./panel";

export interface RawMinimum {
  t: number;
  d: number;
  lb: number;
  kind: string;
  pointA: Vec3;
  pointB: Vec3;
}

export interface RawClearance extends RawPanel {
  minima: RawMinimum[];
  note: string;
}

const digits = (x: number): string => String(Number(x.toPrecision(6)));

export function minimumText(m: RawMinimum): string {
  const where = m.kind === "interior" ? "" : `, ${m.kind}`;
  return `${digits(m.t)} s: ${digits(m.d)} m${where}`;
}

function marks(data: RawClearance, context: Context): { balls: Balls; line: Polygons } {
  const { stage } = context;
  const balls = new Balls(21);
  const line = new Polygons(20, 0);
  balls.set(
    data.minima.flatMap((m, i) => [
      { at: m.pointA, radius: stage.size * (i === 0 ? 0.02 : 0.012), color: colors.witnessA },
      { at: m.pointB, radius: stage.size * (i === 0 ? 0.02 : 0.012), color: colors.witnessB },
    ]),
  );
  line.set(data.minima.map((m) => ({ corners: [m.pointA, m.pointB], color: colors.overlap, owner: 0 })));
  stage.extras.add(balls.group, line.lines);
  stage.update();
  return { balls, line };
}

function create(data: RawClearance, context: Context): Panel {
  const { balls, line } = marks(data, context);
  const list = el("div", { class: "mode-list", "aria-label": "Closest moments" });
  data.minima.forEach((m, i) => {
    const name = i === 0 ? "Closest" : `Minimum ${i + 1}`;
    const go = button(`${name}: ${minimumText(m)}`, `Go to ${digits(m.t)} s`, () => {
      context.clock.playing = false;
      context.clock.seek(m.t);
    });
    go.dataset["minimum"] = String(i);
    list.append(go);
  });
  rove(list, "button");
  const witness = checkbox("Nearest points of the minima", true, (on) => {
    balls.group.visible = line.lines.visible = on;
    context.stage.update();
  });
  witness.dataset["layer"] = "minima";
  const ghost = new Ghost(context.page, context.stage.bodies);
  context.stage.extras.add(ghost.group);
  context.stage.setRun(ghost.group);
  const swept = checkbox("What the bodies sweep", true, (on) => {
    ghost.group.visible = on;
    context.stage.update();
  });
  swept.dataset["layer"] = "swept";
  const note = data.note === "" ? [] : [el("p", { class: "hint" }, data.note)];
  const root = el("section", { class: "card" }, el("h2", {}, "Clearance"), ...note, list, witness, swept);
  return { root, place: "side" };
}

export const clearancePanel: PanelType = {
  type: "clearance",
  create: (data, context) => create(data as RawClearance, context),
};
