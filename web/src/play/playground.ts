// SPDX-License-Identifier: Apache-2.0
// Everything on the page of the playground, and its loop: steps as the clock wants them, then one picture.
import { Clock } from "../clock";
import { listenKeys, type HelpRows } from "../keys";
import { layersPanel } from "../panels/layers";
import type { Context } from "../panels/panel";
import { selectionPanel } from "../panels/selection";
import { button, el, Facts, icon, section } from "../ui/dom";
import { num, seconds, withUnit } from "../ui/format";
import { header } from "../ui/header";
import { isDark, onTheme } from "../ui/theme";
import { paths } from "../ui/transport";
import { hostedStage } from "../view/hosted";
import type { Picked, Stage } from "../view/stage";
import { Controls } from "./controls";
import type { Core } from "./core";
import { EnergyChart } from "./energy";
import { Hands, tools, type Tool } from "./hands";
import { Live } from "./live";
import { LiveModes } from "./modes";
import { nativeCommand, type Names, type Settings } from "./names";
import { budget, Pace } from "./pace";

const help: HelpRows = {
  keys: [
    ["Space", "run or pause"],
    ["→", "one step (with Shift: ten)"],
    ["R", "start the scene again"],
    ["B", "throw a ball at the middle of the view"],
    ["G P", "the mouse drags, or pushes"],
  ],
  mouse: [
    ["Drag a body", "pulls it, as a spring would"],
    ["Drag elsewhere", "turns the camera; right button or Shift: moves it"],
    ["Click", "selects; with the tools Push and Throw it pushes, or throws a ball"],
    ["Wheel", "nearer or farther"],
  ],
  touch: [
    ["Tap", "selects, pushes or throws"],
    ["One finger", "drags a body; elsewhere it turns the camera"],
    ["Two fingers", "move it; pinch: nearer or farther"],
  ],
};

const firstScene = "boxes:50";

export class Playground {
  running = true;
  live!: Live;
  stage!: Stage;
  hands!: Hands;
  readonly pace = new Pace();
  readonly energy = new EnergyChart();
  private clock!: Clock;
  private context!: Context;
  private loaded = false;
  private selected = -1;
  private changed = ""; // what no command repeats; "": nothing
  private own: Settings = { model: "", step: 0, gravity: 0 };
  private now: Settings = { model: "", step: 0, gravity: 0 };
  private tool: Tool = "drag";
  private strength = 1;
  private hashed = 0;
  private readonly names: Names;
  private readonly controls: Controls;
  private readonly modes: LiveModes;
  private readonly facts = new Facts();
  private readonly command = el("p", { class: "hint", id: "command" });
  private readonly trouble = el("p", { class: "trouble", role: "alert", hidden: true });
  private readonly stages = el("div", { class: "stages" });
  private readonly panels = el("div", { class: "own-panels" });
  private readonly runButton: HTMLButtonElement;
  private readonly time = el("output", { class: "now", id: "now", "aria-label": "Time of the scene" });

  constructor(
    app: HTMLElement,
    readonly core: Core,
  ) {
    this.names = core.names() as Names;
    this.modes = new LiveModes(core);
    this.runButton = button("", "Pause (space)", () => {
      this.toggle();
    });
    this.runButton.classList.add("primary");
    this.controls = new Controls(this.names, {
      scene: (spec) => {
        this.load(spec);
      },
      model: (number) => {
        this.set(core.calls.play_set_model(number), () => {
          this.now.model = this.names.models[number];
        });
      },
      friction: (value) => {
        this.set(core.calls.play_set_friction(value), () => {
          this.changed = "friction was set";
        });
      },
      gravity: (value) => {
        this.set(core.calls.play_set_gravity(0, 0, -value), () => {
          this.now.gravity = value;
          this.live.page.gravity = [0, 0, -value];
        });
      },
      step: (step) => {
        this.set(core.calls.play_set_step(step), () => {
          this.now.step = step;
        });
      },
      tool: (tool) => {
        this.setTool(tool);
      },
      strength: (factor) => {
        this.hands.strength = this.strength = factor;
      },
      ball: () => {
        this.throwBall();
      },
    });
    this.build(app);
    this.load(decodeURIComponent(location.hash.slice(1)) || firstScene);
    onTheme((dark) => {
      this.stage.setTheme(dark);
    });
  }

  private build(app: HTMLElement): void {
    document.title = "abut playground";
    const stages = (): Stage[] => [this.stage];
    const again = button("", "Start again (R)", () => {
      this.load(this.live.page.title);
    }, icon(paths.back)); // prettier-ignore
    const step = button("", "One step (right arrow)", () => {
      this.stepBy(1);
    }, icon(paths.next)); // prettier-ignore
    const bar = el(
      "div",
      { class: "transport", role: "group", "aria-label": "Running" },
      el("div", { class: "buttons" }, again, this.runButton, step),
      this.time,
    );
    const view = el("div", { class: "view" }, this.stages, bar);
    const state = section("State", this.facts.root, this.command, this.trouble);
    const side = el("aside", { "aria-label": "Panels", tabindex: -1 });
    side.append(this.controls.root, state, this.modes.root, this.panels);
    const below = el("div", { class: "under" }, this.energy.root);
    const about = "The library itself, in this page: nothing is loaded, nothing leaves it.";
    app.append(header("abut playground", about, help, stages), view, side, below);
    listenKeys(this.keys(), stages, (picked) => {
      this.context.select(picked);
    });
  }

  private keys(): Record<string, (shift: boolean) => void> {
    return {
      " ": () => {
        this.toggle();
      },
      ArrowRight: (shift) => {
        this.stepBy(shift ? 10 : 1);
      },
      r: () => {
        this.load(this.live.page.title);
      },
      b: () => {
        this.throwBall();
      },
      g: () => {
        this.setTool("drag");
      },
      p: () => {
        this.setTool("push");
      },
    };
  }

  private setTool(tool: Tool): void {
    this.hands.tool = this.tool = tool;
    const input = document.querySelector<HTMLInputElement>(`input[name="tool"][value="${tool}"]`);
    if (input) input.checked = true;
    this.stage.canvas.title = tool === "drag" ? "" : tools[tool];
  }

  throwBall(): void {
    this.hands.throwAt(this.stage.eye.controls.target.clone());
  }

  // A setting that the library took; later than at the start no command repeats it.
  private set(good: number, keep: () => void): void {
    if (good === 0) {
      this.say(this.core.text);
      return;
    }
    keep();
    if (this.core.number("steps") > 0 && this.changed === "") this.changed = "settings were changed on the way";
    this.say("");
    this.show();
  }

  private say(text: string): void {
    this.trouble.textContent = text;
    this.trouble.hidden = text === "";
  }

  load(spec: string): void {
    try {
      this.core.load(spec);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
      if (!this.loaded && spec !== firstScene) this.load(firstScene);
      return;
    }
    this.say("");
    this.changed = "";
    this.live = new Live(this.core, spec);
    this.own = { model: this.names.models[0], step: this.live.step, gravity: -this.live.page.gravity[2] };
    this.now = { ...this.own };
    this.controls.show(spec, this.own.step, this.own.gravity);
    this.pace.reset();
    this.energy.clear();
    this.newStage();
    this.show();
  }

  // A view of the new scene, and the panels that belong to it.
  private newStage(): void {
    if (this.loaded) this.stage.dispose();
    this.loaded = true;
    const { page } = this.live;
    const { stage, host } = hostedStage(page, "");
    this.stage = stage;
    this.stages.replaceChildren(host);
    this.hands = new Hands(this.core, this.live, stage, host);
    this.hands.strength = this.strength;
    this.hands.onTouch = () => {
      this.changed = "a hand was in it";
      this.say("");
    };
    this.hands.onFailure = (text) => {
      this.say(text);
    };
    this.setTool(this.tool);
    this.clock = new Clock(page.times);
    this.selected = -1;
    const selectors: ((picked: Picked) => void)[] = [];
    const select = (picked: Picked): void => {
      this.selected = picked.body;
      for (const listener of selectors) listener(picked);
      this.modes.show(page, picked.body, stage.size, !this.running);
    };
    stage.onPick = (picked) => {
      if (this.tool === "drag") select(picked); // a click of the other tools does something else
    };
    this.context = {
      page,
      clock: this.clock,
      stage,
      stages: [stage],
      label: "",
      select,
      onSelect: (listener) => selectors.push(listener),
      onFrame: () => undefined,
    };
    const made = [selectionPanel, layersPanel].map((type) => type.create({ type: type.type }, this.context));
    this.panels.replaceChildren(...made.flatMap((panel) => (panel ? [panel.root] : [])));
    this.clock.onChange(() => {
      stage.setTime(0);
    });
    stage.setTheme(isDark());
  }

  toggle(): void {
    this.running = !this.running;
    this.pace.reset();
    this.show();
  }

  stepBy(count: number): void {
    this.running = false;
    this.advance(count, Infinity);
    this.show();
  }

  // Steps until all are done or the time (ms) is up; gives how many were done.
  private advance(count: number, limit: number): number {
    const begin = performance.now();
    let done = 0;
    while (done < count && performance.now() - begin < limit) {
      if (this.core.step(1) === 0) {
        this.running = false;
        this.say(`Step ${this.core.number("steps") + 1}: ${this.core.text}`);
        break;
      }
      done++;
    }
    return done;
  }

  // One turn of the loop, after so many seconds.
  frame(passed: number): void {
    if (this.running) {
      const due = this.pace.due(passed, this.now.step);
      const begin = performance.now();
      const done = this.advance(due, budget(passed));
      const now = performance.now();
      this.pace.took(done, done < due, this.now.step, now, now - begin);
      if (done > 0) this.show();
    }
    this.stage.drawIfNeeded();
  }

  // Everything as it is now.
  show(): void {
    const { core, live } = this;
    live.read();
    this.clock.seek(0);
    const [kinetic, potential] = [core.number("kinetic"), core.number("potential")];
    this.energy.add(this.simulated, kinetic, potential);
    this.modes.show(live.page, this.selected, this.stage.size, !this.running);
    this.runButton.replaceChildren(icon(this.running ? paths.pause : paths.play));
    const title = this.running ? "Pause (space)" : "Run (space)";
    this.runButton.title = title;
    this.runButton.setAttribute("aria-label", title);
    this.time.textContent = `${seconds(this.simulated, this.now.step)}, step ${core.number("steps")}`;
    this.showFacts(kinetic, potential);
  }

  private get simulated(): number {
    return this.core.number("time");
  }

  // The hash takes some time: five times a second while the scene runs.
  private showFacts(kinetic: number, potential: number): void {
    const { core } = this;
    const now = performance.now();
    if (this.running && now - this.hashed < 200) return;
    this.hashed = now;
    const steps = core.number("steps");
    const depth = core.number("depth");
    const ratio = this.running ? `${num(this.pace.ratio, 3)} × real time` : "paused";
    this.facts.set([
      ["Pace", ratio],
      ["A step takes", withUnit(this.pace.perStep, "ms", 3)],
      ["Contacts", String(this.live.page.contacts?.count ?? 0)],
      ["Energy", withUnit(kinetic + potential, "J")],
      ["Deepest overlap", withUnit(depth < 1e-12 ? 0 : depth, "m", 3)],
      ["Sweeps", String(core.number("sweeps"))],
      ["State hash", core.hash()],
    ]);
    if (this.changed === "") {
      const command = nativeCommand(this.live.page.title, steps, this.now, this.own);
      this.command.replaceChildren("The same hash natively: ", el("code", {}, command));
    } else this.command.textContent = `No command repeats this run: ${this.changed}.`;
    this.command.hidden = steps === 0;
  }

  run(): void {
    let last = performance.now();
    const tick = (now: number): void => {
      this.frame(Math.max(0, now - last) / 1000);
      last = now;
      document.documentElement.dataset["ready"] ??= now.toFixed(0);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}
