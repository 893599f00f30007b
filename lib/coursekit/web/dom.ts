// Small helpers for building elements. Text always goes in as text, never as HTML.

type Child = Node | string;

/** Creates an element; keys of `attributes` are attributes, `on*` functions listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** The nodes of a text in which `backticks` mark code. */
export function prose(text: string): Child[] {
  return text
    .split(/`([^`]+)`/)
    .map((piece, i) => (i % 2 ? h("code", {}, piece) : piece))
    .filter((piece) => piece !== "");
}

/** A mark for the eye with its word for the ear. */
export function mark(passed: boolean): HTMLElement[] {
  return [
    h("span", { class: "ck-mark", "aria-hidden": "true" }, passed ? "✓" : "✗"),
    h("span", { class: "ck-spoken" }, passed ? "Right: " : "Not yet: "),
  ];
}

export function button(label: string, kind: "ck-main" | "ck-plain", press: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: `ck-button ${kind}`, onclick: press }, label);
}

/** The place where verdicts appear: screen readers speak what changes in it. */
export function liveRegion(name: string): HTMLElement {
  return h("div", { class: name, role: "status", "aria-live": "polite" });
}
