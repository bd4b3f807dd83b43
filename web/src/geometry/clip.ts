// SPDX-License-Identifier: Apache-2.0
// The overlap of two convex bodies, by cutting the faces of one with the planes of the other.
import type { MeshData, Pose } from "../data/page";
import type { Vec3 } from "../data/schema";
import { add, cross, dot, length, perpendicular, scale, sub, transform, unit } from "./vec";

export interface Plane {
  normal: Vec3; // outward
  offset: number;
}
export type Faces = Vec3[][];

export function meshFaces(mesh: MeshData, pose: Pose): Faces {
  const corner = (i: number): Vec3 =>
    transform(pose, [mesh.vertices[3 * i], mesh.vertices[3 * i + 1], mesh.vertices[3 * i + 2]]);
  const faces: Faces = [];
  for (let t = 0; t < mesh.triangles.length; t += 3)
    faces.push([corner(mesh.triangles[t]), corner(mesh.triangles[t + 1]), corner(mesh.triangles[t + 2])]);
  return faces;
}

export function facePlanes(faces: Faces): Plane[] {
  const planes: Plane[] = [];
  for (const face of faces) {
    const n = cross(sub(face[1], face[0]), sub(face[2], face[0]));
    if (length(n) === 0) continue;
    const normal = unit(n);
    const offset = dot(normal, face[0]);
    const known = planes.some((p) => dot(p.normal, normal) > 1 - 1e-9 && Math.abs(p.offset - offset) < 1e-9);
    if (!known) planes.push({ normal, offset });
  }
  return planes;
}

// The part of a convex polyhedron with normal . x <= offset; no faces when nothing is left.
export function clipFaces(faces: Faces, plane: Plane): Faces {
  const out: Faces = [];
  const rim: Vec3[] = [];
  const height = (p: Vec3): number => dot(plane.normal, p) - plane.offset;
  for (const face of faces) {
    const kept: Vec3[] = [];
    face.forEach((p, i) => {
      const q = face[(i + 1) % face.length];
      const [dp, dq] = [height(p), height(q)];
      if (dp <= 0) kept.push(p);
      if (dp > 0 !== dq > 0) {
        const x = add(p, scale(sub(q, p), dp / (dp - dq)));
        kept.push(x);
        rim.push(x);
      }
    });
    if (kept.length >= 3) out.push(kept);
  }
  if (rim.length >= 3) out.push(around(rim, plane.normal));
  return out;
}

// Points of a convex polygon in order about a normal.
function around(points: Vec3[], normal: Vec3): Vec3[] {
  const middle = scale(
    points.reduce((s, p) => add(s, p)),
    1 / points.length,
  );
  const x = perpendicular(normal);
  const y = cross(normal, x);
  const angle = (p: Vec3): number => Math.atan2(dot(sub(p, middle), y), dot(sub(p, middle), x));
  return [...points].sort((p, q) => angle(p) - angle(q));
}

export function overlapFaces(a: Faces, planes: Plane[]): Faces {
  let faces = a;
  for (const plane of planes) {
    faces = clipFaces(faces, plane);
    if (faces.length === 0) break;
  }
  return faces;
}

export function volumeOf(faces: Faces): number {
  let volume = 0;
  for (const face of faces)
    for (let i = 1; i + 1 < face.length; i++) volume += dot(face[0], cross(face[i], face[i + 1])) / 6;
  return volume;
}

// Moves points away from the plane through `center`, along its normal.
export function stretch(faces: Faces, center: Vec3, normal: Vec3, factor: number): Faces {
  return faces.map((f) => f.map((p) => add(p, scale(normal, (factor - 1) * dot(normal, sub(p, center))))));
}
