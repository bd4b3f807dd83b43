// SPDX-License-Identifier: Apache-2.0
// Directions on the unit sphere, seen from a yaw and a pitch: what is in front, what behind, and how far they turn.
import type { Vec3 } from "../data/schema";

export interface Seen {
  x: number; // to the right
  y: number; // down, as pages have it
  front: boolean;
}

// Looking along the horizon at yaw 0 and pitch 0: x to the right, z up, -y towards the eye.
export function seen(d: Vec3, yaw: number, pitch: number): Seen {
  const right = d[0] * Math.cos(yaw) + d[1] * Math.sin(yaw);
  const away = -d[0] * Math.sin(yaw) + d[1] * Math.cos(yaw);
  const up = d[2] * Math.cos(pitch) + away * Math.sin(pitch);
  const depth = away * Math.cos(pitch) - d[2] * Math.sin(pitch);
  return { x: right, y: -up, front: depth <= 0 };
}

// Lines of an SVG path through the directions, those in front and those behind; zero vectors leave a gap.
export function sphereLines(directions: Vec3[], yaw: number, pitch: number): { front: string; behind: string } {
  const lines = { front: "", behind: "" };
  for (let i = 1; i < directions.length; i++) {
    if (Math.hypot(...directions[i - 1]) === 0 || Math.hypot(...directions[i]) === 0) continue;
    const a = seen(directions[i - 1], yaw, pitch);
    const b = seen(directions[i], yaw, pitch);
    const line = `M${a.x.toFixed(4)} ${a.y.toFixed(4)}L${b.x.toFixed(4)} ${b.y.toFixed(4)}`;
    if (a.front && b.front) lines.front += line;
    else lines.behind += line;
  }
  return lines;
}

// The largest angle between neighbors, in degrees, and where it ends.
export function largestTurn(directions: Vec3[]): { degrees: number; at: number } {
  const best = { degrees: 0, at: 0 };
  for (let i = 1; i < directions.length; i++) {
    const [a, b] = [directions[i - 1], directions[i]];
    const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
    const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const degrees = (Math.atan2(cross, dot) * 180) / Math.PI;
    if (degrees > best.degrees) Object.assign(best, { degrees, at: i });
  }
  return best;
}
