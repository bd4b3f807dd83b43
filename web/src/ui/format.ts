// SPDX-License-Identifier: Apache-2.0
// Numbers for people.
import type { Vec3 } from "../data/schema";

// Four digits; very large and very small ones with a power of ten.
export function num(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(Math.max(digits - 2, 0)).replace("e+", "e");
  const text = value.toPrecision(digits);
  return text.includes("e") ? String(Number(text)) : text;
}

export function withUnit(value: number, unit: string, digits = 4): string {
  return unit === "" ? num(value, digits) : `${num(value, digits)}\u2009${unit}`;
}

// Components of one vector share their decimals, `least` of them or more.
export function vec(v: Vec3, unit = "", digits = 4, least = 0): string {
  const largest = Math.max(...v.map(Math.abs));
  const extreme = largest > 0 && (largest >= 1e6 || largest < 1e-4);
  const decimals = largest > 0 ? Math.min(Math.max(digits - 1 - Math.floor(Math.log10(largest)), least), 6) : 0;
  const one = (x: number): string => {
    if (!Number.isFinite(x)) return "–";
    return extreme ? num(x, 3) : x.toFixed(decimals).replace(/^-(0(\.0*)?)$/, "$1");
  };
  return `(${v.map(one).join(", ")})${unit === "" ? "" : `\u2009${unit}`}`;
}

export function seconds(value: number, step: number): string {
  const decimals = step > 0 ? Math.min(Math.max(Math.ceil(-Math.log10(step)) + 1, 2), 6) : 2;
  return `${value.toFixed(decimals)}\u2009s`;
}
