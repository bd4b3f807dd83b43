// SPDX-License-Identifier: Apache-2.0
// How many steps are due, so that the scene keeps up with the clock on the wall as far as the machine can, and how fast it
// really goes. In: seconds that have passed. Out: steps to take before a deadline, and the pace over the last second.

const longest = 0.15; // s: what a page that was asleep makes up for

// Milliseconds for steps between two pictures: most of a picture's time, and where drawing is slow as much again.
export function budget(passed: number): number {
  return Math.min(Math.max(22, 600 * passed), 120);
}

export class Pace {
  speed = 1;
  private owed = 0; // s
  private readonly log: { at: number; simulated: number; spent: number; steps: number }[] = [];

  // Steps that are due after so many seconds.
  due(seconds: number, step: number): number {
    this.owed += Math.min(seconds, longest) * this.speed;
    return Math.floor(this.owed / step + 1e-9);
  }

  // `done` of the steps that were due are; the rest is not caught up with when there was no time for them.
  took(done: number, late: boolean, step: number, now: number, spent: number): void {
    this.owed = late ? 0 : Math.max(this.owed - done * step, 0);
    this.log.push({ at: now, simulated: done * step, spent, steps: done });
    while (this.log.length > 2 && now - this.log[0].at > 1000) this.log.shift();
  }

  reset(): void {
    this.owed = 0;
    this.log.length = 0;
  }

  // Seconds simulated in a second, and milliseconds a step takes; NaN before there is something to tell.
  get ratio(): number {
    const [first, last] = [this.log.at(0), this.log.at(-1)];
    if (!first || !last || last.at <= first.at) return Number.NaN;
    const simulated = this.log.slice(1).reduce((sum, one) => sum + one.simulated, 0);
    return (1000 * simulated) / (last.at - first.at);
  }
  get perStep(): number {
    const steps = this.log.reduce((sum, one) => sum + one.steps, 0);
    return steps > 0 ? this.log.reduce((sum, one) => sum + one.spent, 0) / steps : Number.NaN;
  }
}
