// SPDX-License-Identifier: Apache-2.0
// Light of the view: a sky and a sun whose shadows cover the box that is looked at.
import * as THREE from "three";

export class Sun {
  readonly group = new THREE.Group();
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xb4b8bd, 1.5);

  constructor(size: number) {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = size * 0.01;
    this.group.add(this.sky, this.sun, this.sun.target);
  }

  shineOn(box: THREE.Box3): void {
    const center = box.getCenter(new THREE.Vector3());
    const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    this.sun.target.position.copy(center);
    this.sun.position.copy(center).add(new THREE.Vector3(-0.9, -1.4, 2.4).multiplyScalar(radius * 1.6));
    const frame = this.sun.shadow.camera;
    frame.left = frame.bottom = -radius * 2;
    frame.right = frame.top = radius * 2;
    frame.near = radius * 0.1;
    frame.far = radius * 12;
    frame.updateProjectionMatrix();
  }

  setTheme(dark: boolean): void {
    this.sky.intensity = dark ? 1.3 : 1.9;
  }
}
