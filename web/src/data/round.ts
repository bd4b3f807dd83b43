// SPDX-License-Identifier: Apache-2.0
// Round shapes as meshes, fine enough to look round: a line from the lower end to the upper one, turned about z. In: kind
// and size (sphere: radius; capsule, cylinder and cone: radius, and half the length of the axis as z; ellipsoid: half axes).
import type { MeshData } from "./page";
import type { RawRound } from "./schema";

const around = 40;

type Profile = [number, number][]; // distance from the axis, height; the ends lie on the axis

function profileOf({ round, size }: RawRound): Profile {
  const [x, , z] = size;
  if (round === "cylinder")
    return [
      [0, -z],
      [x, -z],
      [x, z],
      [0, z],
    ];
  if (round === "cone")
    return [
      [0, -z],
      [x, -z],
      [0, z],
    ];
  const half = around / 4;
  const arc = (from: number, shift: number): Profile =>
    Array.from({ length: half + 1 }, (_, i) => {
      const angle = ((from + i) / half - 1) * (Math.PI / 2);
      const height = round === "ellipsoid" ? z : x;
      return [x * Math.cos(angle), height * Math.sin(angle) + shift];
    });
  if (round === "capsule") return [...arc(0, -z), ...arc(half, z)];
  return [...arc(0, 0), ...arc(half, 0).slice(1)];
}

export function roundMesh(shape: RawRound): MeshData {
  const profile = profileOf(shape);
  const rings = profile.slice(1, -1);
  const flat = shape.round === "ellipsoid" ? shape.size[1] / shape.size[0] : 1;
  const vertices: number[] = [0, 0, profile[0][1]];
  for (const [r, z] of rings)
    for (let i = 0; i < around; i++) {
      const angle = (2 * Math.PI * i) / around;
      vertices.push(r * Math.cos(angle), r * Math.sin(angle) * flat, z);
    }
  vertices.push(0, 0, profile[profile.length - 1][1]);
  const last = vertices.length / 3 - 1;
  const at = (ring: number, i: number): number => 1 + ring * around + (i % around);
  const triangles: number[] = [];
  for (let i = 0; i < around; i++) {
    triangles.push(0, at(0, i + 1), at(0, i), last, at(rings.length - 1, i), at(rings.length - 1, i + 1));
    for (let k = 0; k + 1 < rings.length; k++) {
      triangles.push(at(k, i), at(k, i + 1), at(k + 1, i + 1));
      triangles.push(at(k, i), at(k + 1, i + 1), at(k + 1, i));
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Float64Array.from(triangles) };
}
