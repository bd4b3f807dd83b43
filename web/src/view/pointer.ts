// SPDX-License-Identifier: Apache-2.0
// Clicks and hovering over the view. A click picks what is seen there: the nearest of bodies and contact polygons; with
// x-ray, polygons first. Hovering shows the name.
import * as THREE from "three";
import type { Page } from "../data/page";
import { el } from "../ui/dom";
import type { Bodies } from "./bodies";
import type { ContactLayers } from "./contacts";

export interface Picked {
  body: number;
  contact: number;
}

export function pickAlong(ray: THREE.Raycaster, bodies: Bodies, layers: ContactLayers): Picked {
  const contact = layers.pick(ray);
  const body = bodies.pick(ray);
  if (contact && (layers.hasXray || bodies.seeThrough || !body || contact.distance <= body.distance))
    return { body: -1, contact: contact.contact };
  return { body: body?.body ?? -1, contact: -1 };
}

export function pickedName(page: Page, picked: Picked): string {
  if (picked.body >= 0) return page.nameOf(picked.body);
  if (picked.contact < 0 || !page.contacts) return "";
  return `${page.nameOf(page.contacts.bodyA(picked.contact))} on ${page.nameOf(page.contacts.bodyB(picked.contact))}`;
}

export class Pointer {
  readonly tip = el("div", { class: "hover", hidden: true, "aria-hidden": "true" });
  onPick: (picked: Picked) => void = () => undefined;
  private waiting = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly page: Page,
    private readonly pick: (at: THREE.Vector2) => Picked,
  ) {
    let x = 0;
    let y = 0;
    canvas.addEventListener("pointerdown", (event) => {
      x = event.clientX;
      y = event.clientY;
      this.tip.hidden = true;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (event.button === 0 && Math.hypot(event.clientX - x, event.clientY - y) < 5)
        this.onPick(this.pick(this.place(event)));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && event.buttons === 0) this.hover(event);
    });
    canvas.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
  }

  // From -1 to 1 to the right and upwards.
  place(event: PointerEvent): THREE.Vector2 {
    const rect = this.canvas.getBoundingClientRect();
    return new THREE.Vector2(
      ((event.clientX - rect.left) / rect.width) * 2 - 1,
      1 - ((event.clientY - rect.top) / rect.height) * 2,
    );
  }

  // Once per picture at most.
  private hover(event: PointerEvent): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const rect = this.canvas.getBoundingClientRect();
      const name = pickedName(this.page, this.pick(this.place(event)));
      this.tip.textContent = name;
      this.tip.hidden = name === "";
      const left = Math.min(event.clientX - rect.left + 14, rect.width - this.tip.offsetWidth - 4);
      this.tip.style.transform = `translate(${left.toFixed(0)}px, ${(event.clientY - rect.top + 14).toFixed(0)}px)`;
    });
  }
}
