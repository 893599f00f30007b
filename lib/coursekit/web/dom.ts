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

const INSIDE = String.raw`[^\s*](?:[^*]*[^\s*])?`;
const [AFTER_WORD, BEFORE_WORD] = [String.raw`(?<![\p{L}\p{N}_*])`, String.raw`(?![\p{L}\p{N}_*])`];
const MARKED = new RegExp(
  `\`(?<code>[^\`]+)\`|${AFTER_WORD}(?:\\*\\*(?<strong>${INSIDE})\\*\\*|\\*(?<em>${INSIDE})\\*)${BEFORE_WORD}`,
  "gu",
);

export type Piece = ["" | "code" | "strong" | "em", string];

/** The pieces of a text, each with the element that marks it: as in coursekit.marked. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    const { code, strong, em } = match.groups!;
    found.push(["", text.slice(end, match.index)]);
    found.push(code ? ["code", code] : strong ? ["strong", strong] : ["em", em!]);
    end = match.index + match[0].length;
  }
  return [...found, ["", text.slice(end)] satisfies Piece].filter(([, piece]) => piece !== "");
}

/** The nodes of a text in which `backticks` mark code, *stars* stress and **two of them** weight; addresses are links. */
export function prose(text: string): Child[] {
  return pieces(text).flatMap(([tag, piece]) => (tag === "" ? piece.split(ADDRESS).map(linked) : h(tag, {}, piece)));
}

const ADDRESS = /(https?:\/\/\S*[\w/])/;
const linked = (text: string): Child => (ADDRESS.test(text) ? h("a", { href: text, target: "_blank" }, text) : text);

/** What a verdict begins with: in marker where it is right, dashed where it is not yet. */
export function tag(passed: boolean, text = passed ? "Right" : "Not yet"): HTMLElement {
  return h("strong", { class: passed ? "ck-tag ck-good" : "ck-tag" }, text);
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
