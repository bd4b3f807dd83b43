// SPDX-License-Identifier: Apache-2.0
// What is drawn: colors of the bodies, layers of the contacts, scales.
import type { Page } from "../data/page";
import type { RawPanel, Vec3 } from "../data/schema";
import { checkbox, choice, el, slider } from "../ui/dom";
import { rove } from "../ui/rove";
import { withUnit } from "../ui/format";
import { colors, cssColor, palette, ramp, type ColorMode } from "../view/colors";
import { extentOf } from "../view/framing";
import { shortNames } from "../view/labels";
import { arrowLimit, layerNames, type ContactLayers, type LayerName } from "../view/contacts";
import type { Stage } from "../view/stage";
import { thrustLines } from "../view/thrust";
import type { Context, Panel, PanelType } from "./panel";

export interface RawLayers extends RawPanel {
  names?: boolean; // the names of bodies are shown at first
}

const withoutContacts: LayerName[] = ["velocities"];

// Is there something to draw in this layer?
function offers(page: Page, name: LayerName): boolean {
  if (withoutContacts.includes(name)) return page.moves;
  if (name !== "thrust") return page.contacts !== null;
  return [0, 0.5, 1].some((part) => thrustLines(page, Math.floor(part * (page.frameCount - 1))).length > 1);
}

function swatch(color: number, text: string): HTMLElement {
  const mark = el("i");
  mark.style.background = cssColor(color);
  return el("span", {}, mark, text);
}

function legendFor(mode: ColorMode, context: Context): HTMLElement {
  const legend = el("div", { class: "legend" });
  if (mode === "sleeping") legend.append(swatch(colors.awake, "awake"), swatch(colors.asleep, "asleep"));
  if (mode === "island") legend.append(swatch(palette[0], "one color per island"), swatch(colors.asleep, "none"));
  if (mode === "speed") {
    const bar = el("i", { class: "ramp" });
    const stops = [0, 0.25, 0.5, 0.75, 1].map((t) => cssColor(ramp(t)));
    bar.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
    legend.append(el("span", {}, "0 ", bar, ` ${withUnit(context.stage.bodies.speedScale, "m/s", 3)}`));
  }
  return legend;
}

function colorChoice(context: Context): HTMLElement[] {
  const { page } = context;
  const modes: [ColorMode, string][] = [["id", "Body"]];
  if (page.moves) modes.push(["speed", "Speed"]);
  if (page.asleep) modes.push(["sleeping", "Asleep or awake"]);
  if (page.islands) modes.push(["island", "Island"]);
  const place = el("div");
  const select = choice("Color by", modes, "id", (mode) => {
    place.replaceChildren(legendFor(mode, context));
    for (const one of context.stages) {
      one.bodies.mode = mode;
      one.update();
    }
  });
  return modes.length > 1 ? [select, place] : [];
}

// A box that does the same to every view of the page.
function box(context: Context, title: string, name: string, on: boolean, action: (stage: Stage, on: boolean) => void) {
  const label = checkbox(title, on, (value) => {
    for (const stage of context.stages) {
      action(stage, value);
      stage.update();
    }
  });
  label.dataset["layer"] = name;
  return label;
}

function contactBoxes(context: Context): HTMLElement[] {
  const { stage, stages } = context;
  const names = (Object.keys(layerNames) as LayerName[]).filter((name) => stages.some((s) => offers(s.page, name)));
  const boxes = names.map((name) =>
    box(context, layerNames[name], name, stage.layers.shown[name], (s, on) => {
      s.layers.shown[name] = on;
    }),
  );
  if (stages.some((s) => s.page.contacts))
    boxes.push(
      box(context, "X-ray: contacts through bodies", "xray", stage.layers.hasXray, (s, on) => {
        s.layers.setXray(on);
      }),
    );
  if (stages.some((s) => s.page.contacts && mostContacts(s.page) > arrowLimit))
    boxes.push(
      box(context, `All arrows, not the strongest ${arrowLimit}`, "allArrows", false, (s, on) => {
        s.layers.allArrows = on;
      }),
    );
  return boxes;
}

function mostContacts(page: Page): number {
  const first = page.contacts?.first ?? new Int32Array(1);
  let most = 0;
  for (let f = 0; f + 1 < first.length; f++) most = Math.max(most, first[f + 1] - first[f]);
  return most;
}

function bodyBoxes(context: Context, data: RawLayers): HTMLElement[] {
  const { stage, stages } = context;
  const boxes = [
    box(context, "See through bodies", "seeThrough", stage.bodies.seeThrough, (s, on) => {
      s.bodies.setSeeThrough(on);
    }),
    box(context, "Edges", "edges", true, (s, on) => {
      s.bodies.setEdges(on);
    }),
    box(context, "Ground grid", "ground", stage.ground.group.visible, (s, on) => {
      s.ground.group.visible = on;
    }),
  ];
  if (stages.some((s) => s.bodies.pictures))
    boxes.push(
      box(context, "Shapes of contact, not meshes", "contactShapes", false, (s, on) => {
        s.bodies.setContactShapes(on);
      }),
    );
  if (stages.some((s) => s.bodies.containers))
    boxes.push(
      box(context, "Containers as ghosts", "ghosts", true, (s, on) => {
        s.bodies.setGhosts(on);
      }),
    );
  if (stages.some((s) => s.walls.count > 0))
    boxes.push(
      box(context, "Walls and slopes", "walls", true, (s, on) => {
        s.walls.setVisible(on);
      }),
    );
  if (context.page.moves) boxes.push(framingBox(context));
  boxes.push(
    box(context, "Names of bodies", "names", data.names ?? false, (s, on) => {
      s.names.set(on ? nameLabels(s) : []);
    }),
  );
  return boxes;
}

// A name at the middle of every body that has an end.
function nameLabels(stage: Stage): { at: () => Vec3 | null; text: string }[] {
  const texts = shortNames(stage.page.bodies.map((body) => body.name));
  return texts.flatMap((text, b) => {
    const { middle, reach } = extentOf(stage.page, b);
    return reach > 0 ? [{ at: () => stage.bodies.pointOf(b, middle), text }] : [];
  });
}

function framingBox(context: Context): HTMLLabelElement {
  const framing = box(context, "Keep the bodies in view", "framing", true, (s, on) => {
    s.setFraming(on);
  });
  context.stage.onFraming = (on) => {
    const input = framing.querySelector("input");
    if (input) input.checked = on;
  };
  return framing;
}

function arrowControls(context: Context): HTMLElement[] {
  const each = (action: (layers: ContactLayers) => void): void => {
    for (const stage of context.stages) {
      action(stage.layers);
      stage.update();
    }
  };
  const side: ["above" | "below", string][] = [
    ["above", "the body above"],
    ["below", "the body below"],
  ];
  const on = choice("Forces on", side, "above", (value) => {
    each((layers) => {
      layers.forcesOn = value;
    });
  });
  on.title = "With a body selected its contacts show what acts on it";
  const force = slider("Arrow length", { min: -1, max: 1, step: 0.05, value: 0 }, power, (value) => {
    each((layers) => {
      layers.forceScale = 10 ** value;
    });
  });
  const overlap = slider("Exaggeration", { min: 0, max: 3, step: 0.25, value: 1 }, power, (value) => {
    each((layers) => {
      layers.exaggeration = 10 ** value;
    });
  });
  const key = el("div", { class: "legend" }, swatch(colors.stick, "sticks"), swatch(colors.slip, "slips"));
  key.append(swatch(colors.force, "force"), swatch(colors.pressureCenter, "center of pressure"));
  return [on, force, overlap, key];
}

function create(context: Context, data: RawLayers): Panel {
  if (data.names) for (const stage of context.stages) stage.names.set(nameLabels(stage));
  const checks = el("div", { class: "checks" }, ...contactBoxes(context), ...bodyBoxes(context, data));
  rove(checks, "input");
  const root = el(
    "details",
    { class: "card layers", open: true },
    el("summary", {}, el("h2", {}, "Show")),
    ...colorChoice(context),
    checks,
    ...(context.stages.some((s) => s.page.contacts) ? arrowControls(context) : []),
  );
  if (window.innerWidth < 600) root.open = false;
  return { root, place: "side" };
}

function power(value: number): string {
  return `${Number((10 ** value).toPrecision(2))}×`;
}

export const layersPanel: PanelType = { type: "layers", create: (data, context) => create(context, data) };
