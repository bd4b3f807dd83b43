// SPDX-License-Identifier: Apache-2.0
// Play, pause, step, scrub and speed.
import { speeds, type Clock } from "../clock";
import { button, el, icon } from "./dom";
import { seconds } from "./format";

export const paths = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  back: "M6 5h2.5v14H6zM20 5v14L9.5 12z",
  next: "M15.5 5H18v14h-2.5zM4 5l10.5 7L4 19z",
};

export function transport(clock: Clock): HTMLElement {
  const step = clock.spacing;
  const play = button("", "Play (space)", () => {
    clock.toggle();
  });
  play.classList.add("primary");
  const back = button(
    "",
    "One frame back (left arrow)",
    () => {
      clock.step(-1);
    },
    icon(paths.back),
  );
  const next = button(
    "",
    "One frame on (right arrow)",
    () => {
      clock.step(1);
    },
    icon(paths.next),
  );
  const scrub = el("input", {
    type: "range",
    class: "scrub",
    min: clock.start,
    max: clock.end,
    step: "any",
    value: clock.time,
    "aria-label": "Time",
  });
  scrub.addEventListener("input", () => {
    clock.playing = false;
    clock.seek(scrub.valueAsNumber);
  });
  const now = el("output", { class: "now", id: "now", "aria-label": "Time shown" });
  const speed = el(
    "select",
    { "aria-label": "Speed", title: "Speed (up and down arrows)" },
    ...speeds.map((s) => el("option", { value: s, selected: s === 1 }, `${s}×`)),
  );
  speed.addEventListener("change", () => {
    clock.setSpeed(Number(speed.value));
  });
  const one = !clock.runs;
  for (const control of [play, back, next, scrub, speed]) control.disabled = one;

  let shown: boolean | null = null;
  const update = (): void => {
    if (shown !== clock.playing) {
      shown = clock.playing;
      play.replaceChildren(icon(shown ? paths.pause : paths.play));
      const title = shown ? "Pause (space)" : "Play (space)";
      play.title = title;
      play.setAttribute("aria-label", title);
    }
    scrub.value = String(clock.time);
    scrub.setAttribute("aria-valuetext", seconds(clock.time, step));
    const part = clock.end > clock.start ? (clock.time - clock.start) / (clock.end - clock.start) : 0;
    scrub.style.setProperty("--part", `${(100 * part).toFixed(2)}%`);
    now.textContent = `${seconds(clock.time, step)} / ${seconds(clock.end, step)}`;
    speed.value = String(clock.speed);
  };
  clock.onChange(update);
  update();
  return el(
    "div",
    { class: "transport", role: "group", "aria-label": "Playback" },
    el("div", { class: "buttons" }, back, play, next),
    scrub,
    now,
    speed,
  );
}
