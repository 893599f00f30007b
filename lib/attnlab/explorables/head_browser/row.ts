// One row of a map: lines from a token to the keys, each as thick as its weight is large.
import { h, s } from "../ui/dom.ts";
import * as text from "../text.ts";
import { strokeOf } from "../ui/scales.ts";

const STEP = 26;
const WIDTH = 120;

export class Row {
  readonly element = h("div", { class: "row" });
  private readonly choose: (token: number) => void;
  private readonly look: (token: number | undefined) => void;

  /** @param look - called with the token under the pointer; without one when the pointer leaves */
  constructor(choose: (token: number) => void, look: (token: number | undefined) => void) {
    [this.choose, this.look] = [choose, look];
    this.element.addEventListener("pointerleave", () => look(undefined));
  }

  private built = "";
  private queries: HTMLButtonElement[] = [];
  private keys: HTMLElement[] = [];
  private lines: SVGElement[] = [];

  /** Shows the row of the token at `from`. */
  update(tokens: readonly string[], weights: ArrayLike<number> | undefined, from: number, key: number): void {
    if (tokens.join(" ") !== this.built) this.build(tokens);
    const y = (i: number): number => (i + 0.5) * STEP;
    this.queries.forEach((query, i) => query.setAttribute("aria-pressed", `${i === from}`));
    this.keys.forEach((element, j) => {
      element.classList.toggle("chosen", j === key);
      element.lastChild!.textContent = weights ? text.number(weights[j]!) : "…";
      const middle = WIDTH / 2;
      const d = `M0 ${y(from)} C${middle} ${y(from)} ${middle} ${y(j)} ${WIDTH} ${y(j)}`;
      this.lines[j]!.setAttribute("d", d);
      this.lines[j]!.setAttribute("stroke-width", `${weights ? strokeOf(weights[j]!) : 0}`);
    });
  }

  private build(tokens: readonly string[]): void {
    this.built = tokens.join(" ");
    this.queries = tokens.map((token, i) => {
      const button = h("button", { type: "button", class: "name query" }, token);
      button.addEventListener("click", () => this.choose(i));
      button.addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse") this.look(i);
      });
      return button;
    });
    this.keys = tokens.map((token) => h("li", {}, h("span", { class: "name key" }, token), h("span", { class: "weight" })));
    this.lines = tokens.map(() => s("path", { class: "ribbon" }));
    const height = tokens.length * STEP;
    const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, height, "aria-hidden": true, preserveAspectRatio: "none" }, ...this.lines);
    this.element.replaceChildren(
      h("div", { class: "queries", role: "group", "aria-label": "The query of" }, ...this.queries),
      svg,
      h("ol", { class: "keys", "aria-label": "Keys and their weights" }, ...this.keys),
    );
  }
}
