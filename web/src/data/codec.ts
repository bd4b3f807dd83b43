// SPDX-License-Identifier: Apache-2.0
// Numbers of the page: one pool of bytes (deflate, base64), and references into it. A table of rows x columns is kept
// column by column as integers, each the difference from what its predecessor foretells, zigzag, in groups of seven
// bits. Integers mean step * i (even spacing) or the upper bits of a 32-bit float (even relative spacing).

export interface Ref {
  at: number;
  rows: number;
  columns: number;
  order?: number; // 1: difference from the row before; 2: from the line through the two rows before
  step?: number; // value = step * integer
  shift?: number; // value = float with bits integer << shift, and the sign of the integer
}

export class Pool {
  constructor(readonly bytes: Uint8Array) {}

  // Integers of the table, row by row. `before[row]`: the row to count from, or -1; without it the row above.
  integers(ref: Ref, before?: Int32Array): Float64Array {
    const { rows, columns } = ref;
    const out = new Float64Array(rows * columns);
    const second = ref.order === 2;
    const bytes = this.bytes;
    let at = ref.at;
    for (let c = 0; c < columns; c++) {
      for (let r = 0; r < rows; r++) {
        let value = 0;
        let scale = 1;
        let byte = 128;
        while (byte >= 128) {
          if (at >= bytes.length) throw new Error("the data of this page end too early");
          byte = bytes[at++];
          value += (byte & 127) * scale;
          scale *= 128;
        }
        let sum = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
        const p = before ? before[r] : r - 1;
        if (p >= 0) {
          sum += out[p * columns + c];
          if (second && p > 0) sum += out[p * columns + c] - out[(p - 1) * columns + c];
        }
        out[r * columns + c] = sum;
      }
    }
    return out;
  }

  numbers(ref: Ref, before?: Int32Array): Float64Array {
    const out = this.integers(ref, before);
    if (ref.shift === undefined) {
      const step = ref.step ?? 1;
      for (let i = 0; i < out.length; i++) out[i] *= step;
      return out;
    }
    const scale = 2 ** ref.shift;
    const bits = new Uint32Array(1);
    const float = new Float32Array(bits.buffer);
    for (let i = 0; i < out.length; i++) {
      bits[0] = Math.abs(out[i]) * scale;
      out[i] = out[i] < 0 ? -float[0] : float[0];
    }
    return out;
  }
}

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflated(base64: string): Promise<ArrayBuffer> {
  const stream = new Blob([bytesOfBase64(base64)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

export async function openPool(base64: string): Promise<Pool> {
  return new Pool(base64 === "" ? new Uint8Array(0) : new Uint8Array(await inflated(base64)));
}
