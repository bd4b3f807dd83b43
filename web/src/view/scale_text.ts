// SPDX-License-Identifier: Apache-2.0
// The scale of arrows in words, as "1 N = 2 cm".

function meters(x: number): string {
  const [value, unit] =
    x >= 1 ? [x, "m"] : x >= 0.01 ? [x * 100, "cm"] : x >= 1e-5 ? [x * 1000, "mm"] : [x * 1e6, "µm"];
  return `${Number(value.toPrecision(2))} ${unit}`;
}

function amount(x: number, unit: string): string {
  const prefixes: [number, string][] = [
    [1e6, "M"],
    [1e3, "k"],
    [1, ""],
    [1e-3, "m"],
    [1e-6, "µ"],
  ];
  const [size, prefix] = prefixes.find(([s]) => x >= s * 0.999) ?? prefixes[4];
  return `${Number((x / size).toPrecision(3))} ${prefix}${unit}`;
}

// `scale`: meters per unit; the amount is the power of ten whose arrow is nearest to `length` meters.
export function scaleText(scale: number, length: number, unit: string): string {
  if (!(scale > 0) || !(length > 0) || !Number.isFinite(scale)) return "";
  const x = 10 ** Math.round(Math.log10(length / scale));
  return `${amount(x, unit)} = ${meters(x * scale)}`;
}
