// SPDX-License-Identifier: Apache-2.0
// The time that is shown, and playing it on.
import { lastUpTo } from "./data/page";

export const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Clock {
  playing = false;
  speed = 1;
  loop = false;
  time: number;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly times: Float64Array) {
    this.time = times[0];
  }

  get start(): number {
    return this.times[0];
  }
  get end(): number {
    return this.times[this.times.length - 1];
  }
  get frame(): number {
    return lastUpTo(this.times, this.time);
  }

  // Is there anything to play?
  get runs(): boolean {
    return this.times.length > 1;
  }
  // Seconds between frames, on average.
  get spacing(): number {
    return this.runs ? (this.end - this.start) / (this.times.length - 1) : 0;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  seek(time: number): void {
    if (!Number.isFinite(time)) return;
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.tell();
  }

  step(frames: number): void {
    this.playing = false;
    const frame = Math.min(Math.max(this.frame + frames, 0), this.times.length - 1);
    this.seek(this.times[frame]);
  }

  toggle(): void {
    if (!this.runs) return;
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end) this.time = this.start;
    this.tell();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  faster(direction: number): void {
    const at = speeds.indexOf(this.speed);
    this.setSpeed(speeds[Math.min(Math.max(at + direction, 0), speeds.length - 1)]);
  }

  // Seconds of the viewer's own time have passed.
  advance(seconds: number): void {
    if (!this.playing) return;
    const next = this.time + Math.min(seconds, 0.25) * this.speed;
    if (next < this.end) {
      this.seek(next);
      return;
    }
    if (!this.loop) this.playing = false;
    this.seek(this.loop ? this.start : this.end);
  }
}
