// SPDX-License-Identifier: Apache-2.0
// The three axes of the world in a corner of the view, turned as the camera sees them.
import * as THREE from "three";
import { svg } from "../ui/dom";

const axes: [string, THREE.Vector3][] = [
  ["x", new THREE.Vector3(1, 0, 0)],
  ["y", new THREE.Vector3(0, 1, 0)],
  ["z", new THREE.Vector3(0, 0, 1)],
];

export class Triad {
  readonly root = svg("svg", { viewBox: "-40 -40 80 80", class: "triad", role: "img", "aria-label": "Axes x, y, z" });
  private readonly marks = axes.map(([name]) => {
    const line = svg("line", { x1: 0, y1: 0 });
    const text = svg("text", { "text-anchor": "middle", "dominant-baseline": "central" }, name);
    const mark = svg("g", { class: `axis-${name}` }, line, text);
    this.root.append(mark);
    return { mark, line, text };
  });

  update(camera: THREE.Camera): void {
    const seen = axes.map(([, axis]) => axis.clone().applyQuaternion(camera.quaternion.clone().invert()));
    const order = [0, 1, 2].sort((p, q) => seen[p].z - seen[q].z);
    for (const k of order) {
      const { mark, line, text } = this.marks[k];
      line.setAttribute("x2", (seen[k].x * 24).toFixed(1));
      line.setAttribute("y2", (-seen[k].y * 24).toFixed(1));
      text.setAttribute("x", (seen[k].x * 33).toFixed(1));
      text.setAttribute("y", (-seen[k].y * 33).toFixed(1));
      this.root.append(mark); // the nearest is drawn last
    }
  }
}
