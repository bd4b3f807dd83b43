// SPDX-License-Identifier: Apache-2.0
// What the selected body does at its contacts now, and in how many ways it could move if all others stood still.
import type { Page } from "../data/page";
import { length } from "../geometry/vec";
import { contactState } from "../panels/modes_logic";
import { movementWords, type Touch } from "../panels/modes_words";
import { el, Facts, section } from "../ui/dom";
import type { Core } from "./core";

const still = 2e-3; // m/s: slower is at rest

// The vertices at which a body is touched, in the order of the library.
function touchesOf(page: Page, body: number, text: string): Touch[] {
  const c = page.contacts;
  const touches: Omit<Touch, "state">[] = [];
  if (!c) return [];
  for (let i = 0; i < c.count; i++) {
    if (c.bodyA(i) !== body && c.bodyB(i) !== body) continue;
    for (let v = c.vertexFirst[i]; v < c.vertexFirst[i + 1]; v++)
      touches.push({
        number: touches.length + 1,
        point: [c.points[3 * v], c.points[3 * v + 1], c.points[3 * v + 2]],
        normal: c.normal(i),
      });
  }
  return touches.map((touch, k) => ({ ...touch, state: contactState(text, k, touches.length, 2) }));
}

function wordsOf(page: Page, body: number, text: string, size: number): string {
  const velocity = page.velocity(0, body);
  const spin = page.spin(0, body) ?? [0, 0, 0];
  if (length(velocity) < still && length(spin) * size < still) return "rests";
  const touches = touchesOf(page, body, text);
  return movementWords({ origin: page.pose(0, body).position, velocity, spin, touches, size });
}

export class LiveModes {
  private readonly facts = new Facts();
  private readonly hint = el("p", { class: "hint" }, "Select a body to see its contact mode.");
  readonly root = section("Contact mode", this.hint, this.facts.root);
  private shown = 0;

  constructor(private readonly core: Core) {}

  // `count`: also the number of all modes, which takes a while; else five times a second at most.
  show(page: Page, body: number, size: number, count: boolean): void {
    const now = performance.now();
    if (!count && now - this.shown < 200) return;
    this.shown = now;
    this.hint.hidden = body >= 0;
    if (body < 0 || page.bodies[body].kind === "static") {
      this.facts.set(body < 0 ? [] : [["State", "stands still"]]);
      return;
    }
    if (this.core.calls.play_modes(body, count ? 1 : 0) === 0) {
      this.facts.set([["State", this.core.text]]);
      return;
    }
    const [mode, cs, all] = this.core.text.split(" ");
    const n = mode.length / 3;
    const counted = (text: string): string => (text === "-1" ? (count ? "too many to count" : "pause to count") : text);
    this.facts.set([
      ["Movement", wordsOf(page, body, mode, size)],
      ["Contacts", mode === "-" ? "drive into each other" : mode.slice(0, n)],
      ["Sliding", mode === "-" ? "–" : mode.slice(n)],
      ["Ways to part", counted(cs)],
      ["With sliding", counted(all)],
    ]);
  }
}
