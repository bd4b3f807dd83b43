// SPDX-License-Identifier: Apache-2.0
// Short texts that stay at points of the world: elements over the canvas, moved whenever it is drawn.
import type { Vec3 } from "../data/schema";
import { el } from "../ui/dom";

// A point, or what tells it; null: nowhere now.
type Place = Vec3 | (() => Vec3 | null);

export class Labels {
  readonly root = el("div", { class: "labels", "aria-hidden": "true" });
  private items: { at: Place; node: HTMLElement }[] = [];

  set(labels: { at: Place; text: string }[]): void {
    this.items = labels.map(({ at, text }) => ({ at, node: el("span", {}, text) }));
    this.root.replaceChildren(...this.items.map((item) => item.node));
  }

  place(project: (point: Vec3) => [number, number]): void {
    for (const { at, node } of this.items) {
      const point = typeof at === "function" ? at() : at;
      node.hidden = point === null;
      if (point === null) continue;
      const [x, y] = project(point);
      node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }
}

// Names without the words that all of them begin with: of "piece 1" and "piece 2" the numbers.
export function shortNames(names: string[]): string[] {
  let common = names.length > 1 ? (/^.*\s/.exec(names[0])?.[0] ?? "") : "";
  while (common !== "" && !names.every((name) => name.startsWith(common) && name.length > common.length))
    common = /^.*\s(?=.*\s$)/.exec(common)?.[0] ?? "";
  return names.map((name) => name.slice(common.length));
}
