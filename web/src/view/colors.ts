// SPDX-License-Identifier: Apache-2.0
// Colors of the three-dimensional view.

export const palette = [
  0x5b8db8, 0xd9925a, 0x7bab74, 0xb97a9e, 0x8c86c4, 0xc9b458, 0x6fb1ae, 0xc8756d, 0x93a1ad, 0xa98e6c,
];
export const colors = {
  static: 0x9aa3ab,
  kinematic: 0x6d7f8f,
  stick: 0x1f9e89,
  slip: 0xe4572e,
  force: 0x2455c3,
  torque: 0xa67c00,
  pressure: 0x8e44ad,
  pressureCenter: 0xd81b60,
  velocity: 0x3a8f3a,
  overlap: 0xd81b60,
  asleep: 0x6b7684,
  awake: 0xe0a63a,
  select: 0xffc400,
  contacting: 0xf2b705,
  separating: 0x7b3fb5,
  witnessA: 0x1f6fd1,
  witnessB: 0xd1491f,
};

export type ColorMode = "id" | "sleeping" | "island" | "speed";

// Dark blue over green to yellow, for t in 0..1.
export function ramp(t: number): number {
  const stops = [0x2f3c7e, 0x2b7a8b, 0x3fae72, 0xb5d047, 0xfde74c];
  const x = Math.min(Math.max(Number.isFinite(t) ? t : 0, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(x), stops.length - 2);
  const mix = (shift: number): number => {
    const a = (stops[i] >> shift) & 255;
    const b = (stops[i + 1] >> shift) & 255;
    return Math.round(a + (x - i) * (b - a)) << shift;
  };
  return mix(16) | mix(8) | mix(0);
}

export function cssColor(value: number): string {
  return `#${value.toString(16).padStart(6, "0")}`;
}
