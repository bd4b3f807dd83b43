// SPDX-License-Identifier: Apache-2.0
// Elements from calls. Text is always text: nothing here reads markup.

type Child = Node | string;
type Attributes = Record<string, string | number | boolean | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export function button(label: string, title: string, action: () => void, icon?: SVGElement): HTMLButtonElement {
  const node = el("button", { type: "button", title, "aria-label": title }, ...(icon ? [icon] : [label]));
  node.addEventListener("click", action);
  return node;
}

export function checkbox(label: string, on: boolean, action: (on: boolean) => void): HTMLLabelElement {
  const box = el("input", { type: "checkbox", checked: on });
  box.addEventListener("change", () => {
    action(box.checked);
  });
  return el("label", { class: "check" }, box, el("span", {}, label));
}

export function choice<T extends string>(
  label: string,
  options: [T, string][],
  value: T,
  action: (value: T) => void,
): HTMLLabelElement {
  const select = el(
    "select",
    {},
    ...options.map(([v, text]) => el("option", { value: v, selected: v === value }, text)),
  );
  select.addEventListener("change", () => {
    const found = options.find(([v]) => v === select.value);
    if (found) action(found[0]);
  });
  return el("label", { class: "field" }, el("span", {}, label), select);
}

export function slider(
  label: string,
  range: { min: number; max: number; step: number; value: number },
  text: (value: number) => string,
  action: (value: number) => void,
): HTMLLabelElement {
  const input = el("input", { type: "range", ...range });
  const output = el("output", {}, text(range.value));
  input.addEventListener("input", () => {
    output.textContent = text(input.valueAsNumber);
    action(input.valueAsNumber);
  });
  return el("label", { class: "field slide" }, el("span", {}, label), input, output);
}

export function section(title: string, ...children: Child[]): HTMLElement {
  return el("section", { class: "card" }, el("h2", {}, title), ...children);
}

// Rows of label and value; the values may be replaced by `set`.
export class Facts {
  readonly root = el("dl", { class: "facts" });
  private readonly values = new Map<string, HTMLElement>();
  set(rows: [string, string][]): void {
    const same = rows.length === this.values.size && rows.every(([label]) => this.values.has(label));
    if (!same) {
      this.values.clear();
      this.root.replaceChildren(
        ...rows.flatMap(([label]) => {
          const value = el("dd");
          this.values.set(label, value);
          return [el("dt", {}, label), value];
        }),
      );
    }
    for (const [label, text] of rows) {
      const node = this.values.get(label);
      if (node && node.textContent !== text) node.textContent = text;
    }
  }
}

export function icon(path: string): SVGElement {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));
}

export function save(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 1000);
}

// A file name from a title.
export function fileName(title: string, ending: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `${plain.slice(0, 60) || "abut"}.${ending}`;
}
