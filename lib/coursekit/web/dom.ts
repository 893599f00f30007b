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

const MARKED = /(`[^`]+`|(?<![\w*])\*[^\s*](?:[^*]*[^\s*])?\*(?![\w*]))/;

/** The nodes of a text in which `backticks` mark code and *stars* words to stress. */
export function prose(text: string): Child[] {
  return text
    .split(MARKED)
    .filter((piece) => piece !== "")
    .map((piece) => {
      if (!MARKED.test(piece)) return piece;
      return h(piece.startsWith("`") ? "code" : "em", {}, piece.slice(1, -1));
    });
}

/** A mark for the eye with its word for the ear, unless the message after it says the same. */
export function mark(passed: boolean, message = ""): HTMLElement[] {
  const sign = h("span", { class: "ck-mark", "aria-hidden": "true" }, passed ? "✓" : "✗");
  const word = spoken(passed, message);
  return word ? [sign, h("span", { class: "ck-spoken" }, word)] : [sign];
}

/** What is heard of a mark: "Not yet: Not quite." would say it twice. */
export function spoken(passed: boolean, message: string): string {
  const saysSo = passed ? /^(That is )?right\b/i : /^(That is not it|Not (quite|yet))\b/i;
  return saysSo.test(message) ? "" : passed ? "Right: " : "Not yet: ";
}

export function button(label: string, kind: "ck-main" | "ck-plain", press: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: `ck-button ${kind}`, onclick: press }, label);
}

/**
 * Puts a sentence into a live region, and a bar below it while something loads. The bar moves where
 * it stands: a sentence that is put there again is spoken again.
 */
export function tell(region: HTMLElement, text: string, share?: number, line: Child[] = prose(text)): void {
  const bar = region.querySelector("progress");
  if (bar?.ariaLabel === text && share !== undefined) {
    bar.value = share;
    return;
  }
  const value = String(share);
  const made = share === undefined ? [] : [h("progress", { class: "ck-bar", "aria-label": text, value })];
  region.replaceChildren(...line, ...made);
}

/** The place where verdicts appear: screen readers speak what changes in it. */
export function liveRegion(name: string): HTMLElement {
  return h("div", { class: name, role: "status", "aria-live": "polite" });
}
