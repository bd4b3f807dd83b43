// SPDX-License-Identifier: Apache-2.0
// The card that chooses scene, contact model, friction, gravity and step, and what the mouse does.
import { button, choice, el, section, slider } from "../ui/dom";
import { num } from "../ui/format";
import { tools, type Tool } from "./hands";
import { withDefault, type Names, type SceneName } from "./names";

export interface Wishes {
  scene: (spec: string) => void;
  model: (number: number) => void;
  friction: (value: number) => void;
  gravity: (value: number) => void;
  step: (seconds: number) => void;
  tool: (tool: Tool) => void;
  strength: (factor: number) => void;
  ball: () => void;
}

const steps = [0.00025, 0.0005, 0.001, 0.002, 0.004, 0.01];

export class Controls {
  readonly root: HTMLElement;
  private readonly scene: HTMLSelectElement;
  private readonly spec: HTMLInputElement;
  private readonly about = el("p", { class: "hint" });
  private readonly settings = el("div", { class: "settings" });
  private readonly tools: HTMLElement;

  constructor(
    private readonly names: Names,
    private readonly wishes: Wishes,
  ) {
    const group = (label: string, scenes: SceneName[]): HTMLElement =>
      el("optgroup", { label }, ...scenes.map((s) => el("option", { value: s.name }, s.name)));
    this.scene = el("select", { "aria-label": "Scene" }, group("Scenes", names.scenes), group("Robots", names.robots));
    this.scene.addEventListener("change", () => {
      const found = this.find(this.scene.value);
      if (found) wishes.scene(withDefault(found));
    });
    this.spec = el("input", { type: "text", "aria-label": "Scene with its number", spellcheck: "false" });
    this.spec.addEventListener("change", () => {
      wishes.scene(this.spec.value.trim());
    });
    this.tools = el("div", { class: "row tool-choice", role: "radiogroup", "aria-label": "The mouse" });
    for (const tool of Object.keys(tools) as Tool[]) this.addTool(tool);
    const strength = slider("Strength", { min: -1, max: 1, step: 0.1, value: 0 }, (v) => `${num(2 ** v, 2)}×`, (v) => {
      wishes.strength(2 ** v);
    }); // prettier-ignore
    this.root = section(
      "Scene",
      el("div", { class: "row" }, this.scene, this.spec),
      this.about,
      this.settings,
      el("h2", {}, "Mouse"),
      this.tools,
      strength,
      button("Ball at the middle", "Throw a ball at the middle of the view (B)", wishes.ball),
    );
  }

  private find(spec: string): SceneName | undefined {
    const [name] = spec.split(":");
    return [...this.names.scenes, ...this.names.robots].find((s) => s.name === name);
  }

  private addTool(tool: Tool): void {
    const input = el("input", { type: "radio", name: "tool", value: tool, checked: tool === "drag" });
    input.addEventListener("change", () => {
      this.wishes.tool(tool);
    });
    this.tools.append(el("label", { class: "check" }, input, el("span", {}, tools[tool])));
  }

  // After a scene was loaded, whose own settings these are.
  show(spec: string, step: number, gravity: number): void {
    const found = this.find(spec);
    this.scene.value = found?.name ?? "";
    this.spec.value = spec;
    this.about.textContent = found ? `${found.summary[0].toUpperCase()}${found.summary.slice(1)}.` : "";
    const { wishes } = this;
    const models = this.names.models.map((name): [string, string] => [name, name]);
    const all = [...new Set([...steps, step])].sort((p, q) => p - q);
    const milliseconds = all.map((s): [string, string] => [String(s), `${num(s * 1000, 3).replace(/\.?0+$/, "")} ms`]);
    const friction = slider(
      "Friction",
      { min: 0, max: 1.5, step: 0.05, value: 0.5 },
      (v) => num(v, 2),
      wishes.friction,
    );
    const pull = { min: 0, max: 20, step: 0.1, value: gravity };
    const value = friction.querySelector("output");
    if (value) value.textContent = "own"; // each shape has its own until the slider is moved
    this.settings.replaceChildren(
      choice("Model", models, this.names.models[0], (model) => {
        wishes.model(this.names.models.indexOf(model));
      }),
      friction,
      slider("Gravity, m/s²", pull, (v) => num(v, 3), wishes.gravity),
      choice("Step", milliseconds, String(step), (s) => {
        wishes.step(Number(s));
      }),
    );
  }
}
