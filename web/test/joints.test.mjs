// SPDX-License-Identifier: Apache-2.0
// Robots: the panel that poses them by hand, and what they are drawn as.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { colorAt, openBrowser, openPage, pages, seek } from "./support.mjs";

const tool = process.env.ABUT_TOOL ?? "";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const bodyAt = (page, name) =>
  page.evaluate((wanted) => {
    const { stage } = window.abut;
    const body = stage.page.bodies.findIndex((b) => b.name === wanted);
    return stage.bodies.object(body).position.toArray();
  }, name);

const near = (found, wanted) =>
  found.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]) < 1e-5, `${found} is not ${wanted}`));

test("sliders pose the robot as the library does", async () => {
  const { page, problems } = await openPage(browser.context, "arm.html");
  const sliders = page.locator(".joints input[type=range]");
  assert.equal(await sliders.count(), 2);
  await seek(page, 1);
  const posed = await bodyAt(page, "link1"); // what the run has in its second state
  await seek(page, 0);
  const rest = await bodyAt(page, "link1");
  await sliders.nth(0).fill("0.3");
  near(await bodyAt(page, "link1"), posed);
  await page.getByRole("button", { name: "Back to the state of the run" }).click();
  near(await bodyAt(page, "link1"), rest);
  assert.deepEqual(problems, []);
  await page.close();
});

test("joints are charted", async () => {
  const { page } = await openPage(browser.context, "arm.html");
  const groups = await page.evaluate(() => [...new Set(window.abut.page.series.map((s) => s.group))]);
  for (const group of ["Joint positions", "Joint velocities", "Actuator forces"]) assert.ok(groups.includes(group));
  await page.close();
});

// A post of 1 m for pictures, a box of 0.2 m that touches.
const post = `<mujoco><asset><mesh name="tower" vertex="-.1 -.1 0 .1 -.1 0 .1 .1 0 -.1 .1 0 -.1 -.1 1 .1 -.1 1 .1 .1 1 -.1 .1 1"
  face="3 2 1 3 1 0 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7"/></asset>
  <worldbody><body name="post"><joint axis="0 1 0"/><geom type="mesh" mesh="tower" contype="0" conaffinity="0" mass="1"/>
  <geom type="box" size=".1 .1 .1" pos="0 0 .1"/></body></worldbody></mujoco>`;

test("a robot is drawn with its meshes, and on demand as its shapes of contact", async () => {
  const own = join(pages, "own"); // beside the pages that every test looks at
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "post.xml"), post);
  execFileSync(tool, ["view", join(own, "post.xml"), "-o", join(own, "post.html")]);
  const { page, problems } = await openPage(browser.context, "own/post.html");
  const box = page.locator('[data-layer="contactShapes"] input');
  const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
  const colors = async () => [await colorAt(page, [0, 0, 0.9]), await colorAt(page, [0, 0, 0.1])];
  assert.equal(await box.isChecked(), false);
  const meshes = await colors();
  await box.click();
  const shapes = await colors();
  assert.ok(apart(meshes[0], shapes[0]) > 40, `${meshes[0]} and ${shapes[0]}: the mesh is still there`);
  assert.ok(apart(shapes[0], shapes[1]) > 40, `${shapes}: the box is not there`);
  await box.click();
  assert.deepEqual(await colors(), meshes);
  assert.deepEqual(problems, []);
  await page.close();
});

test("without meshes there is nothing to choose", async () => {
  const { page } = await openPage(browser.context, "arm.html");
  assert.equal(await page.locator('[data-layer="contactShapes"]').count(), 0);
  await page.close();
});
