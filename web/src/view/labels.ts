// SPDX-License-Identifier: Apache-2.0
// Short texts that stay at points of the world: elements over the canvas, moved whenever it is drawn.
import type { Vec3 } from "../data/schema";
import { el } from "../ui/dom";

export class Labels {
  readonly root = el("div", { class: "labels", "aria-hidden": "true" });
  private items: { at: Vec3; node: HTMLElement }[] = [];

  set(labels: { at: Vec3; text: string }[]): void {
    this.items = labels.map(({ at, text }) => ({ at, node: el("span", {}, text) }));
    this.root.replaceChildren(...this.items.map((item) => item.node));
  }

  place(project: (point: Vec3) => [number, number]): void {
    for (const { at, node } of this.items) {
      const [x, y] = project(at);
      node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }
}
