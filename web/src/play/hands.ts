// SPDX-License-Identifier: Apache-2.0
// What the mouse does to the bodies: drag the one under it, push it, or throw a ball at it. Beside the bodies, and with the
// other buttons, the mouse moves the camera as in every view.
import * as THREE from "three";
import type { Vec3 } from "../data/schema";
import { add, length, scale, sub } from "../geometry/vec";
import type { Stage } from "../view/stage";
import type { Core } from "./core";
import type { Live } from "./live";

export const tools = { drag: "Drag", push: "Push", ball: "Throw a ball" } as const;
export type Tool = keyof typeof tools;

const array = (v: THREE.Vector3): Vec3 => [v.x, v.y, v.z];

export class Hands {
  tool: Tool = "drag";
  strength = 1;
  onTouch: () => void = () => undefined; // the scene is no longer what its name says
  onFailure: (text: string) => void = () => undefined;
  private held: { body: number; local: Vec3; plane: THREE.Plane; pointer: number } | null = null;

  constructor(
    private readonly core: Core,
    private readonly live: Live,
    private readonly stage: Stage,
    host: HTMLElement,
  ) {
    // Before the camera sees the event.
    host.addEventListener("pointerdown", (event) => {
      this.down(event);
    }, true); // prettier-ignore
    host.addEventListener("pointermove", (event) => {
      this.move(event);
    });
    for (const name of ["pointerup", "pointercancel"] as const)
      host.addEventListener(name, (event) => {
        this.up(event);
      });
  }

  private get calls(): Core["calls"] {
    return this.core.calls;
  }

  private attempt(good: boolean): boolean {
    if (good) this.onTouch();
    else this.onFailure(this.core.text);
    return good;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || event.target !== this.stage.canvas) return;
    const hit = this.stage.hit(event);
    const movable = hit.body >= 0 && this.live.page.bodies[hit.body].kind !== "static";
    if (this.tool === "ball") this.throwAt(hit.point);
    else if (!movable) return;
    else if (this.tool === "push") this.push(hit.body, hit.point, array(hit.way));
    else this.grab(hit.body, hit.point, hit.way, event);
    this.stage.eye.controls.enabled = false;
  }

  private grab(body: number, point: THREE.Vector3, way: THREE.Vector3, event: PointerEvent): void {
    const object = this.stage.bodies.object(body);
    object.updateMatrix();
    const local = array(point.clone().applyMatrix4(object.matrix.clone().invert()));
    const across = way.clone().normalize();
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(across, point);
    this.stage.setFraming(false); // the picture stands while something is held
    this.held = { body, local, plane, pointer: event.pointerId };
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.pullTo(array(point));
  }

  private pullTo(to: Vec3): void {
    if (this.held) this.attempt(this.calls.play_drag(this.held.body, ...this.held.local, ...to) !== 0);
  }

  private move(event: PointerEvent): void {
    if (this.held?.pointer !== event.pointerId) return;
    const to = this.stage.rayAt(event).intersectPlane(this.held.plane, new THREE.Vector3());
    if (to) this.pullTo(array(to));
  }

  private up(event: PointerEvent): void {
    if (this.held?.pointer === event.pointerId) {
      this.calls.play_let_go();
      this.held = null;
    }
    this.stage.eye.controls.enabled = true;
  }

  get holding(): number {
    return this.held?.body ?? -1;
  }

  // Away from the camera, with the speed of a fall from some heights of a body.
  private push(body: number, at: THREE.Vector3, way: Vec3): void {
    const { mass } = this.live.page.bodies[body];
    const speed = 2.5 * this.strength * Math.sqrt((length(this.live.page.gravity) || 9.81) * this.stage.size);
    const blow = scale(way, ((mass || 1) * speed) / length(way));
    this.attempt(this.calls.play_push(body, ...array(at), ...blow) !== 0);
  }

  // From the side of the camera, so that it meets the point on a flat arc: in a third of the time of a fall from as far.
  throwAt(target: THREE.Vector3): void {
    const { eye } = this.stage;
    const way = target.clone().sub(eye.camera.position);
    const from = array(target.clone().addScaledVector(way.normalize(), -0.7 * eye.distance));
    const lift = Math.max(0, this.stage.ground.level + 2 * this.live.ballRadius - from[2]);
    const start: Vec3 = [from[0], from[1], from[2] + lift];
    const gravity = length(this.live.page.gravity) || 9.81;
    const seconds = (0.35 * Math.sqrt((2 * length(sub(array(target), start))) / gravity)) / this.strength;
    const straight = scale(sub(array(target), start), 1 / seconds);
    const velocity = add(straight, scale(this.live.page.gravity, -0.5 * seconds));
    const slot = this.calls.play_throw(this.live.ballRadius, this.live.ballMass, ...start, ...velocity);
    this.attempt(slot >= 0);
  }
}
