// SPDX-License-Identifier: Apache-2.0
// Compares the installed package with the native library and tool, in Node.js and in Chromium (where CHROMIUM names one).
// Usage: node npm_compare.mjs TOOL REFERENCE FOLDER WEB     (REFERENCE: npm_reference.c, built; FOLDER/node_modules/abut; WEB/node_modules holds playwright-core)
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [tool, reference, folder, web] = process.argv.slice(2).map((path) => resolve(path));
const use = join(folder, "npm_use.mjs");
copyFileSync(new URL("npm_use.mjs", import.meta.url), use);

// Poses of a fixed sequence.
let seed = 20260101;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const poses = Array.from({ length: 60 }, () => {
  const turn = Array.from({ length: 4 }, () => random() - 0.5);
  const length = Math.sqrt(turn.reduce((sum, x) => sum + x * x, 0));
  return [...Array.from({ length: 3 }, () => 4 * random() - 2), ...turn.map((x) => x / length)];
});
const pairs = [["box:1,0.5,0.7", "cone:0.5,0.7"], ["sphere:0.8", "ellipsoid:1,0.5,0.3"], ["capsule:0.3,1", "cylinder:0.5,0.6"]];
const scenes = ["boxes:50", "hulls:20", "arch", "shapes:10", "biped", "balls:20"];
const questions = { poses, pairs, scenes };

// The native answers in the same words.
const expected = [];
for (const [a, b] of pairs) {
  const said = execFileSync(reference, [a, b], { encoding: "utf8", input: poses.map((pose) => pose.join(" ")).join("\n") });
  for (const row of said.trim().split("\n")) {
    const [outcome, ...numbers] = row.split(" ");
    expected.push([a, b, outcome, ...numbers.map(Number)].join(" "));
  }
}
const run = (...words) => execFileSync(tool, words, { encoding: "utf8" });
for (const scene of scenes) expected.push(`${scene} ${JSON.parse(run("simulate", scene, "--time", "0.5", "--json")).hash}`);

let bad = 0;
function compare(where, got) {
  const wrong = expected.map((line, i) => [line, got[i]]).filter(([line, other]) => line !== other);
  for (const [line, other] of wrong.slice(0, 5)) console.log(`${where}: expected ${line}, got ${other}`);
  console.log(`${where}: ${expected.length - wrong.length} of ${expected.length} answers with the bits of the native build`);
  bad += wrong.length;
}

const { answers } = await import(pathToFileURL(use));
const { load } = await import(pathToFileURL(join(folder, "node_modules/abut/index.js")));
compare(`Node.js ${process.versions.node}`, await answers(load, undefined, questions));

if (process.env.CHROMIUM) {
  const kinds = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
  writeFileSync(
    join(folder, "page.html"),
    `<!doctype html><script type="importmap">{"imports":{"abut":"./node_modules/abut/index.js"}}</script>
<script type="module">import { load } from "abut"; import { answers } from "./npm_use.mjs";
window.ask = (questions) => answers(load, undefined, questions);</script>`,
  );
  const server = createServer((request, response) => {
    const path = join(folder, normalize(new URL(request.url, "http://x").pathname));
    try {
      const bytes = readFileSync(path);
      response.writeHead(200, { "content-type": kinds[extname(path)] ?? "text/plain" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { chromium } = createRequire(join(web, "index.js"))("playwright-core");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
  await page.waitForFunction(() => "ask" in window);
  compare(`Chromium ${browser.version()}`, await page.evaluate((q) => window.ask(q), questions));
  await browser.close();
  server.close();
}
process.exit(bad ? 1 : 0);
