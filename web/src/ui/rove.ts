// SPDX-License-Identifier: Apache-2.0
// A list of controls as one stop of the Tab key: arrow keys, Home and End move within it.

export function rove(list: HTMLElement, selector: string): void {
  const items = (): HTMLElement[] =>
    [...list.querySelectorAll<HTMLElement>(selector)].filter(
      (item) => !item.hidden && item.closest("[hidden]") === null,
    );
  const stop = (chosen: HTMLElement | undefined): void => {
    for (const item of list.querySelectorAll<HTMLElement>(selector)) item.tabIndex = item === chosen ? 0 : -1;
  };
  stop(items().at(0));
  list.addEventListener("focusin", (event) => {
    if (event.target instanceof HTMLElement && event.target.matches(selector)) stop(event.target);
  });
  list.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.indexOf(event.target as HTMLElement);
    const last = all.length - 1;
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: last,
    };
    if (at < 0 || !Object.hasOwn(to, event.key)) return;
    event.preventDefault();
    all[Math.min(Math.max(to[event.key], 0), last)].focus();
  });
}
