// SPDX-License-Identifier: Apache-2.0
// Ranges of a chart and the labels of their ticks.

// Labels of ticks with as many decimals as keep them apart; a common power of ten where the numbers are very large or small.
export function tickTexts(ticks: readonly number[]): string[] {
  const largest = Math.max(0, ...ticks.map(Math.abs));
  const steps = ticks.slice(1).map((t, i) => Math.abs(t - ticks[i]));
  const step = Math.min(largest, ...steps.filter((s) => s > 0));
  const power = largest > 0 && (largest >= 1e5 || largest < 1e-3) ? Math.floor(Math.log10(largest)) : 0;
  const scaled = ticks.map((t) => t / 10 ** power);
  let decimals = 0;
  const exact = (t: number): boolean => Math.abs(Number(t.toFixed(decimals)) - t) * 10 ** power < 1e-3 * step;
  while (decimals < 15 && !scaled.every(exact)) decimals++;
  return scaled.map((t) => (t === 0 ? "0" : t.toFixed(decimals) + (power === 0 ? "" : `e${power}`)));
}

// A spike takes at most this part of the numbers, and the rest at most a tenth of the whole range.
const RARE = 0.05;
const FLAT = 0.1;

// The range in which the numbers lie but for rare spikes; null where there are none. A level that hardly changes keeps a
// twentieth of itself, so that its noise is not shown in place of the spike.
export function steadyRange(lists: readonly ArrayLike<number>[]): [number, number] | null {
  const all = Float64Array.from(lists.flatMap((list) => Array.from(list).filter(Number.isFinite))).sort();
  if (all.length < 20) return null;
  const rare = Math.max(1, Math.floor(RARE * all.length));
  // All of the rare ones may lie on one side.
  const [low, high] = [all[rare], all[all.length - 1 - rare]];
  const span = Math.max(high - low, 0.05 * Math.max(Math.abs(low), Math.abs(high)));
  const [least, most] = [all[0], all[all.length - 1]];
  if (!(span > 0) || most - least <= span / FLAT) return null;
  return [Math.max(least, low - span), Math.min(most, high + span)];
}

// The farthest number of each stretch that lies outside the range.
export function peaksOutside(
  values: ArrayLike<number>,
  [low, high]: [number, number],
): { at: number; value: number }[] {
  const out: { at: number; value: number }[] = [];
  let side = 0;
  Array.from(values).forEach((value, at) => {
    const now = value > high ? 1 : value < low ? -1 : 0;
    const last = out.at(-1);
    if (now !== 0 && (now !== side || !last)) out.push({ at, value });
    else if (now !== 0 && last && now * value > now * last.value) Object.assign(last, { at, value });
    side = now;
  });
  return out;
}
