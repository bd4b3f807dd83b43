// SPDX-License-Identifier: Apache-2.0
// Keys of the page. A control that has the focus keeps the keys it uses itself, but for Space, which always plays;
// Enter then switches boxes. Lists that were given a key of their own (ui/rove.ts) have used it before it comes here.
import * as THREE from "three";
import type { Clock } from "./clock";
import { el } from "./ui/dom";
import { toggleTheme } from "./ui/theme";
import type { Picked, Stage } from "./view/stage";

type Rows = [string, string][];
export interface HelpRows {
  keys: Rows;
  mouse: Rows;
  touch: Rows;
}

// What every page has, behind the keys of its own.
const cameraKeys: Rows = [
  ["A D W S", "turn the camera (with Shift: move it)"],
  ["+ −", "nearer or farther"],
  ["1 2 3 0", "from the front, from the right, from above, from a corner"],
  ["F", "show everything"],
  ["T", "light or dark"],
  ["Tab", "next control; arrow keys within a list"],
  ["Enter", "switch the box that has the focus"],
  ["Esc", "clear the selection"],
];

export const replayHelp: HelpRows = {
  keys: [
    ["Space", "play or pause"],
    ["← →", "one frame back or on (with Shift: ten)"],
    ["Home End", "first or last frame"],
    ["↑ ↓", "faster or slower"],
    ["L", "repeat from the start"],
  ],
  mouse: [
    ["Click", "select a body or a contact"],
    ["Hover", "its name"],
    ["Drag", "turn the camera"],
    ["Right drag", "move it (also Shift and drag)"],
    ["Wheel", "nearer or farther"],
    ["In a chart", "click: go there; drag: zoom; double click: all"],
  ],
  touch: [
    ["Tap", "select"],
    ["One finger", "turn the camera"],
    ["Two fingers", "move it; pinch: nearer or farther"],
  ],
};

export function keyHelp({ keys, mouse, touch }: HelpRows): HTMLElement {
  const table = (title: string, rows: Rows): HTMLElement[] => [
    el("h3", {}, title),
    el("dl", { class: "keys" }, ...rows.flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)])),
  ];
  return el("div", {}, ...table("Keys", [...keys, ...cameraKeys]), ...table("Mouse", mouse), ...table("Touch", touch));
}

function isText(target: HTMLElement): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "range", "radio"].includes(target.type);
}

function keepsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog") || isText(target)) return true;
  if (key === " ") return false;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && (key.startsWith("Arrow") || key === "Home" || key === "End");
}

const sides: Record<string, THREE.Vector3> = {
  "1": new THREE.Vector3(0, -1, 0),
  "2": new THREE.Vector3(1, 0, 0),
  "3": new THREE.Vector3(0, -1e-3, 1),
  "0": new THREE.Vector3(0.62, -1, 0.5),
};

export type Actions = Record<string, Action>;
type Action = (shift: boolean) => void;

function cameraActions(stages: () => Stage[]): Actions {
  const move = (action: (stage: Stage, shift: boolean) => void): Action => {
    return (shift) => {
      for (const stage of stages()) {
        action(stage, shift);
        stage.touchCamera();
      }
    };
  };
  const turn = (left: number, up: number): Action =>
    move(({ eye }, shift) => {
      if (shift) eye.pan(-left * 0.05, up * 0.05);
      else eye.turn(left * 0.12, up * 0.12);
    });
  const zoom = (factor: number): Action =>
    move(({ eye }) => {
      eye.zoom(factor);
    });
  const look = Object.keys(sides).map((key): [string, Action] => [
    key,
    move(({ eye }) => {
      eye.lookFrom(sides[key]);
    }),
  ]);
  return {
    a: turn(1, 0),
    d: turn(-1, 0),
    w: turn(0, 1),
    s: turn(0, -1),
    "+": zoom(1 / 1.15),
    "=": zoom(1 / 1.15),
    "-": zoom(1.15),
    ...Object.fromEntries(look),
  };
}

export function clockActions(clock: Clock): Actions {
  return {
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
    l: () => {
      clock.loop = !clock.loop;
    },
  };
}

// Keys of the views, and `own`. Space, where `own` has it, is never the key of a button.
export function listenKeys(own: Actions, stages: () => Stage[], select: (picked: Picked) => void): void {
  const actions: Actions = {
    ...own,
    ...cameraActions(stages),
    f: () => {
      for (const stage of stages()) {
        stage.setFraming(false);
        stage.fit();
      }
    },
    t: toggleTheme,
    Escape: () => {
      select({ body: -1, contact: -1 });
    },
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    if (keepsKey(target, key)) return;
    if (key === "Enter" && target instanceof HTMLInputElement && target.type === "checkbox") target.click();
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (!Object.hasOwn(actions, name)) return;
    event.preventDefault();
    actions[name](event.shiftKey);
  });
  // Space has played: the button that has the focus is not pressed as well.
  document.addEventListener("keyup", (event) => {
    if (event.key === " " && Object.hasOwn(own, " ") && !keepsKey(event.target, " ")) event.preventDefault();
  });
}
