// SPDX-License-Identifier: Apache-2.0
// Keys of the page. A control that has the focus keeps the keys it uses itself.
import type { Clock } from "./clock";
import { el } from "./ui/dom";
import { toggleTheme } from "./ui/theme";
import type { Picked, Stage } from "./view/stage";

const list: [string, string][] = [
  ["Space", "play or pause"],
  ["← →", "one frame back or on (with Shift: ten)"],
  ["Home End", "first or last frame"],
  ["↑ ↓", "faster or slower"],
  ["F", "show everything"],
  ["L", "repeat from the start"],
  ["T", "light or dark"],
  ["Esc", "clear the selection"],
];

export function keyHelp(): HTMLElement {
  return el("dl", { class: "keys" }, ...list.flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)]));
}

function keepsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLInputElement) return key === " " ? target.type === "checkbox" : key.startsWith("Arrow");
  if (target.closest("dialog")) return true;
  return target instanceof HTMLButtonElement && key === " ";
}

export function listenKeys(clock: Clock, stage: Stage, select: (picked: Picked) => void): void {
  const actions: Record<string, (shift: boolean) => void> = {
    " ": () => {
      clock.toggle();
    },
    ArrowLeft: (shift) => {
      clock.step(shift ? -10 : -1);
    },
    ArrowRight: (shift) => {
      clock.step(shift ? 10 : 1);
    },
    ArrowUp: () => {
      clock.faster(1);
    },
    ArrowDown: () => {
      clock.faster(-1);
    },
    Home: () => {
      clock.seek(clock.start);
    },
    End: () => {
      clock.seek(clock.end);
    },
    f: () => {
      stage.setFraming(false);
      stage.fit();
    },
    l: () => {
      clock.loop = !clock.loop;
    },
    t: toggleTheme,
    Escape: () => {
      select({ body: -1, contact: -1 });
    },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keepsKey(event.target, event.key)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!Object.hasOwn(actions, name)) return;
    event.preventDefault();
    actions[name](event.shiftKey);
  });
}
