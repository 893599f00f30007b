// Values on a line with the output between them; in HTML, so that text keeps its size when narrow.
import { h } from "./dom.ts";
import { icon, type Role } from "./marks.ts";

interface Stop {
  at: number;
  label: string;
}

export class NumberLine {
  readonly element = h("div", { class: "number-line", "aria-hidden": "true" });
  /** It stays the same element, so that it moves smoothly. */
  private readonly output = mark("output");

  /** Redraws the line; the output stands above it, the values below. */
  update(values: readonly Stop[], output: Stop): void {
    const numbers = values.map(({ at }) => at);
    const low = Math.min(...numbers);
    const span = Math.max(...numbers) - low || 1;
    const placed = (element: HTMLElement, { at, label }: Stop): HTMLElement => {
      element.style.left = `${(100 * (at - low)) / span}%`;
      element.lastElementChild!.textContent = label;
      return element;
    };
    const below = values.map((value) => placed(mark("value"), value));
    this.element.replaceChildren(placed(this.output, output), ...below);
  }
}

const mark = (role: Role): HTMLElement => h("span", { class: `stop ${role}` }, icon(role), h("span"));
