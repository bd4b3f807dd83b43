// SPDX-License-Identifier: Apache-2.0
// Pages that the tool writes: titles, charts, ends of motions, pieces, and the page of reproduced papers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { countPixels, fact, openBrowser, openPage, pages, seek } from "./support.mjs";

const folder = join(resolve(pages), "tool");
const tool = (...words) => execFileSync(process.env.ABUT_TOOL, words, { cwd: folder, stdio: "pipe" });
const phone = { width: 390, height: 844 };

let browser;
before(async () => {
  mkdirSync(join(folder, "x"), { recursive: true });
  mkdirSync(join(folder, "y"), { recursive: true });
  tool("make", "torus", "-t", "300", "-o", "torus.stl");
  tool("make", "box", "-o", "box.obj");
  browser = await openBrowser();
});
after(() => browser.close());

// Opens a page of the tool and gives it to `check`; texts that charts draw are kept in window.drawn.
async function open(name, check, size) {
  const page = await browser.context.newPage();
  await page.addInitScript(() => {
    window.drawn = [];
    const plain = window.CanvasRenderingContext2D.prototype.fillText;
    window.CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      window.drawn.push(text);
      plain.call(this, text, ...rest);
    };
  });
  const { problems } = await openPage(browser.context, join("tool", name), size, page);
  await check(page);
  assert.deepEqual(problems, []);
  await page.close();
}

const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
const heading = (page) => page.locator("h1").textContent();

test("a plan reaches both ends of its motion, and the chart of a pair has its name", async () => {
  tool("plan", "arm6", "--goal", "shoulder=1", "--html", "plan.html", "-o", "plan.npz", "--csv", "plan.csv");
  await open("plan.html", async (page) => {
    const [first, last, shoulder] = await page.evaluate(() => {
      const { page: data, clock } = window.abut;
      const line = data.series.find((s) => s.group === "Joints" && s.name === "shoulder").values;
      return [clock.start, clock.end, [line[0], line[line.length - 1]]];
    });
    assert.equal(first, 0);
    assert.ok(last > 0.5 && Math.abs(shoulder[0]) < 1e-9 && Math.abs(shoulder[1] - 1) < 1e-6, `${last} ${shoulder}`);
    await seek(page, 1e9);
    assert.match(await page.locator("#now").textContent(), new RegExp(`^${last.toFixed(4)}`));
    const choice = page.locator("#pair");
    const names = await choice.locator("option").allTextContents();
    for (const pair of [0, 1]) {
      await choice.selectOption(String(pair));
      const chart = page.locator(`[data-plot="${names[pair]}"]`);
      assert.match(await chart.locator("h3").textContent(), new RegExp(`^${names[pair]}`));
      // The curve lies over the band and the bound, which here are at the same height.
      const curve = await chart.locator("canvas").evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) count += data[i] < 0x50 && data[i + 2] > 0xa0 ? 1 : 0;
        return count / canvas.width;
      });
      assert.ok(curve > 0.8, `${curve} of the width has the color of the curve`);
    }
    const drawn = await page.evaluate(() => window.drawn);
    assert.ok(drawn.includes("time, s"));
  });
});

test("a clearance reaches both ends of its motion, with the true distance between its samples", async () => {
  execFileSync("sh", ["-c", "printf 't,x,y,z,qw,qx,qy,qz\n0,4,0,0,1,0,0,0\n2,0,0,3,1,0,0,0\n' > m.csv"], {
    cwd: folder,
  });
  tool("clearance", "box.obj", "box.obj", "--motion-b", "m.csv", "--html", "clearance.html");
  await open("clearance.html", async (page) => {
    assert.equal(await heading(page), "box.obj and box.obj");
    const { times, values, lower } = await page.evaluate(() => {
      const { page: data } = window.abut;
      const line = (name) => [...data.series.find((s) => s.name === name).values];
      return { times: [...data.times], values: line("distance"), lower: line("proved not below") };
    });
    assert.deepEqual([times[0], times.at(-1)], [0, 2]);
    const gaps = times.slice(1).map((t, i) => t - times[i]);
    assert.ok(Math.max(...gaps) < 0.02 && Math.min(...gaps) > 0);
    // Boxes of the same size and direction: the distance is that of a point to a box twice as large.
    const size = await page.evaluate(() => {
      const { vertices } = window.abut.page.meshes[0];
      return [0, 1, 2].map((k) => Math.max(...vertices.filter((_, i) => i % 3 === k)));
    });
    times.forEach((t, i) => {
      const [x, z] = [Math.max(0, 4 - 2 * t - 2 * size[0]), Math.max(0, 1.5 * t - 2 * size[2])];
      assert.ok(
        Math.abs(values[i] - Math.hypot(x, z)) < 1e-6 && lower[i] <= values[i] + 1e-9,
        `${t}: ${values[i]} ${Math.hypot(x, z)} ${lower[i]}`,
      );
      assert.ok(lower[i] > values[i] - 0.05, "the band is thin");
    });
  });
});

test("titles are names of files; two runs say what differs", async () => {
  const run = ["simulate", "stack:3", "--time", "0.05"];
  tool(...run, "-o", "x/run.npz");
  tool(...run, "--mu", "0.3", "-o", "y/run.npz");
  tool("view", join(folder, "x/run.npz"), "-o", "one.html");
  tool("view", join(folder, "x/run.npz"), join(folder, "y/run.npz"), "-o", "two.html");
  await open("one.html", async (page) => {
    assert.deepEqual([await heading(page), await page.title()], ["run.npz", "run.npz"]);
    assert.equal(await page.locator('[data-plot="Time per stage"]').count(), 0);
  });
  await open("two.html", async (page) => {
    assert.equal(await heading(page), "x/run.npz and y/run.npz: --mu 0.3");
  });
  await open(
    "two.html",
    async (page) => {
      const bottom = await page.locator(".transport").evaluate((e) => e.getBoundingClientRect().bottom);
      assert.ok(bottom <= phone.height, `the controls end at ${bottom}`);
      assert.ok((await wide(page)) <= 0);
    },
    phone,
  );
});

test("a chart shows six lines at once, and its legend chooses them", async () => {
  tool("view", "x/run.npz", "y/run.npz", "--stages", "-o", "stages.html");
  await open("stages.html", async (page) => {
    const chart = page.locator('[data-plot="Time per stage"]');
    const shown = async () => {
      const texts = await chart.locator('.legend [aria-pressed="true"]').allTextContents();
      assert.equal(await chart.locator(".chart").getAttribute("data-lines"), String(texts.length));
      return texts.map((text) => text.replace(/ [^ ]*$/, ""));
    };
    assert.equal(await chart.locator(".legend button").count(), 12);
    const first = await shown();
    assert.equal(first.length, 6);
    assert.ok(first[0].startsWith("x/run.npz") && first[1].startsWith("y/run.npz"), first.join());
    await chart.locator('.legend [aria-pressed="false"]').first().click();
    const second = await shown();
    assert.ok(second.length === 6 && !second.includes(first[0]), "the first one made room");
    await chart.locator('.legend [aria-pressed="true"]').first().click();
    assert.equal((await shown()).length, 5);
  });
});

test("a rare spike is clipped with a mark, and shown on request", async () => {
  const { page } = await openPage(browser.context, "peak.html");
  const chart = page.locator('[data-plot="Ground force"]');
  const low = () =>
    chart.locator("canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const rows = [];
      for (let i = 0; i < data.length; i += 4)
        if (data[i] === 0x1f && data[i + 1] === 0x8f) rows.push(Math.floor(i / 4 / canvas.width));
      return rows.filter((row) => row > 0.65 * canvas.height).length / rows.length;
    });
  await chart.scrollIntoViewIfNeeded();
  assert.match(await chart.locator(".clip-note").textContent(), /clipped: up to 4000 at 16\.72 s/);
  const clipped = await low();
  await chart.getByRole("button", { name: "whole range" }).click();
  assert.ok((await low()) > clipped + 0.3, "the steady part lies at the bottom of the whole range");
  assert.doesNotMatch(await chart.locator(".clip-note").textContent(), /clipped/);
  await page.close();
});

test("distance and volume say outcome, method and files", async () => {
  tool("distance", join(folder, "torus.stl"), "box.obj", "--pose-b", "0,0,3", "--html", "distance.html");
  tool("volume", join(folder, "box.obj"), "box.obj", "--pose-b", "0.1,0,0", "--html", "volume.html");
  const facts = async (page) => {
    const texts = [];
    for (const name of ["A", "B", "Outcome", "Method"]) texts.push(await fact(page, name));
    return texts;
  };
  await open("distance.html", async (page) => {
    assert.deepEqual(await facts(page), ["torus.stl", "box.obj", "separated", "triangles of the meshes"]);
    assert.equal(await heading(page), "torus.stl and box.obj");
  });
  await open("volume.html", async (page) => {
    assert.deepEqual(await facts(page), ["box.obj", "box.obj", "penetrating", "clipping of convex bodies"]);
  });
});

test("pieces have numbers, which move with them and can be hidden", async () => {
  tool("decompose", join(folder, "torus.stl"), "--excess", "0.2", "--html", "pieces.html");
  await open("pieces.html", async (page) => {
    assert.equal(await heading(page), "torus.stl");
    const count = await page.evaluate(() => window.abut.page.bodies.length);
    const labels = page.locator(".labels span");
    assert.deepEqual(
      await labels.allTextContents(),
      Array.from({ length: count }, (_, i) => String(i)),
    );
    const place = () => labels.first().evaluate((e) => e.style.transform);
    const start = await place();
    await seek(page, 1);
    await countPixels(page);
    assert.notEqual(await place(), start);
    await page.locator('[data-layer="names"] input').click();
    assert.equal(await labels.count(), 0);
  });
});

test("joints come right under the view of a robot on a phone", async () => {
  const { page } = await openPage(browser.context, "arm.html", phone);
  assert.equal(await page.locator("aside > :first-child h2").textContent(), "Joints");
  assert.ok((await wide(page)) <= 0);
  await page.close();
});

test("the page of papers has contents, folds, and fits a phone", async () => {
  tool("reproduce", "intersection", "--quick", "-o", "papers");
  const page = await browser.context.newPage();
  await page.setViewportSize(phone);
  await page.goto(pathToFileURL(join(folder, "papers/index.html")).href);
  assert.ok((await wide(page)) <= 0);
  const links = page.locator("nav a");
  assert.ok((await links.count()) >= 3);
  const example = page.locator("details details").first();
  await example.locator("summary").click();
  assert.equal(await example.evaluate((e) => e.open), false);
  await page.locator("nav li li a").first().click();
  await page.waitForFunction(() => document.querySelector("details details").open);
  await page.close();
});
