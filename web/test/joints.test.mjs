// SPDX-License-Identifier: Apache-2.0
// The panel that poses a robot by hand.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openPage, seek } from "./support.mjs";

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
