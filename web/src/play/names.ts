// SPDX-License-Identifier: Apache-2.0
// Scenes by name: "boxes" with the argument "N=50" is boxes:50.

export interface SceneName {
  name: string;
  argument: string; // "" or as "N=50"
  summary: string;
}

export interface Names {
  scenes: SceneName[];
  robots: SceneName[];
  models: string[];
}

export function withDefault({ name, argument }: SceneName): string {
  const value = argument.split("=")[1] ?? "";
  return value === "" ? name : `${name}:${value}`;
}

// What was changed before the first step, as options of the command.
export interface Settings {
  model: string;
  step: number;
  gravity: number; // downwards
}

// The command that ends in the same state after `steps` steps.
export function nativeCommand(scene: string, steps: number, now: Settings, own: Settings): string {
  const words = ["abut", "simulate", scene];
  if (now.model !== own.model) words.push("--model", now.model);
  if (now.step !== own.step) words.push("--dt", String(now.step));
  if (now.gravity !== own.gravity) words.push("--gravity", `0,0,${-now.gravity}`);
  words.push("--time", String(Number((steps * now.step).toPrecision(12))));
  return words.join(" ");
}
