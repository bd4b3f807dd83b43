// SPDX-License-Identifier: Apache-2.0
// A picture as a PNG with a palette: the 256 most frequent of its colors, rounded to 32 steps each, the others as the
// nearest of them. In: width, height, RGBA bytes. Out: the file.
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

const steps = 31;
const rounded = (x) => Math.round((x * steps) / 255);

function chunk(name, data) {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(name, 4, "latin1");
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
  return out;
}

function keysOf(rgba) {
  const keys = new Uint16Array(rgba.length / 4);
  for (let i = 0; i < keys.length; i++)
    keys[i] = (rounded(rgba[4 * i]) << 10) | (rounded(rgba[4 * i + 1]) << 5) | rounded(rgba[4 * i + 2]);
  return keys;
}

const parts = (key) => [key >> 10, (key >> 5) & 31, key & 31];

function paletteOf(keys) {
  const count = new Map();
  for (const key of keys) count.set(key, (count.get(key) ?? 0) + 1);
  const byUse = [...count].sort((p, q) => q[1] - p[1] || p[0] - q[0]).map(([key]) => key);
  const palette = byUse.slice(0, 256);
  const number = new Map(palette.map((key, i) => [key, i]));
  for (const key of byUse.slice(256)) {
    const far = (other) => parts(other).reduce((sum, x, k) => sum + (x - parts(key)[k]) ** 2, 0);
    const best = palette.reduce((p, q) => (far(q) < far(p) ? q : p));
    number.set(key, number.get(best));
  }
  return { palette, number };
}

export function smallPng(width, height, rgba) {
  const keys = keysOf(rgba);
  const { palette, number } = paletteOf(keys);
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter, 0: none
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = number.get(keys[y * width + x]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colors = Buffer.from(palette.flatMap((key) => parts(key).map((x) => Math.round((x * 255) / steps))));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk("IHDR", head),
    chunk("PLTE", colors),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
