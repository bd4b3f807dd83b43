// SPDX-License-Identifier: Apache-2.0
// Contact modes: the list by which contacts stay (cs-modes), each movement in words, and the lattice by rank; the chosen
// one moves the bodies, with velocity arrows at the contacts, which are numbered in the view.
import type { Ref } from "../data/codec";
import type { Pose } from "../data/page";
import type { RawPanel, Vec3 } from "../data/schema";
import { add, cross, fromRotationVector, length, multiply, scale, sub, unit } from "../geometry/vec";
import { button, checkbox, el, svg } from "../ui/dom";
import { rove } from "../ui/rove";
import { Arrows, Balls, type Arrow, type Ball } from "../view/arrows";
import { colors, cssColor } from "../view/colors";
import { groupWords, movementWords } from "./modes_words";
import { contactState, covers, worldPlanes, type ContactState } from "./modes_logic";
import type { Context, Panel, PanelType } from "./panel";

export interface RawModes extends RawPanel {
  lines: number;
  contacts: { point: Vec3; normal: Vec3; a: number; b: number }[]; // the normal points from a to b; -1: the world
  texts: string[];
  ranks: number[];
  feasible: number[]; // 1: some forces and accelerations go with it; 0: none; -1: not asked
  twists: Ref; // per mode and body: velocity of its origin, angular velocity
  note: string;
}

const stateColor: Record<ContactState, number> = {
  sticks: colors.stick,
  slides: colors.slip,
  contacts: colors.contacting,
  separates: colors.separating,
};
const latticeLimit = 240;
const listStep = 150;

class ModesPanel {
  readonly root: HTMLElement;
  private readonly twists: Float64Array;
  private readonly arrows = new Arrows(22);
  private readonly balls = new Balls(21);
  private readonly words = el("p", { class: "name", id: "movement", "aria-live": "polite" });
  private readonly said = el("ul", { class: "states" });
  private readonly items = new Map<number, HTMLElement[]>();
  private chosen = -1;
  private phase = 0;
  private moving = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  constructor(
    private readonly data: RawModes,
    private readonly context: Context,
  ) {
    const { page, stage } = context;
    this.twists = page.pool.numbers(data.twists);
    stage.extras.add(this.arrows.group, this.balls.group);
    stage.fit(1.3); // room to move
    stage.poseOverride = (body) => this.pose(body);
    stage.labels.set(this.numbers());
    for (const { point, normal } of worldPlanes(data.contacts))
      if (!stage.ground.isAt(point, normal)) stage.walls.addPlane(stage.extras, point, normal, stage.size * 1.6);
    const move = checkbox("Move along the chosen mode", this.moving, (on) => {
      this.moving = on;
      this.phase = on ? this.phase : 0;
      this.draw();
    });
    move.dataset["layer"] = "move";
    this.root = el(
      "section",
      { class: "card modes", "aria-label": "Contact modes" },
      el("h2", {}, `${data.texts.length} contact modes`),
      ...(data.note === "" ? [] : [el("p", { class: "hint" }, data.note)]),
      this.key(),
      move,
      this.words,
      this.said,
      ...this.lattice(),
      this.list(),
    );
    context.onFrame((seconds) => {
      if (!this.moving || this.chosen < 0) return;
      this.phase += seconds;
      this.draw();
    });
    if (data.texts.length > 0) this.choose(this.firstMoving());
    else this.draw();
  }

  // One label per place: several contacts may be at a corner.
  private numbers(): { at: Vec3; text: string }[] {
    const near = this.context.stage.size * 0.02;
    const labels: { at: Vec3; text: string }[] = [];
    this.data.contacts.forEach((c, i) => {
      const known = labels.find((label) => length(sub(label.at, c.point)) < near);
      if (known) known.text += `, ${i + 1}`;
      else labels.push({ at: c.point, text: String(i + 1) });
    });
    return labels;
  }

  private firstMoving(): number {
    const moves = (i: number): boolean => this.twist(i).some((x) => x !== 0);
    const found = this.data.texts.findIndex((_, i) => this.data.feasible[i] !== 0 && moves(i));
    return Math.max(found, 0);
  }

  private twist(mode: number): Float64Array {
    const width = 6 * this.context.page.bodies.length;
    return this.twists.subarray(mode * width, (mode + 1) * width);
  }

  private key(): HTMLElement {
    const key = el("div", { class: "legend" });
    const entries: [number, string][] = [
      [colors.contacting, "velocity, contacting"],
      [colors.separating, "velocity, separating"],
      [colors.stick, "sticks"],
      [colors.slip, "slides"],
    ];
    for (const [color, text] of entries) {
      const mark = el("i");
      mark.style.background = cssColor(color);
      key.append(el("span", {}, mark, text));
    }
    return key;
  }

  private remember(mode: number, node: HTMLElement): void {
    this.items.set(mode, [...(this.items.get(mode) ?? []), node]);
  }

  // Groups by which contacts stay; those with the most of them first.
  private groups(): [string, number[]][] {
    const count = this.data.contacts.length;
    const bySigns = new Map<string, number[]>();
    this.data.texts.forEach((text, i) => {
      const signs = text.slice(0, count);
      bySigns.set(signs, [...(bySigns.get(signs) ?? []), i]);
    });
    const leaving = (signs: string): number => signs.split("+").length;
    return [...bySigns].sort(([p], [q]) => leaving(p) - leaving(q) || (p < q ? -1 : 1));
  }

  private list(): HTMLElement {
    const root = el("div", { class: "mode-list", role: "group", "aria-label": "Modes" });
    for (const [signs, modes] of this.groups()) {
      const box = el("div", { class: "mode-group" });
      this.fill(box, modes, groupWords(signs));
      const plural = modes.length === 1 ? "mode" : "modes";
      const summary = el("summary", { tabindex: -1 }, `${groupWords(signs)}: ${modes.length} ${plural}`);
      root.append(el("details", { open: true }, summary, box));
    }
    rove(root, "button");
    return root;
  }

  private fill(box: HTMLElement, modes: number[], name: string): void {
    let shown = 0;
    const more = button("Show more", `Show more modes: ${name}`, () => {
      next();
    });
    const next = (): void => {
      const part = modes.slice(shown, shown + listStep);
      shown += part.length;
      for (const i of part) more.before(this.item(i));
      more.hidden = shown >= modes.length;
    };
    box.append(more);
    next();
  }

  private item(i: number): HTMLElement {
    const { texts, feasible } = this.data;
    const item = button(texts[i], `Mode ${this.describe(i)}`, () => {
      this.choose(i);
    });
    item.append(el("small", {}, this.movement(i)));
    item.dataset["mode"] = String(i);
    if (feasible[i] === 1) item.classList.add("feasible");
    if (feasible[i] === 0) item.classList.add("infeasible");
    this.remember(i, item);
    return item;
  }

  // What the bodies do in the movement that stands for the mode.
  private movement(mode: number): string {
    const { page, stage } = this.context;
    const twist = this.twist(mode);
    const all = page.bodies.flatMap((body, b) => {
      if (body.kind === "static") return [];
      const touches = this.data.contacts.flatMap((c, i) =>
        c.a === b || c.b === b ? [{ number: i + 1, point: c.point, normal: c.normal, state: this.state(mode, i) }] : [],
      );
      const t = twist.subarray(6 * b, 6 * b + 6);
      const words = movementWords({
        origin: page.pose(0, b).position,
        velocity: [t[0], t[1], t[2]],
        spin: [t[3], t[4], t[5]],
        touches,
        size: stage.size,
      });
      return [{ name: page.nameOf(b), words }];
    });
    if (all.length === 1) return all[0].words;
    const moving = all.filter(({ words }) => words !== "stays");
    return moving.map(({ name, words }) => `${name} ${words}`).join("; ") || "nothing moves";
  }

  private describe(i: number): string {
    const states = this.data.contacts.map((_, c) => this.state(i, c));
    const may =
      this.data.feasible[i] === 1 ? ", dynamically feasible" : this.data.feasible[i] === 0 ? ", not feasible" : "";
    return `${this.data.texts[i]}: ${this.movement(i)}; contacts: ${states.join(", ")}${may}`;
  }

  private state(mode: number, contact: number): ContactState {
    return contactState(this.data.texts[mode], contact, this.data.contacts.length, this.data.lines);
  }

  private lattice(): HTMLElement[] {
    const { texts, ranks, feasible, contacts } = this.data;
    if (texts.length < 2 || texts.length > latticeLimit) return [];
    const levels = [...new Set(ranks)].sort((p, q) => p - q);
    const widest = Math.max(...levels.map((l) => ranks.filter((r) => r === l).length));
    const width = Math.max(320, Math.min(widest * 16, 900));
    const height = 40 + (levels.length - 1) * 52;
    const seen = new Map<number, number>();
    const spots = texts.map((_, i) => {
      const count = ranks.filter((r) => r === ranks[i]).length;
      const number = seen.get(ranks[i]) ?? 0;
      seen.set(ranks[i], number + 1);
      const level = levels.indexOf(ranks[i]);
      return { x: ((number + 0.5) / count) * width, y: height - 20 - level * 52 };
    });
    const drawing = svg("svg", {
      viewBox: `0 0 ${width} ${height}`,
      class: "lattice",
      role: "img",
      "aria-label": "Lattice of the modes, low rank below; the list that follows has the same modes",
    });
    for (const [l, h] of covers(texts, ranks, contacts.length))
      drawing.append(svg("line", { x1: spots[l].x, y1: spots[l].y, x2: spots[h].x, y2: spots[h].y }));
    spots.forEach((spot, i) => {
      const dot = svg("circle", { cx: spot.x, cy: spot.y, r: widest > 40 ? 5 : 7 });
      if (feasible[i] === 1) dot.classList.add("feasible");
      dot.append(svg("title", {}, this.describe(i)));
      dot.addEventListener("click", () => {
        this.choose(i);
      });
      this.remember(i, dot as unknown as HTMLElement);
      drawing.append(dot);
    });
    return [el("div", { class: "lattice-box" }, drawing)];
  }

  choose(mode: number): void {
    for (const node of this.items.get(this.chosen) ?? []) {
      node.classList.remove("chosen");
      node.removeAttribute("aria-pressed");
    }
    this.chosen = mode;
    this.phase = 0;
    for (const node of this.items.get(mode) ?? []) {
      node.classList.add("chosen");
      node.setAttribute("aria-pressed", "true");
    }
    this.words.textContent = mode >= 0 && mode < this.data.texts.length ? this.movement(mode) : "";
    this.said.replaceChildren(
      ...this.data.contacts.map((_, c) => {
        const state = this.state(mode, c);
        const mark = el("i");
        mark.style.background = cssColor(stateColor[state]);
        return el("li", {}, mark, `contact ${c + 1} ${state}`);
      }),
    );
    this.draw();
  }

  // Part of a full swing now, 0 at rest; the swing moves the fastest contact by a third of a body.
  private swing(): number {
    if (this.chosen < 0 || !this.moving) return 0;
    const { stage } = this.context;
    const twist = this.twist(this.chosen);
    let fastest = 0;
    for (let b = 0; b < twist.length; b += 6)
      fastest = Math.max(
        fastest,
        Math.hypot(twist[b], twist[b + 1], twist[b + 2]),
        Math.hypot(twist[b + 3], twist[b + 4], twist[b + 5]) * stage.size * 0.7,
      );
    const amplitude = fastest > 0 ? (stage.size * 0.35) / fastest : 0;
    return amplitude * (0.5 - 0.5 * Math.cos(this.phase * 2));
  }

  private pose(body: number): Pose {
    const rest = this.context.page.pose(0, body);
    if (this.chosen < 0) return rest;
    const s = this.swing();
    const t = this.twist(this.chosen).subarray(6 * body, 6 * body + 6);
    return {
      position: add(rest.position, [t[0] * s, t[1] * s, t[2] * s]),
      rotation: multiply(fromRotationVector([t[3] * s, t[4] * s, t[5] * s]), rest.rotation),
    };
  }

  // Velocity of a body's point, with the bodies where they rest.
  private pointVelocity(body: number, point: Vec3): Vec3 {
    if (body < 0 || this.chosen < 0) return [0, 0, 0];
    const t = this.twist(this.chosen).subarray(6 * body, 6 * body + 6);
    const arm = sub(point, this.context.page.pose(0, body).position);
    return add([t[0], t[1], t[2]], cross([t[3], t[4], t[5]], arm));
  }

  private draw(): void {
    const { stage } = this.context;
    const size = stage.size;
    const arrows: Arrow[] = [];
    const balls: Ball[] = [];
    const velocities = this.data.contacts.map((c) =>
      sub(this.pointVelocity(c.b, c.point), this.pointVelocity(c.a, c.point)),
    );
    const fastest = Math.max(1e-300, ...velocities.map(length));
    this.data.contacts.forEach((c, i) => {
      const state = this.chosen < 0 ? "contacts" : this.state(this.chosen, i);
      balls.push({ at: c.point, radius: size * 0.035, color: stateColor[state] });
      const inward = scale(unit(c.normal), -size * 0.22);
      arrows.push({ from: add(c.point, inward), vector: scale(inward, -0.85), color: 0x8a949c, width: size * 0.007 });
      if (length(velocities[i]) < 1e-9 * fastest) return;
      const color = state === "separates" ? colors.separating : colors.contacting;
      const vector = scale(velocities[i], (size * 0.45) / fastest);
      arrows.push({ from: c.point, vector, color, width: size * 0.016 });
    });
    this.arrows.set(arrows);
    this.balls.set(balls);
    stage.update();
  }
}

export const modesPanel: PanelType = {
  type: "modes",
  create: (data, context): Panel => ({ root: new ModesPanel(data as RawModes, context).root, place: "side" }),
};
