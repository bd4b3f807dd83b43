// SPDX-License-Identifier: Apache-2.0
// The replay: playing, scrubbing, numbers at a time, layers, keys, picking, exports.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { colorAt, countPixels, fact, openBrowser, openPage, seek, select, viewHash } from "./support.mjs";

let browser, page, problems;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());
beforeEach(async () => {
  ({ page, problems } = await openPage(browser.context, "run.html"));
});
afterEach(async () => {
  assert.deepEqual(problems, []);
  await page.close();
});

const state = () =>
  page.evaluate(() => ({ ...window.abut.clock, page: null, listeners: null, frame: window.abut.clock.frame }));

test("plays, pauses and steps with buttons and keys", async () => {
  const speed = (value) => page.evaluate((x) => window.abut.clock.setSpeed(x), value);
  await speed(0.1); // a slow machine must not reach the end before the pause
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.abut.clock.time > 0.1);
  await page.getByRole("button", { name: "Pause" }).click();
  const { frame, playing } = await state();
  assert.equal(playing, false);
  await speed(1);
  await page.getByRole("button", { name: "One frame on" }).click();
  assert.equal((await state()).frame, frame + 1);
  await page.locator("canvas").first().focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal((await state()).frame, frame);
  await page.keyboard.press("End");
  assert.equal((await state()).frame, 120);
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal((await state()).frame, 10);
  await page.keyboard.press("ArrowDown");
  assert.equal((await state()).speed, 0.5);
  await page.keyboard.press("Space");
  assert.equal((await state()).playing, true);
});

test("scrubs to a time and shows the numbers there", async () => {
  await page.getByRole("slider", { name: "Time" }).fill("0.25");
  await select(page, { body: 7, contact: -1 });
  // Box b stands at ((b-1) % 4 + 0.1 sin 2 pi t, (b-1) / 4, 0.1999).
  assert.equal(await fact(page, "Position"), "(2.1000, 1.0000, 0.1999)\u2009m");
  assert.match(await fact(page, "Mass"), /^2\.000/);
  assert.equal(await fact(page, "Contact force"), "(-3.00, 0.00, 20.25)\u2009N");
  assert.equal(await page.locator("#now").textContent(), "0.250\u2009s / 2.000\u2009s");
  await seek(page, 0);
  assert.equal(await fact(page, "Position"), "(2.0000, 1.0000, 0.1999)\u2009m");
  assert.match(await fact(page, "Speed"), /^0\.628/);
});

test("a contact has its numbers, now and over time", async () => {
  await seek(page, 1);
  const contact = await page.evaluate(() => window.abut.page.contacts.range(window.abut.clock.frame)[0] + 2);
  await select(page, { body: -1, contact });
  assert.equal(await page.locator("#selected-name").textContent(), "ground on box3");
  assert.equal(await fact(page, "State"), "slips");
  assert.match(await fact(page, "Normal force"), /^21\.00/);
  assert.match(await fact(page, "Friction"), /^3\.000/);
  assert.match(await fact(page, "Area"), /^0\.1600/);
  await seek(page, 2);
  assert.match(await fact(page, "Normal force"), /^22\.00/);
  assert.ok(await page.locator('[data-plot="History"] canvas').isVisible());
});

test("a click in the view picks the body in front of a contact", async () => {
  const [x, y] = await page.evaluate(() => window.abut.stage.project([0, 0, 0.4]));
  await page.locator(".stage canvas").click({ position: { x, y } });
  assert.equal(await page.locator("#selected-name").textContent(), "box1");
  await page.getByLabel("Follow this body").check();
  await seek(page, 0.25);
  assert.equal(await page.evaluate(() => window.abut.stage.follow), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#selected-name").textContent(), "Nothing selected");
});

test("every layer can be turned off and on", async () => {
  await page.locator('[data-layer="framing"] input').click();
  const names = await page.locator("[data-layer]").evaluateAll((all) => all.map((e) => e.dataset.layer));
  assert.ok(names.length >= 10);
  const before = await viewHash(page);
  const unseen = ["torques", "names"]; // torques are zero here, names lie over the picture
  for (const name of names.filter((n) => n !== "framing")) {
    await page.locator(`[data-layer="${name}"] input`).click();
    const changed = (await viewHash(page)) !== before;
    assert.equal(changed, !unseen.includes(name), name);
    await page.locator(`[data-layer="${name}"] input`).click();
    assert.equal(await viewHash(page), before, `${name} and back`);
  }
});

test("contacts are colored by sticking and slipping, bodies by what is chosen", async () => {
  assert.ok((await countPixels(page, 0x2455c3, 30)) > 50, "forces are blue");
  await page.locator('[data-layer="forces"] input').click();
  const orange = await colorAt(page, [0, 0, 0.4]);
  assert.ok(orange[0] > orange[1] && orange[1] > orange[2], `${orange} is the color of box1`);
  await seek(page, 2);
  const mode = page.getByLabel("Color by");
  const seen = [orange.join()];
  for (const value of ["speed", "sleeping", "island"]) {
    await mode.selectOption(value);
    seen.push((await colorAt(page, [0, 0, 0.4])).join());
  }
  assert.equal(new Set(seen).size, 4, seen.join(" / "));
});

test("saves tables and pictures", async () => {
  const download = async (click) => {
    const [file] = await Promise.all([page.waitForEvent("download"), click()]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const table = await download(() => page.locator("#save-csv").click());
  assert.equal(table.name, "sliding-boxes.csv");
  const rows = table.bytes.toString().trimEnd().split("\r\n");
  assert.equal(rows.length, 122);
  const head = rows[0].split(",");
  const row = rows[61].split(",").map(Number);
  assert.equal(head[0], "time [s]");
  assert.equal(row[0], 1);
  assert.equal(row[head.indexOf("Energy: total [J]")], 10);
  assert.ok(Math.abs(row[head.indexOf("Ground force: z [N]")] - 9 * 21) < 0.01);
  const chart = page.locator('[data-plot="Energy"]');
  const one = await download(() => chart.getByRole("button", { name: "table" }).click());
  assert.match(one.bytes.toString(), /^time \[s\],kinetic \[J\],potential \[J\],total \[J\]\r\n0,0,0,0\r\n/);
  const png = [0x89, 0x50, 0x4e, 0x47];
  const picture = await download(() => chart.getByRole("button", { name: "picture" }).click());
  assert.deepEqual([...picture.bytes.subarray(0, 4)], png);
  const view = await download(() => page.getByRole("button", { name: "Save the picture as PNG" }).click());
  assert.deepEqual([...view.bytes.subarray(0, 4)], png);
});

test("charts show the time, values, and take a click", async () => {
  await seek(page, 0.5);
  const chart = page.locator('[data-plot="Energy"]');
  assert.match(await chart.locator(".legend").textContent(), /total 5\.000/);
  const over = chart.locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await over.click({ position: { x: box.width / 2, y: box.height / 2 } });
  assert.ok(Math.abs((await state()).time - 1) < 0.05);
  assert.match(
    await chart.getByRole("img").getAttribute("aria-label"),
    /^Energy at .* s: kinetic .*, potential .*, total /,
  );
});

test("every control has a name", async () => {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, canvas[tabindex]")]
      .filter((e) => !(e.getAttribute("aria-label") || e.closest("label")?.textContent || e.textContent))
      .map((e) => e.outerHTML),
  );
  assert.deepEqual(nameless, []);
});
