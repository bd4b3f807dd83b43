// SPDX-License-Identifier: Apache-2.0
// Contact modes as sign texts: what each contact does, and which mode lies below which.

import type { Vec3 } from "../data/schema";
import { add, dot, scale, unit } from "../geometry/vec";

export type ContactState = "sticks" | "slides" | "contacts" | "separates";

// Text: one of 0 + per contact, then one of - 0 + . per dividing line (absent when only contacts were asked for).
export function contactState(text: string, contact: number, contacts: number, lines: number): ContactState {
  if (text[contact] !== "0") return "separates";
  if (text.length <= contacts || lines === 0) return "contacts";
  const per = Math.round((text.length - contacts) / contacts);
  const signs = text.slice(contacts + contact * per, contacts + (contact + 1) * per);
  return /^0*$/.test(signs) ? "sticks" : "slides";
}

// Is `low` a face of `high`: equal wherever it is not zero? Separation frees the lines of that contact.
export function isFace(low: string, high: string, contacts: number): boolean {
  for (let i = 0; i < contacts; i++) if (low[i] === "+" && high[i] !== "+") return false;
  for (let i = contacts; i < low.length; i++) {
    const [a, b] = [low[i], high[i]];
    if (b === "." || a === "." || a === "0") continue;
    if (a !== b) return false;
  }
  return true;
}

// Pairs (low, high) of modes one rank apart.
export function covers(texts: string[], ranks: number[], contacts: number): [number, number][] {
  const out: [number, number][] = [];
  texts.forEach((high, h) => {
    texts.forEach((low, l) => {
      if (ranks[l] + 1 === ranks[h] && isFace(low, high, contacts)) out.push([l, h]);
    });
  });
  return out;
}

// The planes in which bodies touch the world (body -1), each once, through the middle of its contacts.
export function worldPlanes(
  contacts: { point: Vec3; normal: Vec3; a: number; b: number }[],
): { point: Vec3; normal: Vec3 }[] {
  const planes: { normal: Vec3; offset: number; points: Vec3[] }[] = [];
  for (const c of contacts) {
    if (c.a >= 0 && c.b >= 0) continue;
    const normal = unit(c.b < 0 ? scale(c.normal, -1) : c.normal);
    const offset = dot(normal, c.point);
    const same = planes.find((p) => dot(p.normal, normal) > 1 - 1e-9 && Math.abs(p.offset - offset) < 1e-6);
    if (same) same.points.push(c.point);
    else planes.push({ normal, offset, points: [c.point] });
  }
  return planes.map(({ normal, points }) => ({ normal, point: scale(points.reduce(add), 1 / points.length) }));
}
