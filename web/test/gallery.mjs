// SPDX-License-Identifier: Apache-2.0
// Pictures of pages for docs/gallery.md. Usage: node gallery.mjs FOLDER, with the pages in $ABUT_PAGES (scripts/gallery).
import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { smallPng } from "./small_png.mjs";
import { openBrowser, openPage, seek } from "./support.mjs";

const [folder] = process.argv.slice(2);
const switches = (...names) => ({ switches: names });

// Time as a part of the run; layers to switch; what else to do.
const shots = {
  boxes: { time: 0.3, dark: false, ...switches("velocities") },
  arch: { time: 1, dark: true, ...switches("thrust", "pressures", "xray") },
  bin: { time: 1, dark: false },
  slope: { time: 0.6, dark: true },
  wall: { time: 1, dark: false, body: 30 },
  two: { time: 0.6, dark: false },
  nut: { time: 1, dark: false },
  peg: { time: 0.35, dark: true },
  gears: { time: 1, dark: false },
  chain: { time: 1, dark: true },
  mugs: { time: 1, dark: false },
  rings: { time: 1, dark: true },
  modes: { time: 0, dark: false, mode: "tips about" },
  distance: { time: 0, dark: true },
  overlap: { time: 0, dark: false },
  clearance: { time: 0.5, dark: false },
};

// The picture as a far smaller file.
async function smaller(context, png) {
  const page = await context.newPage();
  const { width, height, base64 } = await page.evaluate(async (text) => {
    const picture = new window.Image();
    picture.src = `data:image/png;base64,${text}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const to = canvas.getContext("2d");
    to.drawImage(picture, 0, 0);
    const { data } = to.getImageData(0, 0, canvas.width, canvas.height);
    let binary = "";
    for (let i = 0; i < data.length; i += 32768) binary += String.fromCharCode(...data.subarray(i, i + 32768));
    return { width: canvas.width, height: canvas.height, base64: window.btoa(binary) };
  }, png.toString("base64"));
  await page.close();
  return smallPng(width, height, Buffer.from(base64, "base64"));
}

async function take(context, name, shot) {
  const made = await context.newPage();
  await made.emulateMedia({ colorScheme: shot.dark ? "dark" : "light", reducedMotion: "reduce" });
  const { page, problems } = await openPage(context, `${name}.html`, { width: 980, height: 620 }, made);
  const [from, to] = await page.evaluate(() => [window.abut.clock.start, window.abut.clock.end]);
  await seek(page, from + shot.time * (to - from));
  for (const layer of shot.switches ?? []) await page.locator(`[data-layer="${layer}"] input`).click();
  if (shot.body) await page.getByLabel("Body", { exact: true }).selectOption(String(shot.body));
  if (shot.mode) await page.locator("[data-mode]", { hasText: shot.mode }).first().click();
  await page.evaluate(() => document.activeElement?.blur());
  await page.mouse.move(2, 2);
  await page.waitForTimeout(500);
  writeFileSync(join(folder, `${name}.png`), await smaller(context, await page.screenshot()));
  if (problems.length > 0) throw new Error(`${name}: ${problems.join("; ")}`);
  await page.close();
}

const { context, close } = await openBrowser();
for (const [name, shot] of Object.entries(shots)) await take(context, name, shot);
await close();
