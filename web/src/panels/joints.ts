// SPDX-License-Identifier: Apache-2.0
// Sliders that pose a robot by hand. A moved slider takes over from the run until the time changes or Reset is pressed.
import type { Ref } from "../data/codec";
import type { RawPanel } from "../data/schema";
import { chainPoses, couple, type Coupling, type Joint, type Link } from "../geometry/chain";
import { button, el, fileName, save } from "../ui/dom";
import { num } from "../ui/format";
import type { Context, Panel, PanelType } from "./panel";

export interface RawJoints extends RawPanel {
  links: Link[];
  couplings: Coupling[];
  values: Ref;
}

interface Row {
  joint: Joint;
  input: HTMLInputElement;
  output: HTMLOutputElement;
}

class JointsPanel {
  readonly root: HTMLElement;
  private readonly joints: Joint[];
  private readonly values: Float64Array; // of all frames
  private readonly count: number; // of positions
  private readonly rows: Row[];
  private q: Float64Array;

  constructor(
    private readonly data: RawJoints,
    private readonly context: Context,
  ) {
    const { page, clock } = context;
    this.joints = data.links.flatMap((link) => link.joints);
    this.values = page.pool.numbers(data.values);
    this.count = this.values.length / page.frameCount;
    this.q = this.valuesAt(clock.time);
    const led = new Set(data.couplings.map((c) => c.joint));
    this.rows = this.joints.filter((j) => j.kind !== "ball" && !led.has(j.number)).map((joint) => this.row(joint));
    const reset = button("Reset", "Back to the state of the run", () => {
      this.release();
    });
    const state = button("Save state", "Save the positions for abut robot --state", () => {
      const text = JSON.stringify({ qpos: Array.from(this.q) });
      save(fileName(page.title, "json"), new Blob([text], { type: "application/json" }));
    });
    this.root = el(
      "section",
      { class: "card joints", "aria-label": "Joints" },
      el("h2", {}, "Joints"),
      el("div", { class: "row" }, reset, state),
      el("div", { class: "joint-list" }, ...this.rows.map((row) => this.field(row))),
    );
    clock.onChange(() => {
      this.release();
    });
    this.show();
  }

  private valuesAt(time: number): Float64Array {
    const frame = this.context.page.frameAt(time);
    return this.values.slice(frame * this.count, (frame + 1) * this.count);
  }

  private row(joint: Joint): Row {
    const input = el("input", { type: "range", min: joint.low, max: joint.high, step: "any" });
    const row = { joint, input, output: el("output") };
    input.addEventListener("input", () => {
      this.q[joint.place] = input.valueAsNumber;
      this.pose();
    });
    return row;
  }

  private field({ joint, input, output }: Row): HTMLElement {
    const name = joint.name || `joint ${joint.number}`;
    input.dataset["joint"] = name;
    return el("label", { class: "field slide" }, el("span", {}, name), input, output);
  }

  private show(): void {
    for (const { joint, input, output } of this.rows) {
      const value = this.q[joint.place];
      if (input.valueAsNumber !== value) input.value = String(value);
      output.textContent = joint.kind === "slide" ? `${num(value, 3)} m` : `${num((value * 180) / Math.PI, 3)}°`;
    }
  }

  // The robot where the sliders say.
  private pose(): void {
    const { clock, page, stage } = this.context;
    clock.playing = false;
    couple(this.joints, this.data.couplings, this.q);
    const poses = chainPoses(this.data.links, this.q, (link) =>
      link.body < 0
        ? { position: link.position, rotation: link.rotation }
        : page.pose(page.frameAt(clock.time), link.body),
    );
    const byBody = new Map(this.data.links.map((link, i) => [link.body, poses[i]]));
    stage.poseOverride = (body) => byBody.get(body) ?? null;
    this.show();
    stage.update();
  }

  private release(): void {
    const { clock, stage } = this.context;
    this.q = this.valuesAt(clock.time);
    if (stage.poseOverride) {
      stage.poseOverride = null;
      stage.update();
    }
    this.show();
  }
}

export const jointsPanel: PanelType = {
  type: "joints",
  create: (data, context): Panel => ({ root: new JointsPanel(data as RawJoints, context).root, place: "side" }),
};
