// The reader's functions by name: each glows when it runs, and tells how often it ran for a word.
import { h } from "../ui/dom.ts";

const GLOW = 320; // ms

export function functionsOf(names: readonly string[]) {
  const items = names.map((name) => {
    const count = h("span", { class: "count" });
    return { item: h("li", {}, h("span", {}, name), count), count };
  });
  const label = "Your functions, and how often each ran for the last word";
  return {
    element: h("ol", { class: "functions flow", "aria-label": label }, ...items.map(({ item }) => item)),
    /** Shows how often each has run. */
    ran(calls: readonly number[]): void {
      items.forEach(({ item, count }, i) => {
        const isUsed = calls[i]! > 0;
        count.textContent = isUsed ? ` ${calls[i]}×` : "";
        item.className = isUsed ? "glows" : "rests";
        setTimeout(() => item.classList.remove("glows"), GLOW);
      });
    },
  };
}
