// SPDX-License-Identifier: Apache-2.0
import type { Vec3 } from "../data/schema";
import { vec, withUnit } from "../ui/format";

// Names of the two bodies, as far as they have any, and what came out.
export function resultFacts(names: string[], outcome: string): [string, string][] {
  const rows: [string, string][] = [
    ["A", names[0] ?? ""],
    ["B", names[1] ?? ""],
    ["Outcome", outcome],
  ];
  return rows.filter(([, text]) => text !== "");
}

export function distanceFacts(data: {
  distance: number;
  normal: Vec3;
  pointA: Vec3;
  pointB: Vec3;
  note: string;
}): [string, string][] {
  const rows: [string, string][] = [
    [data.distance < 0 ? "Depth" : "Distance", withUnit(Math.abs(data.distance), "m", 6)],
    ["Point on A", vec(data.pointA, "m", 6)],
    ["Point on B", vec(data.pointB, "m", 6)],
    ["Normal, A to B", vec(data.normal, "", 6)],
  ];
  if (data.note !== "") rows.push(["Method", data.note]);
  return rows;
}
