// SPDX-License-Identifier: Apache-2.0
// Puts a WebAssembly module into a page: deflated, as base64, in the element with the id abut-core.
// Usage: node embed.mjs PAGE MODULE OUTPUT
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const [page, module, output] = process.argv.slice(2);
const bytes = deflateSync(readFileSync(module), { level: 9 }).toString("base64");
const html = readFileSync(page, "utf8");
const mark = 'id="abut-core"></script>';
if (html.split(mark).length !== 2) throw new Error(`${page} has no place for the module`);
writeFileSync(
  output,
  html.replace(mark, () => mark.replace("><", `>${bytes}<`)),
);
