// SPDX-License-Identifier: Apache-2.0
// Which contacts press hardest, and the thrust line: through every body that is touched on exactly two sides, from the
// center of pressure of one contact to that of the other. Through the blocks of an arch it runs from foot to foot.
import type { Contacts } from "../data/contacts";
import type { Page } from "../data/page";
import type { Vec3 } from "../data/schema";
import { length, sub } from "../geometry/vec";

// The contacts with the largest forces; null when there are no more than the limit.
export function strongest(contacts: Contacts, begin: number, end: number, limit: number): Set<number> | null {
  if (end - begin <= limit) return null;
  const all: [number, number][] = [];
  for (let i = begin; i < end; i++) all.push([length(contacts.force(i)), i]);
  all.sort((p, q) => q[0] - p[0] || p[1] - q[1]);
  return new Set(all.slice(0, limit).map(([, i]) => i));
}

export function thrustLines(page: Page, frame: number): { from: Vec3; vector: Vec3 }[] {
  const c = page.contacts;
  if (!c) return [];
  const touched = new Map<number, Vec3[]>();
  const [begin, end] = c.range(frame);
  for (let i = begin; i < end; i++) {
    if (!(length(c.force(i)) > 0)) continue;
    for (const body of [c.bodyA(i), c.bodyB(i)]) {
      if (body < 0 || page.bodies[body].kind === "static") continue;
      touched.set(body, [...(touched.get(body) ?? []), c.pressureCenter(i)]);
    }
  }
  return [...touched.values()]
    .filter((points) => points.length === 2)
    .map(([from, to]) => ({ from, vector: sub(to, from) }));
}
