// SPDX-License-Identifier: Apache-2.0
// Tables as CSV (RFC 4180: comma, CRLF, quotes doubled).

export interface Column {
  name: string;
  unit: string;
  values: ArrayLike<number>;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function number(value: number): string {
  return Number.isFinite(value) ? String(Math.fround(value) === value ? Number(value.toPrecision(9)) : value) : "";
}

export function csvText(columns: Column[]): string {
  const head = columns.map((c) => cell(c.unit === "" ? c.name : `${c.name} [${c.unit}]`)).join(",");
  const rows: string[] = [head];
  const count = Math.max(0, ...columns.map((c) => c.values.length));
  for (let i = 0; i < count; i++) rows.push(columns.map((c) => number(c.values[i])).join(","));
  return rows.join("\r\n") + "\r\n";
}
