// SPDX-License-Identifier: Apache-2.0
// The view and the layout: what hides what, outlines, arrows and their scale, framing, walls, containers, keys, and a
// browser without WebGL.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { colorAt, countPixels, fact, openBrowser, openPage, seek, select, viewHash } from "./support.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

// Opens a page, gives it to `check`, and looks for errors.
function pageTest(title, name, check, size) {
  test(title, async () => {
    const { page, problems } = await openPage(browser.context, name, size);
    await check(page);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

const layer = (page, name) => page.locator(`[data-layer="${name}"] input`);
const corner = (page) => page.locator(".corner").first().textContent();
const clickAt = async (page, point) => {
  const [x, y] = await page.evaluate((p) => window.abut.stage.project(p), point);
  await page.locator(".stage canvas").first().click({ position: { x, y } });
  return page.locator("#selected-name").first().textContent();
};

pageTest("a contact under a box is hidden by it, and seen and picked with x-ray", "run.html", async (page) => {
  await layer(page, "forces").click();
  const hidden = await countPixels(page, 0x1f9e89);
  assert.equal(await clickAt(page, [0, 0, 0]), "box1");
  await page.keyboard.press("Escape");
  await layer(page, "xray").click();
  assert.ok((await countPixels(page, 0x1f9e89)) > hidden);
  assert.equal(await clickAt(page, [0, 0, 0]), "ground on box1");
});

pageTest("the body in front is picked, not the one behind it", "run.html", async (page) => {
  await page.keyboard.press("2"); // from the right: box4 hides box3 and box1
  await page.keyboard.press("f");
  assert.equal(await clickAt(page, [3.2, 0, 0.2]), "box4");
});

pageTest("the selected body has an outline, the others fade", "run.html", async (page) => {
  await layer(page, "forces").click();
  const own = await colorAt(page, [1, 0, 0.4]);
  assert.equal(await countPixels(page, 0xffc400, 20), 0);
  await select(page, { body: 1, contact: -1 });
  assert.ok((await countPixels(page, 0xffc400, 20)) > 40);
  const faded = await colorAt(page, [1, 0, 0.4]);
  const back = [0xf3, 0xf5, 0xf7];
  const far = (color) => Math.hypot(...color.map((x, k) => x - back[k]));
  assert.ok(far(faded) < 0.6 * far(own), `${own} and ${faded}`);
});

pageTest("hovering shows the name", "run.html", async (page) => {
  const [x, y] = await page.evaluate(() => window.abut.stage.project([0, 0, 0.4]));
  const box = await page.locator(".stage canvas").first().boundingBox();
  await page.mouse.move(box.x + x, box.y + y);
  await page.waitForFunction(() => document.querySelector(".hover").textContent === "box1");
  assert.ok(await page.locator(".hover").isVisible());
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.locator(".hover").waitFor({ state: "hidden" });
});

pageTest("arrows have a scale, a bounded length, and a side", "run.html", async (page) => {
  assert.match(await corner(page), /arrows: 10 N = \d+ cm/);
  for (let i = 0; i < 8; i++) await page.keyboard.press("+");
  assert.ok((await countPixels(page, 0xffffff, 4)) > 50, "a halo");
  await page.keyboard.press("f");
  const sign = () => page.evaluate(() => window.abut.stage.layers.actsOn(0));
  assert.equal(await sign(), 1, "on the box, which is above the ground");
  await page.getByLabel("Forces on").selectOption("below");
  assert.equal(await sign(), -1);
  await select(page, { body: 1, contact: -1 });
  assert.equal(await sign(), 1, "on the selected body");
  await page.getByLabel("Arrow length").fill("1");
  await page.waitForFunction(() => /9 shortened/.test(document.querySelector(".corner").textContent));
});

// All nine arrows begin under boxes that hide the polygons there.
for (const theme of ["light", "dark"])
  pageTest(`arrows are seen over the bodies, ${theme}`, "run.html", async (page) => {
    await page.emulateMedia({ colorScheme: theme });
    assert.ok((await countPixels(page, 0x2455c3, 20)) > 100);
    await layer(page, "forces").click();
    assert.equal(await countPixels(page, 0x2455c3, 20), 0);
  });

pageTest("of many contacts the strongest have arrows, all on request", "crowd.html", async (page) => {
  assert.match(await corner(page), /strongest 60 of 1000/);
  const few = await viewHash(page);
  await layer(page, "allArrows").click();
  assert.notEqual(await viewHash(page), few);
  await page.waitForFunction(() => !/strongest/.test(document.querySelector(".corner").textContent));
});

for (const name of ["crowd.html", "pile.html", "bin.html"])
  pageTest(`all bodies of ${name} are in the picture at the start and after Fit`, name, async (page) => {
    const outside = () =>
      page.evaluate(() => {
        const { page: data, stage, clock } = window.abut;
        const { clientWidth: w, clientHeight: h } = stage.canvas;
        return data.bodies.filter((body, b) => {
          if (body.kind === "static") return false;
          const [x, y] = stage.project(data.poseAt(clock.time, b).position);
          return !(x >= 0 && y >= 0 && x <= w && y <= h);
        }).length;
      });
    assert.equal(await outside(), 0);
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Show everything" }).click();
    assert.equal(await outside(), 0);
  });

pageTest("all of a motion with its ghost is in the picture, at every time", "sweep.html", async (page) => {
  const outside = () =>
    page.evaluate(() => {
      const { page: data, stage } = window.abut;
      const { clientWidth: w, clientHeight: h } = stage.canvas;
      const seen = ([x, y]) => x >= 0 && y >= 0 && x <= w && y <= h;
      const all = [...data.times].flatMap((t) => data.bodies.map((_, b) => data.poseAt(t, b).position));
      return all.filter((at) => !seen(stage.project(at))).length;
    });
  assert.equal(await outside(), 0);
  await page.keyboard.press("End");
  assert.equal(await outside(), 0);
});

pageTest("a slope is drawn, and no floor through it", "slope.html", async (page) => {
  assert.equal(await layer(page, "ground").isChecked(), false);
  await layer(page, "framing").click();
  const before = await viewHash(page);
  await layer(page, "walls").click();
  assert.notEqual(await viewHash(page), before);
});

pageTest("a bin is a ghost: what is in it is seen and picked", "bin.html", async (page) => {
  await seek(page, 1.5);
  assert.ok(await layer(page, "ghosts").isChecked());
  const at = await page.evaluate(() => {
    const { page: data, clock } = window.abut;
    const inside = (b) => data.bodies[b].kind !== "static" && data.poseAt(clock.time, b).position[2] < 0.3;
    return data.bodies
      .map((_, b) => b)
      .filter(inside)
      .map((b) => data.poseAt(clock.time, b).position)[0];
  });
  assert.match(await clickAt(page, at), /^box/);
  await page.keyboard.press("Escape");
  const seen = await viewHash(page);
  await layer(page, "ghosts").click();
  assert.notEqual(await viewHash(page), seen);
});

pageTest("an arch has a thrust line and pressure on its joints", "arch.html", async (page) => {
  await seek(page, 0.5);
  await layer(page, "forces").click();
  const lines = await countPixels(page, 0xd81b60, 20);
  await layer(page, "thrust").click();
  assert.ok((await countPixels(page, 0xd81b60, 20)) > lines + 100);
  await layer(page, "thrust").click();
  await layer(page, "xray").click();
  const plain = await viewHash(page);
  await layer(page, "pressures").click();
  assert.notEqual(await viewHash(page), plain);
});

pageTest("axes are drawn and turn with the camera", "run.html", async (page) => {
  const end = () => page.locator(".axis-x line").first().getAttribute("x2");
  const x = await end();
  await page.keyboard.press("a");
  await page.waitForFunction((was) => document.querySelector(".axis-x line").getAttribute("x2") !== was, x);
});

// ---- two runs -------------------------------------------------------------------------------------------------------

pageTest("two runs play on one clock, with charts and cameras in common", "two.html", async (page) => {
  assert.equal(await page.locator(".stage").count(), 2);
  const x = (run) => page.evaluate((i) => window.abut.stages[i].bodies.object(1).position.x, run);
  await seek(page, 0.25);
  assert.ok(Math.abs((await x(0)) - 0.1) < 1e-4 && Math.abs((await x(1)) - 0.1) < 1e-4);
  await seek(page, 1.25); // the second has ended at 1 s
  assert.ok(Math.abs((await x(0)) - 0.1) < 1e-4 && Math.abs(await x(1)) < 1e-4);
  const legend = await page.locator('[data-plot="Ground force"] .legend').textContent();
  assert.match(legend, /Three: z 63\.75.*Four: z 84\.00/);
  const sides = await page.evaluate(() => window.abut.stages.map((s) => s.canvas.getBoundingClientRect().left));
  assert.ok(sides[1] > sides[0] + 300, "side by side");
  await page.locator(".stage canvas").first().focus();
  await page.keyboard.press("2");
  const eyes = await page.evaluate(() =>
    window.abut.stages.map(({ eye }) => eye.camera.position.clone().sub(eye.controls.target).normalize().x),
  );
  assert.ok(
    eyes.every((e) => e > 0.99),
    `${eyes}`,
  );
  await layer(page, "forces").click();
  assert.deepEqual(await page.evaluate(() => window.abut.stages.map((s) => s.layers.shown.forces)), [false, false]);
});

// ---- layout ---------------------------------------------------------------------------------------------------------

pageTest("view, layers and charts are usable together", "pile.html", async (page) => {
  const places = () =>
    page.evaluate(() => {
      const box = (q) => document.querySelector(q).getBoundingClientRect();
      return { view: box(".view").toJSON(), plot: box(".plots .plot").toJSON(), side: box("aside").toJSON() };
    });
  const { view, plot, side } = await places();
  assert.ok(view.bottom < plot.top + 1 && plot.top < 800 - 150, "a chart is in the window");
  assert.ok(side.bottom <= 801, "the panels end with the window");
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const after = await places();
  assert.ok(after.view.top >= 0 && after.view.bottom < 620, "the view stays");
  const own = await page.evaluate(() => {
    const aside = document.querySelector("aside");
    aside.scrollTop = 1e6;
    return aside.scrollTop;
  });
  assert.ok(own > 0, "the panels scroll by themselves");
});

pageTest("a page without charts is no taller than the window", "modes.html", async (page) => {
  assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) <= 800);
});

pageTest("keys: Space plays from anywhere, lists are one stop, the camera turns", "run.html", async (page) => {
  const playing = () => page.evaluate(() => window.abut.clock.playing);
  await page.evaluate(() => window.abut.clock.setSpeed(0.05));
  await layer(page, "edges").focus();
  await page.keyboard.press("Space");
  assert.equal(await playing(), true);
  assert.ok(await layer(page, "edges").isChecked(), "the box kept its state");
  await page.keyboard.press("Enter");
  assert.equal(await layer(page, "edges").isChecked(), false);
  await page.getByRole("button", { name: "One frame on" }).focus();
  await page.keyboard.press("Space");
  assert.equal(await playing(), false);
  assert.equal(await page.locator('.checks input[tabindex="0"]').count(), 1);
  await layer(page, "polygons").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.closest("[data-layer]").dataset.layer), "forces");
  const eye = () => page.evaluate(() => window.abut.stage.eye.camera.position.toArray());
  const start = await eye();
  await page.locator(".stage canvas").first().focus();
  await page.keyboard.press("w");
  const above = await eye();
  assert.ok(above[2] > start[2]);
  await page.keyboard.press("+");
  assert.ok((await eye())[2] < above[2]);
  await page.getByRole("button", { name: "Keys, mouse and touch" }).click();
  assert.match(await page.locator("dialog").textContent(), /Mouse.*Wheel.*Touch.*Two fingers/);
});

test("without WebGL numbers and charts work", async () => {
  const page = await browser.context.newPage();
  await page.addInitScript(() => {
    const plain = window.HTMLCanvasElement.prototype.getContext;
    window.HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : plain.call(this, kind, ...rest);
    };
  });
  const { problems } = await openPage(browser.context, "run.html", undefined, page);
  assert.match(await page.locator(".no-view").textContent(), /no WebGL/);
  await page.getByLabel("Body", { exact: true }).selectOption("7");
  await seek(page, 0.25);
  assert.equal(await fact(page, "Position"), "(2.1000, 1.0000, 0.1999)\u2009m");
  assert.ok(await page.locator('[data-plot="Energy"] canvas').isVisible());
  assert.deepEqual(problems, []);
  await page.close();
});

pageTest("what a body sweeps is drawn as copies along its way", "sweep.html", async (page) => {
  const swept = await viewHash(page);
  const copies = await page.evaluate(() => {
    let count = 0;
    window.abut.stage.extras.traverse((object) => (count += object.material?.opacity === 0.08 ? 1 : 0));
    return count;
  });
  assert.equal(copies, 16, "of B; A stands still");
  await layer(page, "swept").click();
  assert.notEqual(await viewHash(page), swept);
});

pageTest("the minima are marked in the chart of the distance", "sweep.html", async (page) => {
  const chart = page.locator('[data-plot="Distance"] .chart');
  await chart.scrollIntoViewIfNeeded();
  assert.equal(await chart.getAttribute("data-marks"), "1");
  const [column, height] = await chart.locator("canvas").evaluate((canvas) => {
    const { width, height: rows } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, rows);
    const counts = new Array(width).fill(0);
    for (let i = 0; i < width * rows; i++)
      if (data[4 * i] === 0x24 && data[4 * i + 1] === 0x55 && data[4 * i + 2] === 0xc3) counts[i % width] += 1;
    const most = Math.max(...counts);
    return [counts.indexOf(most) / width, most / window.devicePixelRatio];
  });
  assert.ok(height >= 8, "a dot, which is higher than the line");
  assert.ok(column > 0.45 && column < 0.65, "at the middle of the times");
});

pageTest("the direction on the sphere is that of the time shown", "sweep.html", async (page) => {
  const said = () => page.locator('[data-direction="now"]').textContent();
  await seek(page, 1);
  assert.match(await said(), /direction 1\.00, 0, 0/);
  await seek(page, 2);
  assert.match(await said(), /direction 0\.832, 0\.555, 0/);
  const dot = page.locator(".sphere-dot");
  const at = await dot.getAttribute("cx");
  await seek(page, 0);
  assert.notEqual(await dot.getAttribute("cx"), at);
});

pageTest("a shape that is only drawn is in the picture, and round", "visual.html", async (page) => {
  const [red, green, blue] = await colorAt(page, [0, 0, 1.2]);
  assert.ok(red > green + 60 && red > blue + 60, `${red} ${green} ${blue}`);
  const sides = await page.evaluate(() => window.abut.page.meshes.map((mesh) => mesh.vertices.length / 3));
  assert.ok(Math.max(...sides) > 500);
});
