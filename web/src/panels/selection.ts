// SPDX-License-Identifier: Apache-2.0
// The numbers of one body or one contact now, and over time.
import type { Vec3 } from "../data/schema";
import { dot, length } from "../geometry/vec";
import { button, checkbox, el, Facts } from "../ui/dom";
import { vec, withUnit } from "../ui/format";
import { Plot, type Line } from "../ui/plot";
import type { Context, Panel, PanelType } from "./panel";

class SelectionPanel {
  readonly root: HTMLElement;
  private readonly name = el("p", { class: "name", id: "selected-name" }, "Nothing selected");
  private readonly hint = el("p", { class: "hint" }, "Click a body or a contact, or choose from the list.");
  private readonly facts = new Facts();
  private readonly list: HTMLSelectElement;
  private readonly plot: Plot;
  private readonly follow: HTMLElement;
  private body = -1;
  private contact: { a: number; b: number; number: number } | null = null;

  constructor(private readonly context: Context) {
    const { page, clock } = context;
    this.list = el(
      "select",
      { "aria-label": "Body" },
      el("option", { value: -1 }, "Choose a body…"),
      ...page.bodies.map((_, i) => el("option", { value: i }, page.nameOf(i))),
    );
    this.list.addEventListener("change", () => {
      context.select({ body: Number(this.list.value), contact: -1 });
    });
    this.plot = new Plot("History", page.times, [], clock, "time");
    this.plot.root.hidden = true;
    if (page.thinning !== "") this.plot.root.append(el("p", { class: "hint" }, `From ${page.thinning} of the run.`));
    this.follow = checkbox("Follow this body", false, (on) => {
      context.stage.setFollow(on ? this.body : -1);
    });
    this.follow.hidden = true;
    const clear = button("Clear", "Clear the selection (escape)", () => {
      context.select({ body: -1, contact: -1 });
    });
    this.root = el(
      "section",
      { class: "card selection", "aria-label": "Selection" },
      el("h2", {}, context.label === "" ? "Selection" : `Selection, ${context.label}`),
      el("div", { class: "row" }, this.list, clear),
      this.name,
      this.hint,
      this.follow,
      this.facts.root,
      this.plot.root,
    );
    context.onSelect((picked) => {
      this.choose(picked.body, picked.contact);
    });
    clock.onChange(() => {
      this.show();
    });
  }

  private choose(body: number, contact: number): void {
    const { page, stage } = this.context;
    this.body = body;
    this.contact = null;
    if (contact >= 0 && page.contacts) {
      const [a, b] = [page.contacts.bodyA(contact), page.contacts.bodyB(contact)];
      let number = 0;
      const [begin] = page.contacts.range(page.frameAt(this.context.clock.time));
      for (let i = begin; i < contact; i++) if (page.contacts.bodyA(i) === a && page.contacts.bodyB(i) === b) number++;
      this.contact = { a, b, number };
    }
    this.list.value = String(body);
    stage.bodies.selected = body;
    if (stage.follow >= 0) stage.setFollow(body);
    this.follow.hidden = body < 0;
    this.hint.hidden = body >= 0 || this.contact !== null;
    this.plot.root.hidden = !(body >= 0 || this.contact !== null) || page.frameCount < 2;
    if (!this.plot.root.hidden) this.plot.setLines(this.contact ? this.contactLines() : this.bodyLines());
    this.show();
    stage.update();
  }

  private show(): void {
    const { page, stage, clock } = this.context;
    const frame = page.frameAt(clock.time);
    stage.layers.selected = -1;
    if (this.contact) {
      const { a, b, number } = this.contact;
      const i = page.contacts?.same(a, b, number, frame) ?? -1;
      stage.layers.selected = i;
      this.name.textContent = `${page.nameOf(a)} on ${page.nameOf(b)}`;
      this.facts.set(i >= 0 ? this.contactFacts(i) : [["State", "apart at this time"]]);
    } else if (this.body >= 0) {
      this.name.textContent = page.nameOf(this.body);
      this.facts.set(this.bodyFacts(this.body, frame));
    } else {
      this.name.textContent = "Nothing selected";
      this.facts.set([]);
    }
  }

  private bodyFacts(body: number, frame: number): [string, string][] {
    const { page } = this.context;
    const { kind, mass } = page.bodies[body];
    const pose = page.pose(frame, body);
    const rows: [string, string][] = [["Kind", kind]];
    if (mass > 0) rows.push(["Mass", withUnit(mass, "kg")]);
    if (!page.isThere(frame, body)) return [...rows, ["State", "not there at this time"]];
    rows.push(["Position", vec(pose.position, "m", 4, 4)]);
    rows.push(["Rotation wxyz", `(${pose.rotation.map((x) => x.toFixed(3)).join(", ")})`]);
    if (kind === "static") return rows;
    const velocity = page.velocity(frame, body);
    rows.push(["Speed", withUnit(length(velocity), "m/s")], ["Velocity", vec(velocity, "m/s")]);
    const spin = page.spin(frame, body);
    if (spin) rows.push(["Spin", vec(spin, "rad/s")]);
    const at = frame * page.bodies.length + body;
    if (page.asleep) rows.push(["State", page.asleep[at] ? "asleep" : "awake"]);
    if (page.islands && page.islands[at] >= 0) rows.push(["Island", String(page.islands[at])]);
    if (page.contacts) rows.push(["Contact force", vec(page.contactForce(frame, body), "N")]);
    return rows;
  }

  private contactFacts(i: number): [string, string][] {
    const c = this.context.page.contacts;
    if (!c) return [];
    const normal = c.normal(i);
    const force = c.force(i);
    const pressing = dot(force, normal);
    const rubbing = Math.sqrt(Math.max(dot(force, force) - pressing * pressing, 0));
    return [
      ["State", c.sliding(i) ? "slips" : "sticks"],
      ["Normal force", withUnit(pressing, "N")],
      ["Friction", withUnit(rubbing, "N")],
      ["Force", vec(force, "N")],
      ["Torque", vec(c.torque(i), "N m")],
      ["Normal", vec(normal)],
      ["Center of pressure", vec(c.pressureCenter(i), "m", 4, 4)],
      ["Area", withUnit(c.measures[3 * i], "m²")],
      ["Overlap volume", withUnit(c.measures[3 * i + 1], "m³")],
      ["Depth", withUnit(c.measures[3 * i + 2], "m")],
      ["Vertices", String(c.vertexFirst[i + 1] - c.vertexFirst[i])],
    ];
  }

  private overTime(value: (frame: number) => number): Float64Array {
    return Float64Array.from(this.context.page.times, (_, frame) => value(frame));
  }

  private bodyLines(): Line[] {
    const { page } = this.context;
    const body = this.body;
    const over = (value: (frame: number) => number) =>
      this.overTime((f) => (page.isThere(f, body) ? value(f) : Number.NaN));
    const axis = (k: number) => over((f) => page.pose(f, body).position[k]);
    const lines: Line[] = ["x", "y", "z"].map((name, k) => ({ name, unit: "m", values: axis(k) }));
    lines.push({ name: "speed", unit: "m/s", values: over((f) => length(page.velocity(f, body))) });
    return lines;
  }

  private contactLines(): Line[] {
    const c = this.context.page.contacts;
    const chosen = this.contact;
    if (!c || !chosen) return [];
    const along = (value: (force: Vec3, normal: Vec3) => number) =>
      this.overTime((frame) => {
        const i = c.same(chosen.a, chosen.b, chosen.number, frame);
        return i < 0 ? 0 : value(c.force(i), c.normal(i));
      });
    return [
      { name: "normal force", unit: "N", values: along(dot) },
      {
        name: "friction",
        unit: "N",
        values: along((f, n) => Math.sqrt(Math.max(dot(f, f) - dot(f, n) ** 2, 0))),
      },
    ];
  }
}

export const selectionPanel: PanelType = {
  type: "selection",
  create: (_, context): Panel => ({ root: new SelectionPanel(context).root, place: "side" }),
};
