// SPDX-License-Identifier: Apache-2.0
// The library as WebAssembly, and calls to it; web/native/playground/play.h describes them. Numbers and texts are copied out of
// its memory, which moves when it grows. The module stands in the page as deflated bytes in base64.
import { inflated } from "../data/codec";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize: () => void;
  play_text: () => number;
  play_names: () => number;
  play_load: (seed: number) => number;
  play_describe: () => number;
  play_step: (count: number) => number;
  play_set_model: (model: number) => number;
  play_set_step: (seconds: number) => number;
  play_set_gravity: (x: number, y: number, z: number) => number;
  play_set_friction: (friction: number) => number;
  play_drag: (slot: number, ...numbers: number[]) => number;
  play_let_go: () => void;
  play_push: (slot: number, ...numbers: number[]) => number;
  play_throw: (radius: number, mass: number, ...numbers: number[]) => number;
  play_slots: () => number;
  play_state: () => number;
  play_contacts: () => number;
  play_number: (which: number) => number;
  play_hash: (half: number) => number;
  play_modes: (slot: number, count: number) => number;
}

export const stateSize = 14; // numbers a slot, as PLAY_STATE
export const numberNames = ["steps", "time", "kinetic", "potential", "depth", "sweeps", "residual"] as const;
export type NumberName = (typeof numberNames)[number];

export class Core {
  private constructor(readonly calls: Exports) {}

  static async open(base64: string): Promise<Core> {
    const clock = (_id: number, _precision: bigint, at: number): number => {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      new DataView((instance.exports as unknown as Exports).memory.buffer).setBigUint64(at, nanoseconds, true);
      return 0;
    };
    const { instance } = await WebAssembly.instantiate(await inflated(base64), {
      wasi_snapshot_preview1: { clock_time_get: clock },
      env: { emscripten_notify_memory_growth: () => undefined },
    });
    const calls = instance.exports as unknown as Exports;
    calls._initialize();
    return new Core(calls);
  }

  private textAt(address: number): string {
    const bytes = new Uint8Array(this.calls.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  // What the last call that failed said, or play_modes told.
  get text(): string {
    return this.textAt(this.calls.play_text());
  }

  // `good`: what a call gave; throws its sentence when that is 0.
  check(good: number): void {
    if (good === 0) throw new Error(this.text);
  }

  private json(address: number): unknown {
    this.check(address);
    return JSON.parse(this.textAt(address));
  }
  names(): unknown {
    return this.json(this.calls.play_names());
  }
  describe(): unknown {
    return this.json(this.calls.play_describe());
  }

  load(scene: string): void {
    const bytes = new TextEncoder().encode(`${scene.slice(0, 200)}\0`);
    new Uint8Array(this.calls.memory.buffer, this.calls.play_text(), bytes.length).set(bytes);
    this.check(this.calls.play_load(1));
  }

  // Gives how many steps were done; fewer than asked for after a failure.
  step(count: number): number {
    return this.calls.play_step(count);
  }

  number(name: NumberName): number {
    return this.calls.play_number(numberNames.indexOf(name));
  }

  state(): Float64Array {
    return this.doubles(this.calls.play_state(), stateSize * this.calls.play_slots());
  }

  contacts(): Float64Array {
    const address = this.calls.play_contacts();
    return this.doubles(address, (this.calls.memory.buffer.byteLength - address) >> 3);
  }

  private doubles(address: number, count: number): Float64Array {
    this.check(address);
    return new Float64Array(this.calls.memory.buffer, address, count);
  }

  // As `abut simulate` prints it.
  hash(): string {
    return [1, 0].map((half) => (this.calls.play_hash(half) >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
