// SPDX-License-Identifier: Apache-2.0
// The library for JavaScript: bodies, questions about pairs, and worlds that move. Calls the WebAssembly that
// web/native/npm/npm.h describes; arguments are put into its memory, answers are JSON or numbers, copied out of it.
import type { BuiltinScene, CastHit, Collision, Contact, Gap, Impact, StepReport, Volume } from "./records.js";

export type * from "./records.js";
export type Vec3 = readonly [number, number, number];
/** Quaternion, w first. */
export type Quat = readonly [number, number, number, number];

/** Where a body stands; the rotation is of unit length. Omitted parts are those of the identity. */
export interface Pose {
  position?: Vec3;
  rotation?: Quat;
}

/** A pose at time 0 that moves: by a velocity (m/s), or along a screw (rad/s and m/s). */
export interface Motion extends Pose {
  velocity?: Vec3;
  screw?: { point?: Vec3; axis: Vec3; rate: number; speed?: number };
}

/** How a mesh is taken: "as_is" by its hull where it is convex, else by its triangles. */
export type MeshChoice = (typeof choices)[number];
export type BodyKind = (typeof bodyKinds)[number];

/** Sizes as in the C library: half sizes of a box, radius and half length along z of round shapes. */
export interface ShapeDef extends Pose {
  kind: "box" | "sphere" | "capsule" | "cylinder" | "ellipsoid" | "half_space" | "cone" | "hull";
  /** Box, ellipsoid: three numbers. Sphere: radius. Capsule, cylinder, cone: radius and half length. */
  size?: readonly number[];
  /** For kind "hull": a body made by `hull`; not kept. */
  hull?: Body;
  /** kg/m^3; default 1000 */
  density?: number;
  /** Default 0.5. */
  friction?: number;
  /** 0 to 1; default 0 */
  restitution?: number;
}

export interface BodyDef extends Pose {
  name?: string;
  /** Default "dynamic". */
  kind?: BodyKind;
  /** Velocity of the center of mass, m/s. */
  velocity?: Vec3;
  /** rad/s */
  spin?: Vec3;
  shapes: readonly ShapeDef[];
}

/** Settings of a simulation, as the C struct AbutSimulationDef describes them. */
export interface Settings {
  gravity?: Vec3;
  model?: "vol" | "pressure";
  tolerance?: number;
  beta?: number;
  margin?: number;
  slop?: number;
  compliance?: number;
  stick_speed?: number;
  rolling?: number;
  iterations?: number;
  sleeping?: boolean;
  continuous?: boolean;
}

/** State of one body: pose, velocity of its center of mass, spin, and whether it sleeps. */
export interface BodyState {
  position: Vec3;
  rotation: Quat;
  velocity: Vec3;
  spin: Vec3;
  asleep: boolean;
}

/** Bad arguments, or a state that left the range of numbers. */
export class AbutError extends Error {
  override name = "AbutError";
}

export type Source = string | URL | BufferSource | WebAssembly.Module;

const bodyKinds = ["dynamic", "static", "kinematic"] as const;
const shapeKinds = ["box", "sphere", "capsule", "cylinder", "ellipsoid", "hull", "half_space", "", "cone"];
const choices = ["as_is", "only_convex", "hull", "triangles", "pieces"] as const;
const stateSize = 14;
const noPose: Pose = {};
const zero: Vec3 = [0, 0, 0];

type Call = (...numbers: number[]) => number;
type Exports = Record<string, Call> & { memory: WebAssembly.Memory; _initialize: () => void };

const numbersOf = (pose: Pose): number[] => [...(pose.position ?? zero), ...(pose.rotation ?? [1, 0, 0, 0])];

function fail(expected: string, got: unknown): never {
  throw new AbutError(`expected ${expected}, got ${String(got)}`);
}

function place(list: readonly string[], word: string, what: string): number {
  const at = list.indexOf(word);
  return at >= 0 && word !== "" ? at : fail(`${what} (${list.filter(Boolean).join(", ")})`, `'${word}'`);
}

// Memory of the module and calls to it.
class Core {
  constructor(readonly calls: Exports) {}

  error(): never {
    throw new AbutError(this.textAt(this.call("js_error")));
  }
  call(name: string, ...numbers: number[]): number {
    return this.calls[name](...numbers);
  }
  // A call that gives NULL or 0 where it failed.
  need(name: string, ...numbers: number[]): number {
    const result = this.call(name, ...numbers);
    return result === 0 ? this.error() : result;
  }
  private room(name: string, count: number): number {
    return this.call(name, count) || fail("memory for arguments", "none");
  }
  numbers(values: ArrayLike<number>): void {
    new Float64Array(this.calls.memory.buffer, this.room("js_numbers", values.length), values.length).set(values);
  }
  integers(values: ArrayLike<number>): void {
    new Int32Array(this.calls.memory.buffer, this.room("js_integers", values.length), values.length).set(values);
  }
  bytes(values: Uint8Array): void {
    new Uint8Array(this.calls.memory.buffer, this.room("js_text", values.length), values.length).set(values);
  }
  text(text: string): void {
    this.bytes(new TextEncoder().encode(`${text}\0`));
  }
  textAt(address: number): string {
    const bytes = new Uint8Array(this.calls.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
  copy(address: number, count: number): Float64Array {
    return new Float64Array(this.calls.memory.buffer, address, count).slice();
  }
  // JSON has null for numbers that are not finite.
  answer(name: string, ...numbers: number[]): unknown {
    const text = this.textAt(this.need(name, ...numbers));
    return JSON.parse(text, (_key, value: unknown) => (value === null ? Number.NaN : value));
  }
}

// What the module made and the caller frees.
abstract class Owned {
  /** @internal */
  constructor(
    /** @internal */ readonly core: Core,
    private address: number,
    private readonly free_by: string,
  ) {}

  /** @internal */
  get at(): number {
    return this.address || fail(`a ${this.constructor.name.toLowerCase()} that is in use`, "one that was freed");
  }
  /** Returns its memory; calling it twice does no harm. */
  free(): void {
    if (this.address !== 0) this.core.call(this.free_by, this.address);
    this.address = 0;
  }
}

/** Geometry at its own origin: convex, by triangles, or in convex pieces. */
export class Body extends Owned {}

/** Bodies that move, touch and rest. */
export class World extends Owned {
  private started = false;

  /** Seconds of a step that `step` takes by default. */
  get timeStep(): number {
    return this.core.call("js_world_time_step", this.at);
  }
  /** Seconds since the start. */
  get time(): number {
    return this.core.call("js_world_time", this.start());
  }
  /** Hash of the state in 16 hexadecimal digits, as `abut simulate` prints it. */
  get hash(): string {
    const half = (which: number) =>
      (this.core.call("js_world_hash", this.start(), which) >>> 0).toString(16).padStart(8, "0");
    return half(1) + half(0);
  }
  get bodyCount(): number {
    return this.core.call("js_world_body_count", this.at);
  }
  bodyName(body: number): string {
    return this.core.textAt(this.core.need("js_world_body_name", this.at, this.number(body)));
  }

  /** Adds a body and returns its number. A body without volume, as a half-space, is static or kinematic. */
  addBody(def: BodyDef): number {
    const kind = place(bodyKinds, def.kind ?? "dynamic", "a kind of body");
    const shapes = def.shapes.map((shape) => ({
      shape,
      kind: place(shapeKinds, shape.kind, "a kind of shape"),
      size: sizeOf(shape),
    }));
    this.core.text(def.name ?? "");
    this.core.numbers([...numbersOf(def), ...(def.velocity ?? zero), ...(def.spin ?? zero)]);
    const body = this.core.call("js_world_add_body", this.at, kind);
    if (body < 0) this.core.error();
    for (const one of shapes) {
      const { density = 1000, friction = 0.5, restitution = 0, hull } = one.shape;
      this.core.numbers([...one.size, ...numbersOf(one.shape), density, friction, restitution]);
      if (this.core.call("js_world_add_shape", this.at, body, one.kind, hull ? hull.at : 0) !== 0) continue;
      this.core.call("js_world_remove_body", this.at, body);
      this.core.error();
    }
    return body;
  }

  /** Settings from now on; a world that runs goes on with them. */
  set(settings: Settings): void {
    const { gravity, model, ...rest } = settings;
    const one = (name: string, value: number) => {
      this.core.text(name);
      this.core.need("js_world_set", this.at, value);
    };
    gravity?.forEach((value, i) => {
      one(`gravity_${"xyz".charAt(i)}`, value);
    });
    if (model !== undefined) one(`model=${model}`, 0);
    for (const [name, value] of Object.entries(rest)) one(name, Number(value));
    if (this.started) this.core.need("js_world_start", this.at);
  }

  private start(): number {
    if (!this.started) this.core.need("js_world_start", this.at);
    this.started = true;
    return this.at;
  }
  private number(body: number): number {
    return Number.isInteger(body) && body >= 0 && body < this.bodyCount
      ? body
      : fail(`the number of a body, 0 .. ${this.bodyCount - 1}`, body);
  }

  /** Advances by `count` steps of `dt` seconds each. */
  step(count = 1, dt = this.timeStep): StepReport {
    if (!Number.isInteger(count) || count < 0) fail("a count of steps", count);
    this.core.need("js_world_step", this.start(), count, dt);
    return this.core.answer("js_world_report", this.at) as StepReport;
  }

  /** 14 numbers a body: position, rotation (w first), velocity, spin, 1 where it sleeps. */
  state(): Float64Array {
    const count = this.bodyCount;
    return this.core.copy(this.core.need("js_world_state", this.at), stateSize * count);
  }
  pose(body: number): BodyState {
    const n = this.state().subarray(stateSize * this.number(body));
    const some = (from: number, to: number) => [...n.subarray(from, to)] as unknown;
    return {
      position: some(0, 3) as Vec3,
      rotation: some(3, 7) as Quat,
      velocity: some(7, 10) as Vec3,
      spin: some(10, 13) as Vec3,
      asleep: n[13] === 1,
    };
  }
  /** Contacts of the last step. */
  contacts(): Contact[] {
    return this.core.answer("js_world_contacts", this.start()) as Contact[];
  }

  setPose(body: number, pose: Pose): void {
    this.act("js_world_set_pose", body, numbersOf(pose));
  }
  setVelocity(body: number, velocity: Vec3, spin: Vec3 = zero): void {
    this.act("js_world_set_velocity", body, [...velocity, ...spin]);
  }
  /** An impulse (N s) at a point of the world. */
  push(body: number, impulse: Vec3, point: Vec3): void {
    this.act("js_world_push", body, [...impulse, ...point]);
  }
  /** A force (N) at the center of mass and a torque (N m), in every step until they are set again. */
  setForce(body: number, force: Vec3, torque: Vec3 = zero): void {
    this.start();
    this.act("js_world_set_force", body, [...force, ...torque]);
  }
  private act(name: string, body: number, numbers: number[]): void {
    const which = this.number(body);
    this.core.numbers(numbers);
    this.core.need(name, this.at, which);
  }

  /** The state as bytes; `restore` goes on from it bit for bit. */
  save(): Uint8Array {
    const bytes = this.core.need("js_world_save", this.start());
    return new Uint8Array(this.core.calls.memory.buffer, this.core.call("js_text", 0), bytes).slice();
  }
  restore(state: Uint8Array): void {
    this.start();
    this.core.bytes(state);
    this.core.need("js_world_restore", this.at, state.length);
  }
}

// Three numbers as the library has them: radius in x, half length in z.
function sizeOf(shape: ShapeDef): number[] {
  const size = shape.size ?? [];
  const count = { box: 3, ellipsoid: 3, sphere: 1, capsule: 2, cylinder: 2, cone: 2, hull: 0, half_space: 0 }[
    shape.kind
  ];
  if (size.length !== count) fail(`${count} numbers in the size of a ${shape.kind}`, size.length);
  if ((shape.kind === "hull") !== (shape.hull !== undefined))
    fail("`hull` with the kind hull and no other", `the kind ${shape.kind}`);
  const [x = 0, y = 0, z = 0] = size;
  return count === 2 ? [x, x, y] : count === 1 ? [x, x, x] : [x, y, z];
}

/** The library, loaded. */
export class Abut {
  /** @internal */
  constructor(private readonly core: Core) {}

  /** A convex body in words: "box:X,Y,Z" (half sizes), "sphere:R", "capsule:R,HALF", "cylinder:R,HALF", "cone:R,HALF",
   * "ellipsoid:X,Y,Z", "half-space:NX,NY,NZ,OFFSET" or "plane:NX,NY,NZ,OFFSET". */
  body(words: string): Body {
    this.core.text(words);
    return new Body(this.core, this.core.need("js_body_words"), "js_body_free");
  }
  /** The convex hull of points, three numbers each. */
  hull(points: ArrayLike<number>): Body {
    this.core.numbers(triples(points, "points"));
    return new Body(this.core, this.core.need("js_body_points", points.length / 3), "js_body_free");
  }
  /** A mesh: three coordinates a vertex, three numbers of vertices a triangle. */
  mesh(vertices: ArrayLike<number>, triangles: ArrayLike<number>, as: MeshChoice = "as_is"): Body {
    const choice = place(choices, as, "a way to take a mesh");
    this.core.numbers(triples(vertices, "vertices"));
    this.core.integers(triples(triangles, "triangles"));
    const body = this.core.need("js_body_mesh", vertices.length / 3, triangles.length / 3, choice);
    return new Body(this.core, body, "js_body_free");
  }

  /** Signed distance of A and B, B posed in the frame of A. `within`: stop where they are farther than that. */
  distance(a: Body, b: Body, pose: Pose & { within?: number } = noPose): Gap {
    this.core.numbers([...numbersOf(pose), pose.within ?? 0]);
    return this.core.answer("js_distance", a.at, b.at) as Gap;
  }
  /** How deep two bodies are in each other: a short move of B that parts them. */
  depth(a: Body, b: Body, pose: Pose = noPose): Gap {
    return this.ask("js_depth", a, b, pose) as Gap;
  }
  collide(a: Body, b: Body, pose: Pose = noPose): Collision {
    return this.ask("js_collide", a, b, pose) as Collision;
  }
  /** Bounds of the volume that A and B share; of meshes take convex pieces. */
  overlapVolume(a: Body, b: Body, pose: Pose = noPose): Volume {
    return this.ask("js_overlap_volume", a, b, pose) as Volume;
  }
  private ask(name: string, a: Body, b: Body, pose: Pose): unknown {
    this.core.numbers(numbersOf(pose));
    return this.core.answer(name, a.at, b.at);
  }
  /** Where the ray origin + t way, 0 <= t <= 1, first meets the body. */
  cast(body: Body, pose: Pose, origin: Vec3, way: Vec3): CastHit {
    this.core.numbers([...numbersOf(pose), ...origin, ...way]);
    return this.core.answer("js_cast", body.at) as CastHit;
  }
  /** First contact of two moving bodies from time `from` to time `to`, never late. */
  timeOfImpact(a: Body, moveA: Motion, b: Body, moveB: Motion, from = 0, to = 1, tolerance = 0): Impact {
    this.core.numbers([...motionOf(moveA), ...motionOf(moveB), from, to, tolerance]);
    return this.core.answer("js_time_of_impact", a.at, b.at) as Impact;
  }

  /** A built-in scene such as "boxes:50", or an empty one with gravity of 9.80665 m/s^2 along -z. */
  world(scene = "", options: { seed?: number } & Settings = {}): World {
    const { seed = 1, ...settings } = options;
    this.core.text(scene);
    const world = new World(this.core, this.core.need("js_world", seed), "js_world_free");
    try {
      world.set(settings);
    } catch (error) {
      world.free();
      throw error;
    }
    return world;
  }
  /** The built-in scenes and robots. */
  scenes(): BuiltinScene[] {
    return this.core.answer("js_scenes") as BuiltinScene[];
  }
}

function triples(values: ArrayLike<number>, what: string): ArrayLike<number> {
  return values.length % 3 === 0 ? values : fail(`${what} of three numbers each`, `${values.length} numbers`);
}

function motionOf(motion: Motion): number[] {
  const { point = zero, axis = zero, rate = 0, speed = 0 } = motion.screw ?? {};
  if (motion.screw && axis.every((x) => x === 0)) fail("the axis of a screw", "(0, 0, 0)");
  if (motion.screw && motion.velocity) fail("a velocity or a screw", "both");
  return [...numbersOf(motion), ...(motion.velocity ?? zero), ...point, ...axis, rate, speed];
}

async function compiled(source: Source | undefined): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source !== undefined && typeof source !== "string" && !(source instanceof URL))
    return WebAssembly.compile(source);
  const here = "location" in globalThis ? globalThis.location.href : import.meta.url;
  const url = source === undefined ? new URL("./abut.wasm", import.meta.url) : new URL(source, here);
  if (url.protocol === "file:") {
    const files: string = "node:fs/promises"; // bundlers leave it alone
    const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)) as {
      readFile: (from: URL) => Promise<Uint8Array<ArrayBuffer>>;
    };
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) fail(`the module at ${url.href}`, `status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Loads the library; each call gives one with memory of its own. */
export async function load(source?: Source): Promise<Abut> {
  const clock = (_id: number, _precision: bigint, at: number): number => {
    const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
    new DataView(calls.memory.buffer).setBigUint64(at, nanoseconds, true);
    return 0;
  };
  const instance = await WebAssembly.instantiate(await compiled(source), {
    wasi_snapshot_preview1: { clock_time_get: clock },
    env: { emscripten_notify_memory_growth: () => undefined },
  });
  const calls = instance.exports as unknown as Exports;
  calls._initialize();
  return new Abut(new Core(calls));
}
