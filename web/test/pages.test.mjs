// SPDX-License-Identifier: Apache-2.0
// Every page: loads alone, shows something, fits three sizes, in light and dark.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { colorAt, countPixels, fact, openBrowser, openPage, pages, seek, select } from "./support.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const names = readdirSync(pages).filter((name) => name.endsWith(".html"));

test("there are pages of every kind", () => {
  const results = ["distance", "modes", "overlap", "sweep", "visual"];
  const runs = ["arch", "arm", "bin", "coming", "crowd", "free", "names", "one", "peak", "pile", "run", "slope", "two"];
  const kinds = [...results, ...runs].sort();
  assert.deepEqual(
    names.map((name) => name.replace(".html", "")).filter((name) => name !== "play"), // where the build has it
    kinds,
  );
});

for (const name of names)
  test(`${name} loads without errors or requests, and is not blank`, async () => {
    const { page, problems } = await openPage(browser.context, name);
    assert.ok((await countPixels(page)) > 50);
    assert.equal(await page.locator(".failure").count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
  { width: 3840, height: 2160 },
];
for (const size of sizes)
  for (const name of ["pile.html", "modes.html", "names.html"])
    test(`${name} fits ${size.width} pixels`, async () => {
      const { page, problems } = await openPage(browser.context, name, size);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      const cut = await page.evaluate(() => {
        const shown = [...document.querySelectorAll("button, select, input")].filter((e) => e.checkVisibility());
        return shown.filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1).length;
      });
      assert.equal(cut, 0, "controls outside of the window");
      assert.deepEqual(problems, []);
      await page.close();
    });

test("light and dark follow the system and the button", async () => {
  const { page } = await openPage(browser.context, "run.html");
  const ground = () => page.evaluate(() => window.getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForSelector('html[data-theme="dark"]');
  const dark = await ground();
  assert.notEqual(light, dark);
  await page.getByRole("button", { name: "Light or dark" }).click();
  assert.equal(await ground(), light);
  await page.close();
});

test("fifty boxes for ten seconds stay under 3 MB, with all frames, and show the numbers of the log", async () => {
  assert.ok(statSync(join(pages, "pile.html")).size < 3_000_000);
  const { page } = await openPage(browser.context, "pile.html");
  const told = JSON.parse(await page.evaluate(() => JSON.stringify(window.abut.page.stride)));
  assert.equal(told, 1);
  const { default: expected } = await import(join(pages, "pile.json"), { with: { type: "json" } });
  for (const row of expected) {
    await seek(page, row.time);
    await select(page, { body: row.body, contact: -1 });
    const numbers = (await fact(page, "Position")).match(/-?[\d.]+/g).map(Number);
    row.position.forEach((x, k) => assert.ok(Math.abs(x - numbers[k]) < 1e-4, `${x} and ${numbers[k]}`));
    const count = await page.evaluate(() => {
      const [begin, end] = window.abut.page.contacts.range(window.abut.clock.frame);
      return end - begin;
    });
    assert.equal(count, row.contacts);
    const force = await page.evaluate(
      () =>
        window.abut.page.series.find((s) => s.group === "Ground force" && s.name === "z").values[
          window.abut.clock.frame
        ],
    );
    assert.ok(Math.abs(force - row.ground) < 1e-3 * Math.abs(row.ground) + 1e-6, `${force} and ${row.ground}`);
  }
  await page.close();
});

test("a page that keeps few frames says so, and its charts keep a peak of one step", async () => {
  const { page } = await openPage(browser.context, "peak.html");
  const kept = await page.evaluate(() => [window.abut.page.stride, window.abut.page.seriesTimes.length]);
  assert.ok(kept[0] > 1);
  assert.equal(kept[1], 2001);
  const largest = await page.evaluate(() =>
    Math.max(...window.abut.page.series.find((s) => s.group === "Ground force" && s.name === "z").values),
  );
  assert.ok(Math.abs(largest - 4000) < 1, `${largest}`);
  assert.match(await page.locator(".corner").textContent(), new RegExp(`1 of ${kept[0]} frames`));
  await select(page, { body: 1, contact: -1 });
  assert.match(await page.locator(".selection .plot").textContent(), new RegExp(`From 1 of ${kept[0]} frames`));
  await page.close();
});

test("names are text, never markup", async () => {
  const { page, problems } = await openPage(browser.context, "names.html");
  const name = "<img src=x onerror=\"document.title='broken'\">";
  const title = "</script><script>document.title='broken'</script>";
  await select(page, { body: 1, contact: -1 });
  assert.equal(await page.locator("#selected-name").textContent(), name);
  assert.equal(await page.locator("h1").textContent(), title);
  assert.equal(await page.title(), title);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.locator("option").allTextContents()).includes(name));
  assert.deepEqual(problems, []);
  await page.close();
});

test("a page of a thousand bodies plays, with few calls to the graphics card", async () => {
  const { page, problems } = await openPage(browser.context, "crowd.html");
  assert.equal(await page.evaluate(() => window.abut.page.bodies.length), 1001);
  assert.ok((await page.evaluate(() => window.abut.stage.drawCalls)) < 30);
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.abut.clock.time > 0.1);
  assert.deepEqual(problems, []);
  await page.close();
});

test("a run of one frame has nothing to play", async () => {
  const { page } = await openPage(browser.context, "one.html");
  assert.equal(await page.locator(".transport").count(), 0);
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => window.abut.clock.playing), false);
  await page.close();
});

test("a run without contacts offers no contact layers", async () => {
  const { page } = await openPage(browser.context, "free.html");
  assert.equal(await page.locator('[data-layer="forces"]').count(), 0);
  await select(page, { body: 2, contact: -1 });
  assert.equal(await fact(page, "Contact force"), null);
  await page.close();
});

test("bodies come and go, and contacts may name no body", async () => {
  const { page, problems } = await openPage(browser.context, "coming.html");
  const shown = () => page.evaluate(() => [0, 1, 2, 3].map((b) => window.abut.stage.bodies.object(b).visible));
  const at = async (time) => {
    await seek(page, time);
    return shown();
  };
  assert.deepEqual(await at(0.25), [true, true, false, true]);
  assert.deepEqual(await at(0.75), [true, true, true, true]);
  assert.deepEqual(await at(1.5), [true, false, true, true]);
  await select(page, { body: 1, contact: -1 });
  assert.equal(await fact(page, "State"), "not there at this time");
  assert.equal(await fact(page, "Position"), null);
  await seek(page, 0.75);
  assert.equal(await fact(page, "Position"), "(-0.1000, 0.0000, 0.1999)\u2009m");
  // The ground carries all three boxes all the time.
  const force = () =>
    page.evaluate(
      () =>
        window.abut.page.series.find((s) => s.group === "Ground force" && s.name === "z").values[
          window.abut.clock.frame
        ],
    );
  await seek(page, 1.5);
  assert.ok(Math.abs((await force()) - 3 * 21.5) < 0.05);
  const unknown = await page.evaluate(() => {
    const [begin, end] = window.abut.page.contacts.range(window.abut.clock.frame);
    for (let i = begin; i < end; i++) if (window.abut.page.contacts.bodyB(i) < 0) return i;
    return -1;
  });
  await select(page, { body: -1, contact: unknown });
  assert.equal(await page.locator("#selected-name").textContent(), "ground on an unknown body");
  for (const layer of ["overlaps", "velocities", "pressures"])
    await page.locator(`[data-layer="${layer}"] input`).click();
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.abut.clock.time > 1.7);
  assert.deepEqual(problems, []);
  await page.close();
});

test("a body that is gone cannot be picked", async () => {
  const { page } = await openPage(browser.context, "coming.html");
  for (const layer of ["polygons", "forces"]) await page.locator(`[data-layer="${layer}"] input`).click();
  const pick = async (time) => {
    await seek(page, time);
    const [x, y] = await page.evaluate(() => window.abut.stage.project([0, 0, 0.4]));
    await page.locator(".stage canvas").click({ position: { x, y } });
    return page.locator("#selected-name").textContent();
  };
  assert.equal(await pick(0.5), "box1");
  assert.notEqual(await pick(1.5), "box1");
  await page.close();
});

test("distance shows its number and witness points", async () => {
  const { page } = await openPage(browser.context, "distance.html");
  assert.match(await fact(page, "Distance"), /^0\.500000/);
  const [r, g, b] = await colorAt(page, [0.5, 0.1, 0.2]);
  assert.ok(b > 150 && b > r && b > g, `${r} ${g} ${b} is blue`);
  const [r2, , b2] = await colorAt(page, [1.0, 0.1, 0.17]);
  assert.ok(r2 > b2, "the point on B is red");
  await page.locator('[data-layer="witness"] input').click();
  const [, , b3] = await colorAt(page, [0.5, 0.1, 0.2]);
  assert.ok(b3 < b, "hidden on request");
  await page.close();
});

test("overlap shows its volume and its polyhedron", async () => {
  const { page } = await openPage(browser.context, "overlap.html");
  assert.match(await fact(page, "Volume"), /^0\.03310/);
  const [r, g, b] = await colorAt(page, [0.45, 0.05, 0.1]);
  assert.ok(r > 2 * g && r > b, `${r} ${g} ${b} is the color of the overlap`);
  await page.close();
});

test("contact modes can be chosen and move the body", async () => {
  const { page, problems } = await openPage(browser.context, "modes.html");
  assert.match(await page.locator(".modes h2").textContent(), /^\d+ contact modes$/);
  const count = await page.evaluate(() => window.abut.page.panels[0].texts.length);
  assert.equal(await page.locator(".lattice circle").count(), count);
  // One corner stays and sticks, or some contact separates: found by its text.
  const separating = page.locator("[data-mode]", { hasText: /^\+\+\+\+/ });
  await separating.first().click();
  assert.deepEqual(
    await page.locator(".states li").allTextContents(),
    [1, 2, 3, 4].map((i) => `contact ${i} separates`),
  );
  assert.ok((await countPixels(page, 0x7b3fb5)) > 30, "purple arrows");
  const height = () => page.evaluate(() => window.abut.stage.bodies.object(1).position.z);
  await page.waitForFunction(() => window.abut.stage.bodies.object(1).position.z > 0.3);
  await page.locator('[data-layer="move"] input').click();
  assert.equal(await height(), 0.25);
  await page
    .locator("[data-mode]", { hasText: /^0000[-+0]*slides/ })
    .first()
    .click();
  assert.match(await page.locator("#movement").textContent(), /^slides along/);
  assert.ok((await countPixels(page, 0xf2b705)) > 30, "yellow arrows");
  assert.ok((await page.locator(".feasible").count()) > 0);
  assert.deepEqual(await page.locator(".labels span").allTextContents(), ["1", "2", "3", "4"]);
  const heads = await page.locator(".mode-list summary").allTextContents();
  assert.match(heads[0], /^All contacts stay: \d+ modes$/);
  assert.ok(heads.some((head) => /^1, 2 stay; 3, 4 separate: \d+ modes$/.test(head)));
  await page
    .locator("[data-mode]", { hasText: /^00\+\+.*tips about the front edge/ })
    .first()
    .click();
  assert.match(await page.locator("#movement").textContent(), /tips about the front edge \(contacts 1, 2\)/);
  assert.equal(await page.locator('.mode-list button[tabindex="0"]').count(), 1);
  assert.deepEqual(problems, []);
  await page.close();
});
