// SPDX-License-Identifier: Apache-2.0
// Triangles of a mesh, flat shaded or, where there are many, round between its sharp edges, which are drawn by the same shader: each corner carries, per side of its
// triangle, how far it is from that side when the side is a sharp edge, and 1 when it is not. In: a mesh. Out: a
// geometry without index, and the material for it.
import * as THREE from "three";
import type { MeshData } from "../data/page";

const sharp = Math.cos((25 * Math.PI) / 180);
const manyTriangles = 100; // from here on a mesh stands for something round

// Corners at the same place count as one.
function places(vertices: Float64Array): Int32Array {
  const known = new Map<string, number>();
  const out = new Int32Array(vertices.length / 3);
  for (let i = 0; i < out.length; i++) {
    const key = `${vertices[3 * i]},${vertices[3 * i + 1]},${vertices[3 * i + 2]}`;
    const place = known.get(key) ?? i;
    known.set(key, place);
    out[i] = place;
  }
  return out;
}

function sideKey(place: Int32Array, p: number, q: number): string {
  const [a, b] = [place[p], place[q]];
  return a < b ? `${a},${b}` : `${b},${a}`;
}

// For each triangle and each corner: is the side opposite to it an edge to draw?
export function sharpSides(mesh: MeshData, normals: ArrayLike<number>): boolean[] {
  const place = places(mesh.vertices);
  const first = new Map<string, number>();
  const drawn = new Map<string, boolean>();
  const t = mesh.triangles;
  const keyOf = (i: number): string => {
    const base = i - (i % 3);
    return sideKey(place, t[base + ((i + 1) % 3)], t[base + ((i + 2) % 3)]);
  };
  for (let i = 0; i < t.length; i++) {
    const key = keyOf(i);
    const other = first.get(key);
    const n = 9 * Math.floor(i / 3);
    if (other === undefined) {
      first.set(key, n);
      drawn.set(key, true); // a rim, until the other triangle comes
      continue;
    }
    const along =
      normals[n] * normals[other] + normals[n + 1] * normals[other + 1] + normals[n + 2] * normals[other + 2];
    drawn.set(key, along < sharp);
  }
  return Array.from(t, (_, i) => drawn.get(keyOf(i)) ?? false);
}

// Corners of triangles that meet with less than a sharp edge share the mean of their normals.
export function smoothNormals(mesh: MeshData, flat: ArrayLike<number>): Float32Array {
  const place = places(mesh.vertices);
  const meeting = new Map<number, number[]>();
  mesh.triangles.forEach((vertex, i) => {
    const list = meeting.get(place[vertex]) ?? [];
    list.push(9 * Math.floor(i / 3));
    meeting.set(place[vertex], list);
  });
  const out = new Float32Array(3 * mesh.triangles.length);
  mesh.triangles.forEach((vertex, i) => {
    const own = 9 * Math.floor(i / 3);
    const sum = [0, 0, 0];
    for (const n of meeting.get(place[vertex]) ?? []) {
      const along = flat[n] * flat[own] + flat[n + 1] * flat[own + 1] + flat[n + 2] * flat[own + 2];
      if (along >= sharp) for (let k = 0; k < 3; k++) sum[k] += flat[n + k];
    }
    const length = Math.hypot(...sum) || 1;
    for (let k = 0; k < 3; k++) out[3 * i + k] = sum[k] / length;
  });
  return out;
}

export function facetGeometry(mesh: MeshData): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(mesh.vertices), 3));
  indexed.setIndex(new THREE.BufferAttribute(Uint32Array.from(mesh.triangles), 1));
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  const normals = flat.getAttribute("normal").array;
  const sides = sharpSides(mesh, normals);
  if (mesh.triangles.length >= 3 * manyTriangles)
    flat.setAttribute("normal", new THREE.BufferAttribute(smoothNormals(mesh, normals), 3));
  const reach = new Float32Array(3 * mesh.triangles.length);
  for (let i = 0; i < mesh.triangles.length; i++)
    for (let k = 0; k < 3; k++) reach[3 * i + k] = sides[i - (i % 3) + k] && i % 3 !== k ? 0 : 1;
  flat.setAttribute("reach", new THREE.BufferAttribute(reach, 3));
  return flat;
}

export interface EdgeLook {
  edgeColor: { value: THREE.Color };
  edgeStrength: { value: number };
}

const vertexHead = "attribute vec3 reach;\nvarying vec3 vReach;\nvoid main() {\n\tvReach = reach;\n";
const fragmentHead = "uniform vec3 edgeColor;\nuniform float edgeStrength;\nvarying vec3 vReach;\nvoid main() {\n";
// A line a pixel and a half wide; where triangles are only some pixels large it fades, or it would cover them.
const fragmentEdge = `#include <opaque_fragment>
  vec3 slope = max(fwidth(vReach), vec3(1e-6));
  vec3 away = vReach / slope;
  float line = 1.0 - smoothstep(0.6, 1.6, min(away.x, min(away.y, away.z)));
  line *= edgeStrength * (1.0 - smoothstep(0.1, 0.5, max(slope.x, max(slope.y, slope.z))));
#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
  line *= vColor.a; // of one body among others
#endif
  gl_FragColor = mix(gl_FragColor, vec4(edgeColor, max(gl_FragColor.a, 0.7)), line);
`;

export function facetMaterial(look: EdgeLook): THREE.MeshLambertMaterial {
  const material = new THREE.MeshLambertMaterial();
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, look);
    shader.vertexShader = shader.vertexShader.replace("void main() {", vertexHead);
    shader.fragmentShader = shader.fragmentShader
      .replace("void main() {", fragmentHead)
      .replace("#include <opaque_fragment>", fragmentEdge);
  };
  return material;
}
