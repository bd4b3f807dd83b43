// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system says, until the reader chooses.

const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners: ((dark: boolean) => void)[] = [];
let chosen: boolean | null = null;

export function isDark(): boolean {
  return chosen ?? system.matches;
}

function tell(): void {
  document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
  for (const listener of listeners) listener(isDark());
}

export function onTheme(listener: (dark: boolean) => void): void {
  listeners.push(listener);
  listener(isDark());
}

export function toggleTheme(): void {
  chosen = !isDark();
  tell();
}

system.addEventListener("change", tell);
tell();
