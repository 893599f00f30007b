// Values on a line with the output between them; in HTML, so that text keeps its size when narrow.
import { h } from "./dom.ts";
import { icon, type Role } from "./marks.ts";

interface Stop {
  at: number;
  label: string;
}

export class NumberLine {
  readonly element = h("div", { class: "number-line", "aria-hidden": "true" });

  /** Redraws the line; the output stands above it, the values below. */
  update(values: readonly Stop[], output: Stop): void {
    const numbers = values.map(({ at }) => at);
    const low = Math.min(...numbers);
    const span = Math.max(...numbers) - low || 1;
    const place = (stop: Stop, role: Role): HTMLElement => {
      const left = `left:${(100 * (stop.at - low)) / span}%`;
      return h("span", { class: `stop ${role}`, style: left }, icon(role), h("span", {}, stop.label));
    };
    const moved = this.element.querySelector<HTMLElement>(".output");
    if (!moved) this.element.replaceChildren(place(output, "output"), ...values.map((v) => place(v, "value")));
    else {
      // Keep the element, so that it moves smoothly.
      const next = place(output, "output");
      moved.style.left = next.style.left;
      moved.lastElementChild!.textContent = output.label;
      this.element.replaceChildren(moved, ...values.map((v) => place(v, "value")));
    }
  }
}
