// SPDX-License-Identifier: Apache-2.0
// Opens pages in Chromium from file:// and watches for errors and requests.
import { chromium } from "playwright-core";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const pages = process.env.ABUT_PAGES ?? "";

const args = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-unsafe-swiftshader",
];

function findChromium() {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env.PATH ?? "").split(":");
  const all = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return process.env.CHROMIUM ?? all.find((path) => existsSync(path));
}

export async function openBrowser(options = {}) {
  const folder = mkdtempSync(join(tmpdir(), "abut-web-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findChromium(),
    headless: true,
    args,
    acceptDownloads: true,
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, close };
}

// A page that is ready; `problems` collects console errors, exceptions and requests for anything but the file itself.
export async function openPage(context, name, size, made) {
  const page = made ?? (await context.newPage());
  if (size) {
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: "reduce" }); // a large view is drawn slowly without a graphics card
  }
  const [file, mark] = name.split("#");
  const url = pathToFileURL(join(pages, file)).href + (mark ? `#${mark}` : "");
  const problems = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    const to = request.url();
    if (to !== url.split("#")[0] && !to.startsWith("blob:") && !to.startsWith("data:")) problems.push(`request: ${to}`);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]", { timeout: 60000 });
  return { page, problems };
}

// Draws now and gives the color [r, g, b] of the view where a point of the world is seen.
export function colorAt(page, point) {
  return page.evaluate((p) => {
    const { stage } = window.abut;
    stage.update();
    stage.drawIfNeeded();
    const [x, y] = stage.project(p);
    const copy = document.createElement("canvas");
    copy.width = copy.height = 1;
    const scale = stage.canvas.width / stage.canvas.clientWidth;
    const context = copy.getContext("2d");
    context.drawImage(stage.canvas, Math.round(x * scale), Math.round(y * scale), 1, 1, 0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }, point);
}

// How many pixels of the view are within `reach` of a color 0xrrggbb; without a color: how many different colors.
export function countPixels(page, color, reach = 40) {
  return page.evaluate(
    ([wanted, near]) => {
      const { stage } = window.abut;
      stage.update();
      stage.drawIfNeeded();
      const copy = document.createElement("canvas");
      copy.width = stage.canvas.width;
      copy.height = stage.canvas.height;
      const context = copy.getContext("2d");
      context.drawImage(stage.canvas, 0, 0);
      const data = context.getImageData(0, 0, copy.width, copy.height).data;
      const seen = new Set();
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        const value = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
        seen.add(value);
        if (wanted === null) continue;
        const d = [16, 8, 0].map((s, k) => Math.abs(data[i + k] - ((wanted >> s) & 255)));
        if (Math.max(...d) <= near) count++;
      }
      return wanted === null ? seen.size : count;
    },
    [color ?? null, reach],
  );
}

// The view as one number, to see whether it changed.
export function viewHash(page) {
  return page.evaluate(() => {
    const { stage } = window.abut;
    stage.update();
    stage.drawIfNeeded();
    const text = stage.canvas.toDataURL();
    let hash = 0;
    for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
    return hash;
  });
}

export function fact(page, label) {
  return page.evaluate((wanted) => {
    const term = [...document.querySelectorAll("dt")].find((dt) => dt.textContent === wanted);
    return term?.nextElementSibling?.textContent ?? null;
  }, label);
}

export const seek = (page, time) => page.evaluate((t) => window.abut.clock.seek(t), time);
export const select = (page, picked) => page.evaluate((p) => window.abut.select(p), picked);
