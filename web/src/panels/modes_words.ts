// SPDX-License-Identifier: Apache-2.0
// A movement of one body in words, as "slides along -y, tips about the front edge". In: its twist and what each of its
// contacts does. Front is -y, back +y, left -x, right +x.
import type { Vec3 } from "../data/schema";
import { add, cross, dot, length, scale, sub, unit } from "../geometry/vec";
import type { ContactState } from "./modes_logic";

export interface Touch {
  number: number; // as people count, from 1
  point: Vec3;
  normal: Vec3;
  state: ContactState;
}

export interface Movement {
  origin: Vec3;
  velocity: Vec3; // of the origin
  spin: Vec3;
  touches: Touch[];
  size: number; // of the body, m
}

const small = 0.02; // parts of a movement below this fraction of the whole are not mentioned
const letters = ["x", "y", "z"];
const sideNames = [
  ["left", "right"],
  ["front", "back"],
  ["lower", "upper"],
];

const mean = (points: Vec3[]): Vec3 => scale(points.reduce<Vec3>(add, [0, 0, 0]), 1 / Math.max(points.length, 1));

// "-y" along an axis, else the direction in numbers.
export function directionName(vector: Vec3): string {
  const d = unit(vector);
  const axis = d.findIndex((x) => Math.abs(x) > 0.985);
  if (axis >= 0) return `${d[axis] < 0 ? "-" : "+"}${letters[axis]}`;
  return `(${d.map((x) => x.toFixed(1).replace(/^-0\.0$/, "0.0")).join(", ")})`;
}

const axisName = (vector: Vec3): string => {
  const name = directionName(vector);
  return name.length === 2 ? name[1] : name;
};

// Where the contacts that stay lie among all of them.
function edgeName(staying: Touch[], all: Touch[]): string {
  const numbers = staying.map((t) => t.number);
  const list = numbers.length === 1 ? `contact ${numbers[0]}` : `contacts ${numbers.join(", ")}`;
  if (numbers.length === 1) return list;
  const off = sub(mean(staying.map((t) => t.point)), mean(all.map((t) => t.point)));
  const axis = [0, 1, 2].reduce((best, k) => (Math.abs(off[k]) > Math.abs(off[best]) ? k : best), 0);
  if (!(Math.abs(off[axis]) > 0.7 * length(off))) return `the edge of ${list}`;
  return `the ${sideNames[axis][off[axis] < 0 ? 0 : 1]} edge (${list})`;
}

// The movement as a screw: about the axis of its spin, and along it.
function screwWords(m: Movement, fixed: Touch | undefined, fastest: number): string[] {
  if (!(length(m.spin) * m.size > small * fastest)) return [`slides along ${directionName(m.velocity)}`];
  const axis = unit(m.spin);
  const along = dot(m.velocity, axis);
  const words = [`turns about ${axisName(m.spin)}${fixed ? ` at contact ${fixed.number}` : ""}`];
  if (Math.abs(along) > small * fastest) words.unshift(`slides along ${directionName(scale(axis, along))}`);
  return words;
}

function touchingWords(m: Movement, staying: Touch[], fastest: number): string[] {
  const words: string[] = [];
  const speedAt = (p: Vec3): Vec3 => add(m.velocity, cross(m.spin, sub(p, m.origin)));
  const slide = mean(staying.map((t) => speedAt(t.point)));
  const normal = unit(staying[0].normal);
  const fixed = staying.find((t) => length(speedAt(t.point)) < small * fastest);
  if (staying.some((t) => Math.abs(dot(unit(t.normal), normal)) < 0.999)) return screwWords(m, fixed, fastest);
  const turning = dot(m.spin, normal);
  const tipping = length(sub(m.spin, scale(normal, turning)));
  if (!fixed && length(slide) > small * fastest) words.push(`slides along ${directionName(slide)}`);
  if (tipping * m.size > small * fastest)
    words.push(
      staying.length === 1
        ? `tips on contact ${staying[0].number}`
        : staying.length < m.touches.length
          ? `tips about ${edgeName(staying, m.touches)}`
          : `rolls about ${axisName(m.spin)}`,
    );
  if (Math.abs(turning) * m.size > small * fastest)
    words.push(
      `turns about ${fixed && tipping * m.size <= small * fastest ? `contact ${fixed.number}` : axisName(normal)}`,
    );
  return words;
}

export function movementWords(m: Movement): string {
  const fastest = Math.max(length(m.velocity), length(m.spin) * m.size);
  if (!(fastest > 1e-12)) return "stays";
  const staying = m.touches.filter((t) => t.state !== "separates");
  if (staying.length > 0) return touchingWords(m, staying, fastest).join(", ") || "stays";
  const words: string[] = [];
  const moves = m.touches.length > 0 ? "lifts off" : "moves";
  if (length(m.velocity) > small * fastest) words.push(`${moves} along ${directionName(m.velocity)}`);
  if (length(m.spin) * m.size > small * fastest) words.push(`turns about ${axisName(m.spin)}`);
  return words.join(", ");
}

// The contacting and separating contacts of a mode: its part of the text, and in words.
export function groupWords(signs: string): string {
  const numbers = (sign: string): string[] => Array.from(signs).flatMap((s, i) => (s === sign ? [String(i + 1)] : []));
  const [stay, leave] = [numbers("0"), numbers("+")];
  if (leave.length === 0) return "All contacts stay";
  if (stay.length === 0) return "All contacts separate";
  return `${stay.join(", ")} ${stay.length === 1 ? "stays" : "stay"}; ${leave.join(", ")} ${leave.length === 1 ? "separates" : "separate"}`;
}
