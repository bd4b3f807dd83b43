// SPDX-License-Identifier: Apache-2.0
// Crawls the built site in the browser: every link leads somewhere, no page is wider than a telephone, the search finds given terms.
// Usage: node site.mjs FOLDER (scripts/test-site)
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import process from "node:process";
import { URL } from "node:url";
import { openBrowser } from "./support.mjs";

const [folder] = process.argv.slice(2);
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".gif": "image/gif",
};
const terms = [
  "penetration",
  "clearance",
  "restitution",
  "quaternion",
  "abut_distance",
  "certify",
  "warm start",
  "contact modes",
  "URDF",
  "sweep",
];
const width = 390;
const faults = [];

const fileOf = (path) => {
  const file = join(folder, normalize(decodeURIComponent(path)));
  return existsSync(file) && statSync(file).isDirectory() ? join(file, "index.html") : file;
};

const server = createServer((request, response) => {
  const file = fileOf(new URL(request.url, "http://localhost").pathname);
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
  return createReadStream(file).pipe(response);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const home = `http://127.0.0.1:${server.address().port}/`;

const { context, close } = await openBrowser({ viewport: { width, height: 844 } });
const page = await context.newPage();
page.on("requestfailed", (request) => {
  if (!request.url().startsWith(home)) faults.push(`${page.url()}: asks for ${request.url()}`);
});
page.on("response", (response) => {
  if (response.status() >= 400) faults.push(`${page.url()}: ${response.url()} answers ${response.status()}`);
});

// The links of a page with their anchors, its own anchors, and how wide it is.
async function look(url) {
  await page.goto(url, { waitUntil: "load" });
  return page.evaluate(() => ({
    links: [...document.querySelectorAll("a[href]")].map((a) => a.href),
    anchors: [...document.querySelectorAll("[id]")].map((e) => e.id),
    wide: document.documentElement.scrollWidth,
    broken: [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src),
  }));
}

const seen = new Map();
const wanted = [];
const queue = [home];
while (queue.length > 0) {
  const url = queue.pop();
  if (seen.has(url)) continue;
  const { links, anchors, wide, broken } = await look(url);
  seen.set(url, new Set(anchors));
  const name = url.slice(home.length) || "index.html";
  if (wide > width) faults.push(`${name}: ${wide} px wide at ${width} px`);
  for (const source of broken) faults.push(`${name}: the picture ${source} is broken`);
  for (const link of links) {
    if (!link.startsWith(home)) {
      if (!link.startsWith("https:")) faults.push(`${name}: expected a link of the site or https, got ${link}`);
      continue;
    }
    const [path, anchor] = link.split("#");
    if (!existsSync(fileOf(path.slice(home.length)))) faults.push(`${name}: dead link ${path.slice(home.length)}`);
    else if (/(\/|\.html)$/.test(path) && !path.includes("/files/")) {
      queue.push(path);
      if (anchor) wanted.push([name, path, decodeURIComponent(anchor)]);
    }
  }
}
for (const [name, path, anchor] of wanted) {
  if (!anchor.startsWith("__") && !seen.get(path)?.has(anchor))
    faults.push(`${name}: no anchor ${path.slice(home.length)}#${anchor}`);
}

await page.setViewportSize({ width: 1280, height: 800 });
for (const term of terms) {
  await page.goto(`${home}index.html?q=${encodeURIComponent(term)}`);
  const found = page.locator(".md-search-result__item").first();
  await found
    .waitFor({ state: "attached", timeout: 15000 })
    .catch(() => faults.push(`the search does not find '${term}'`));
}

await close();
server.close();
for (const fault of faults) console.log(fault);
console.log(`${seen.size} pages, ${wanted.length} anchors, ${terms.length} terms searched, ${faults.length} faults`);
process.exit(faults.length > 0 || seen.size < 80 ? 1 : 0);
