// SPDX-License-Identifier: Apache-2.0
// What is drawn: colours of the bodies, layers of the contacts, scales.
import { checkbox, choice, el, slider } from "../ui/dom";
import { withUnit } from "../ui/format";
import { colors, cssColor, palette, ramp, type ColorMode } from "../view/colors";
import { layerNames, type LayerName } from "../view/contacts";
import type { Context, Panel, PanelType } from "./panel";

const needContacts: LayerName[] = ["polygons", "forces", "torques", "pressureCenters", "pressures", "overlaps"];

function swatch(color: number, text: string): HTMLElement {
  const mark = el("i");
  mark.style.background = cssColor(color);
  return el("span", {}, mark, text);
}

function legendFor(mode: ColorMode, context: Context): HTMLElement {
  const legend = el("div", { class: "legend" });
  if (mode === "sleeping") legend.append(swatch(colors.awake, "awake"), swatch(colors.asleep, "asleep"));
  if (mode === "island") legend.append(swatch(palette[0], "one colour per island"), swatch(colors.asleep, "none"));
  if (mode === "speed") {
    const bar = el("i", { class: "ramp" });
    const stops = [0, 0.25, 0.5, 0.75, 1].map((t) => cssColor(ramp(t)));
    bar.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
    legend.append(el("span", {}, "0 ", bar, ` ${withUnit(context.stage.bodies.speedScale, "m/s", 3)}`));
  }
  return legend;
}

function colorChoice(context: Context): HTMLElement[] {
  const { page, stage } = context;
  const modes: [ColorMode, string][] = [["id", "Body"]];
  if (page.frameCount > 1) modes.push(["speed", "Speed"]);
  if (page.asleep) modes.push(["sleeping", "Asleep or awake"]);
  if (page.islands) modes.push(["island", "Island"]);
  const place = el("div");
  const select = choice("Colour by", modes, "id", (mode) => {
    stage.bodies.mode = mode;
    place.replaceChildren(legendFor(mode, context));
    stage.update();
  });
  return modes.length > 1 ? [select, place] : [];
}

function create(context: Context): Panel {
  const { page, stage } = context;
  const layers = stage.layers;
  const names = (Object.keys(layerNames) as LayerName[]).filter((name) =>
    needContacts.includes(name) ? page.contacts !== null : page.frameCount > 1,
  );
  const boxes = names.map((name) => {
    const box = checkbox(layerNames[name], layers.shown[name], (on) => {
      layers.shown[name] = on;
      stage.update();
    });
    box.dataset["layer"] = name;
    return box;
  });
  const draw = (title: string, name: string, on: boolean, action: (on: boolean) => void): HTMLElement => {
    const box = checkbox(title, on, (value) => {
      action(value);
      stage.update();
    });
    box.dataset["layer"] = name;
    return box;
  };
  boxes.push(
    draw("See through bodies", "seeThrough", stage.bodies.seeThrough, (on) => {
      stage.bodies.setSeeThrough(on);
    }) as HTMLLabelElement,
    draw("Edges", "edges", true, (on) => {
      stage.bodies.setEdges(on);
    }) as HTMLLabelElement,
    draw("Ground grid", "ground", true, (on) => {
      stage.ground.group.visible = on;
    }) as HTMLLabelElement,
  );
  if (page.frameCount > 1) {
    const framing = draw("Keep the bodies in view", "framing", true, (on) => {
      stage.setFraming(on);
    });
    stage.onFraming = (on) => {
      const input = framing.querySelector("input");
      if (input) input.checked = on;
    };
    boxes.push(framing as HTMLLabelElement);
  }
  const sliders: HTMLElement[] = [];
  if (page.contacts) {
    const force = slider("Arrow length", { min: -1, max: 1, step: 0.05, value: 0 }, power, (value) => {
      layers.forceScale = 10 ** value;
      stage.update();
    });
    const overlap = slider("Exaggeration", { min: 0, max: 3, step: 0.25, value: 1 }, power, (value) => {
      layers.exaggeration = 10 ** value;
      stage.update();
    });
    const key = el("div", { class: "legend" }, swatch(colors.stick, "sticks"), swatch(colors.slip, "slips"));
    key.append(swatch(colors.force, "force"), swatch(colors.pressureCenter, "centre of pressure"));
    sliders.push(force, overlap, key);
  }
  const root = el(
    "details",
    { class: "card layers", open: true },
    el("summary", {}, el("h2", {}, "Show")),
    ...colorChoice(context),
    el("div", { class: "checks" }, ...boxes),
    ...sliders,
  );
  if (window.innerWidth < 600) root.open = false;
  return { root, place: "side" };
}

function power(value: number): string {
  return `${Number((10 ** value).toPrecision(2))}×`;
}

export const layersPanel: PanelType = { type: "layers", create: (_, context) => create(context) };
