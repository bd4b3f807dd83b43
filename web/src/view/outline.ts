// SPDX-License-Identifier: Apache-2.0
// An outline around one body, seen also where others are in front of it. The body marks its pixels in the stencil;
// then it is drawn eight times, moved by some pixels each time, where the mark is not.
import * as THREE from "three";
import type { Bodies } from "./bodies";
import { colors } from "./colors";

const thickness = 2.5; // pixels of the layout

function maskMaterial(): THREE.Material {
  return new THREE.MeshBasicMaterial({
    colorWrite: false,
    depthTest: false,
    depthWrite: false,
    transparent: true,
    side: THREE.DoubleSide,
    stencilWrite: true,
    stencilRef: 1,
    stencilZPass: THREE.ReplaceStencilOp,
  });
}

function shellMaterial(angle: number, pixel: THREE.Vector2): THREE.ShaderMaterial {
  const way = new THREE.Vector2(Math.cos(angle), Math.sin(angle));
  return new THREE.ShaderMaterial({
    uniforms: { way: { value: way }, pixel: { value: pixel }, color: { value: new THREE.Color(colors.select) } },
    vertexShader: `uniform vec2 way; uniform vec2 pixel;
      void main() {
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        gl_Position.xy += way * pixel * gl_Position.w;
      }`,
    fragmentShader: `uniform vec3 color;
      void main() {
        gl_FragColor = vec4(color, 1.0);
        #include <colorspace_fragment>
      }`,
    depthTest: false,
    depthWrite: false,
    transparent: true,
    side: THREE.DoubleSide,
    stencilWrite: true,
    stencilRef: 1,
    stencilFunc: THREE.NotEqualStencilFunc,
  });
}

export class Outline {
  readonly group = new THREE.Group();
  private readonly pixel = new THREE.Vector2();
  private readonly mask = maskMaterial();
  private readonly shells = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => shellMaterial((i * Math.PI) / 4, this.pixel));
  private body = -1;

  constructor() {
    this.group.matrixAutoUpdate = false;
  }

  setSize(width: number, height: number): void {
    this.pixel.set((2 * thickness) / width, (2 * thickness) / height);
  }

  update(bodies: Bodies): void {
    if (bodies.selected !== this.body) {
      this.body = bodies.selected;
      this.group.clear();
      if (this.body >= 0) for (const shape of bodies.shapesOf(this.body)) this.addShape(shape);
    }
    if (this.body < 0) return;
    const object = bodies.object(this.body);
    object.updateMatrix();
    this.group.matrix.copy(object.matrix);
    this.group.matrixWorldNeedsUpdate = true;
    this.group.visible = object.visible;
  }

  private addShape({ geometry, local }: { geometry: THREE.BufferGeometry; local: THREE.Matrix4 }): void {
    const add = (material: THREE.Material, order: number): void => {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(local);
      mesh.renderOrder = order;
      this.group.add(mesh);
    };
    add(this.mask, 8);
    for (const shell of this.shells) add(shell, 9);
  }
}
