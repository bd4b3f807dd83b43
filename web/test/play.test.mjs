// SPDX-License-Identifier: Apache-2.0
// The playground in Chromium, with a real mouse: it runs and tells the hash of the native tool, bodies are dragged, pushed
// and met by balls, settings take effect, and bad names are refused.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { colorAt, countPixels, fact, openBrowser, openPage, pages } from "./support.mjs";

const made = existsSync(join(pages, "play.html"));
const tool = process.env.ABUT_TOOL ?? "";
const patient = { timeout: 60000 };

let browser;
before(async () => {
  if (made) browser = await openBrowser();
});
after(() => browser?.close());

// Opens the playground with a scene, gives it to `check`, and looks for errors.
function playTest(title, scene, check, size) {
  test(title, { skip: made ? false : "this build has no playground (emscripten)" }, async () => {
    const { page, problems } = await openPage(browser.context, `play.html#${scene}`, size);
    await check(page);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

const steps = (page) => page.evaluate(() => window.abut.core.number("steps"));
const until = (page, condition, ...values) => page.waitForFunction(condition, values, patient);
const position = (page, body) => page.evaluate((b) => window.abut.live.page.pose(0, b).position, body);
const speed = (page, body) => page.evaluate((b) => Math.hypot(...window.abut.live.page.velocity(0, b)), body);

// Where the middle of a body is on the screen.
const place = (page, body) =>
  page.evaluate((b) => {
    const { stage, live } = window.abut;
    stage.drawIfNeeded();
    const rect = stage.canvas.getBoundingClientRect();
    const [x, y] = stage.project(live.page.pose(0, b).position);
    return [rect.left + x, rect.top + y];
  }, body);

async function pause(page) {
  await page.keyboard.press("Space");
  await until(page, () => !window.abut.running);
}

playTest("it runs, and its hash is that of the native tool", "boxes:50", async (page) => {
  await until(page, () => window.abut.core.number("steps") > 100);
  await pause(page);
  const before = await steps(page);
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  assert.equal(await steps(page), before + 3);
  const command = await page.locator("#command code").textContent();
  const [name, ...words] = command.split(" ");
  assert.equal(name, "abut");
  const shown = await fact(page, "State hash");
  assert.match(shown, /^[0-9a-f]{16}$/);
  const native = JSON.parse(execFileSync(tool, [...words, "--json"], { encoding: "utf8" }));
  assert.equal(shown, native.hash);
  assert.equal(native.steps, before + 3);
});

// By the processor time of the page, which a busy machine does not change much: real time asks for a ratio of 1.
playTest("fifty boxes run in real time: two seconds of them cost less than two of a core", "boxes:50", async (page) => {
  await pause(page);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === "TaskDuration").value;
  };
  const before = await spent();
  const simulated = await page.evaluate(() => {
    const { core } = window.abut;
    core.load("boxes:50");
    core.step(2000);
    return core.number("time");
  });
  const cpu = (await spent()) - before;
  assert.ok(Math.abs(simulated - 2) < 1e-9);
  assert.ok(cpu > 0 && simulated / cpu > 1, `${simulated} s simulated in ${cpu} s of a core`);
});

playTest("a body is dragged with the mouse, and falls when it is let go", "stack:2", async (page) => {
  await until(page, () => window.abut.core.number("steps") > 20);
  const [, , height] = await position(page, 2);
  const [x, y] = await place(page, 2);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 60, { steps: 4 });
  await until(page, ([b, z]) => window.abut.live.page.pose(0, b).position[2] > z, 2, height + 0.02);
  assert.match(await page.locator("#command").textContent(), /a hand was in it/);
  await page.mouse.up();
  await until(page, ([b, z]) => window.abut.live.page.pose(0, b).position[2] < z, 2, height + 0.01);
});

playTest("dragging beside the bodies turns the camera, not them", "stack:1", async (page) => {
  await pause(page);
  const eye = () => page.evaluate(() => window.abut.stage.eye.camera.position.toArray());
  const before = await eye();
  const box = await page.locator(".stage canvas").boundingBox();
  await page.mouse.move(box.x + 30, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 130, box.y + 60, { steps: 3 });
  await page.mouse.up();
  assert.notDeepEqual(await eye(), before);
  assert.doesNotMatch((await page.locator("#command").textContent()) ?? "", /a hand/);
});

playTest("the tools push and throw", "stack:2", async (page) => {
  await pause(page);
  await page.getByLabel("Push").check();
  await page.mouse.click(...(await place(page, 2)));
  await page.keyboard.press("ArrowRight");
  assert.ok((await speed(page, 2)) > 0.3);
  await page.keyboard.press("r");
  await page.getByLabel("Throw a ball", { exact: true }).check();
  const there = () => page.evaluate(() => window.abut.live.page.isThere(0, 3));
  assert.equal(await there(), false);
  await page.mouse.click(...(await place(page, 2)));
  await page.keyboard.press("ArrowRight");
  assert.equal(await there(), true);
  await page.locator('[data-layer="forces"] input').uncheck(); // arrows are drawn over bodies
  const [red, green, blue] = await colorAt(page, await position(page, 3));
  assert.ok(red > green + 40 && red > blue + 40, "the ball is in the picture");
  await page.evaluate(() => document.activeElement.blur()); // the box would take the arrow keys
  for (let i = 0; i < 60; i++) await page.keyboard.press("Shift+ArrowRight");
  const [x, y] = await position(page, 2);
  assert.ok(Math.hypot(x, y) > 0.003, "it was hit");
});

playTest("friction, gravity, step and model are changed while it runs", "incline:0.4", async (page) => {
  await until(page, () => window.abut.core.number("steps") > 50);
  const [x] = await position(page, 1);
  await page.getByLabel("Friction").fill("0.05");
  await until(page, ([from]) => Math.abs(window.abut.live.page.pose(0, 1).position[0] - from) > 0.02, x);
  await page.getByLabel("Model").selectOption("point");
  await page.locator(".settings select").nth(1).selectOption("0.002");
  await page.getByLabel("Gravity").fill("0");
  const at = await steps(page);
  await until(page, ([n]) => window.abut.core.number("steps") > n, at + 5);
  assert.deepEqual(await page.evaluate(() => window.abut.live.page.gravity), [0, 0, -0]);
  assert.match(await page.locator("#command").textContent(), /friction was set/);
  assert.equal(await page.locator(".trouble").isHidden(), true);
});

playTest("wrenches, modes and energy are shown", "stack:3", async (page) => {
  await until(page, () => window.abut.core.number("steps") > 60);
  await page.getByLabel("Body", { exact: true }).selectOption("2");
  await pause(page);
  assert.equal(await page.locator("#selected-name").textContent(), "box1");
  assert.match(await fact(page, "Contact force"), /N$/);
  assert.equal(await fact(page, "Movement"), "rests");
  assert.match(await fact(page, "Ways to part"), /^[0-9]+$/);
  assert.ok((await countPixels(page, 0x2455c3, 30)) > 20, "arrows of forces");
  assert.ok((await page.evaluate(() => window.abut.energy.times.length)) > 1);
});

playTest("scenes are chosen by name, and names that are none are refused", "stack:3", async (page) => {
  await page.getByLabel("Scene", { exact: true }).selectOption("arch");
  await until(page, () => window.abut.live.page.title === "arch:25");
  const spec = page.getByLabel("Scene with its number");
  await spec.fill("arch:7");
  await spec.press("Enter");
  await until(page, () => window.abut.live.page.title === "arch:7");
  await spec.fill("arch:many");
  await spec.press("Enter");
  await page.locator(".trouble").waitFor({ state: "visible" });
  assert.match(await page.locator(".trouble").textContent(), /many/);
  assert.equal(await page.evaluate(() => window.abut.live.page.title), "arch:7");
});

for (const width of [360, 1280, 3840])
  playTest(
    `nothing is cut off at ${width} pixels`,
    "stack:3",
    async (page) => {
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(over <= 0, `${over} pixels too wide`);
      const canvas = await page.locator(".stage canvas").boundingBox();
      assert.ok(canvas.width > 0.5 * Math.min(width, 640));
    },
    { width, height: 800 },
  );
