// The text, with arcs from one word to those that it looks at.
import { h, s, set } from "../ui/dom.ts";
import type { Shown } from "./words.ts";

/** Below these, a weight has no arc, and no number. */
const [FAINT, TOLD] = [0.03, 0.14];
/** What a word keeps for itself is told from here on. */
const OWN = 0.2;

export class Sheet {
  readonly element = h("div", { class: "stage" });
  private readonly arcs = s("svg", { class: "arcs", "aria-hidden": "true" });
  private readonly text = h("p", {
    class: "text",
    tabindex: 0,
    role: "group",
    "aria-label": "The text. The arrow keys look back, from word to word.",
  });
  private readonly caret = h("i", { class: "caret", "aria-hidden": "true" });
  private spans: HTMLElement[] = [];

  /**
   * @param look - called with the place of a word that is tapped
   * @param step - called with the number of places that an arrow key goes; 0 goes to the newest word
   */
  constructor(look: (at: number) => void, step: (by: number) => void) {
    this.element.append(h("div", { class: "paper" }, this.arcs, this.text));
    this.text.addEventListener("click", (event) => {
      const at = this.spans.findIndex((span) => span.contains(event.target as Node));
      if (at >= 0) look(at);
    });
    this.text.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, Escape: 0 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      step(by);
    });
  }

  /** Writes the words; those before `given` were not written by the model. */
  write(words: readonly Shown[], given: number, isEnded: boolean): void {
    const isNew = words.length === this.spans.length + 1 && words.length > given;
    this.spans.length = Math.min(this.spans.length, words.length);
    words.forEach(({ text }, i) => {
      const span = (this.spans[i] ??= h("span"));
      span.className = i === 0 ? "begin" : i < given ? "given" : isNew && i === words.length - 1 ? "new" : "";
      if (span.firstChild?.textContent !== text) span.replaceChildren(text);
    });
    const parts = words.flatMap(({ isApart }, i) => (isApart ? [" ", this.spans[i]!] : [this.spans[i]!]));
    this.text.replaceChildren(...parts, ...(isEnded ? [] : [this.caret]));
    if (isNew) this.element.scrollTop = this.element.scrollHeight;
  }

  /** Draws where a word looks; `isNew` draws the arcs from the word to the others. */
  look(at: number, weights: ArrayLike<number> | undefined, isNew: boolean): void {
    this.arcs.replaceChildren();
    for (const span of this.spans) {
      span.classList.remove("query", "key");
      span.querySelector("b")?.remove();
    }
    const asks = this.spans[at];
    if (!asks || !weights) return;
    asks.classList.add("query");
    this.keepInSight(asks);
    const order = Array.from(weights).map((weight, j) => [weight, j] as const).sort(([a], [b]) => a - b);
    for (const [weight, j] of order.filter(([weight]) => weight >= FAINT)) {
      const answers = this.spans[j]!;
      if (j !== at) this.draw(asks, answers, weight, isNew);
      if (weight < (j === at ? OWN : TOLD)) continue;
      if (j !== at) answers.classList.add("key");
      answers.append(h("b", { "aria-hidden": "true" }, weight.toFixed(2)));
    }
  }

  /** Scrolls the text, not the page. */
  private keepInSight(word: HTMLElement): void {
    const [stage, box] = [this.element.getBoundingClientRect(), word.getBoundingClientRect()];
    const above = stage.top + box.height - box.top;
    if (above > 0) this.element.scrollTop -= above;
    else this.element.scrollTop += Math.max(0, box.bottom - stage.bottom);
  }

  private draw(asks: HTMLElement, answers: HTMLElement, weight: number, isNew: boolean): void {
    const frame = this.arcs.getBoundingClientRect();
    if (frame.width === 0) return; // a still is drawn where words have no places
    const [from, to] = [asks.getBoundingClientRect(), answers.getBoundingClientRect()];
    const size = parseFloat(getComputedStyle(this.text).fontSize);
    const centre = (box: DOMRect): number => box.left + box.width / 2 - frame.left;
    const isBeside = Math.abs(from.top - to.top) < size / 4;
    const y = from.top - frame.top + size * 0.12;
    const ends = isBeside ? y : to.bottom - frame.top - size * 0.1;
    set(this.arcs.appendChild(s("path")), {
      d: arc([centre(from), y], [centre(to), ends], isBeside ? Math.min(size * 1.1, 12 + Math.abs(centre(from) - centre(to)) * 0.14) : 0),
      "stroke-width": (0.8 + 5.5 * weight).toFixed(2),
      opacity: Math.min(1, 0.16 + 0.9 * weight).toFixed(2),
      pathLength: 1,
      class: isNew ? "drawn" : undefined,
    });
  }
}

type Point = readonly [number, number];

/** An arc over the words between two of a line (`lift` is its height), or down from a line above. */
function arc([x, y]: Point, [toX, toY]: Point, lift: number): string {
  const up = lift || Math.max(18, (y - toY) / 2);
  return `M${x} ${y}C${x} ${y - up},${toX} ${lift ? toY - up : toY + up},${toX} ${toY}`;
}
