// Predict, then run: the folded output below a prediction stays shut until the reader has
// committed to an answer, right or wrong. Nobody is locked out: a button opens it at any time.
import { button, h } from "./dom.ts";
import type { Store } from "./store.ts";

/** Shuts the first fold below the block of an exercise `predict-…`, and opens it when it may. */
export function gate(block: HTMLElement, id: string, version: string, store: Store): void {
  const fold = id.startsWith("predict-") ? foldBelow(block) : null;
  if (!fold) return;
  const anyway = button("Show it anyway", "ck-plain", () => {
    store.write(id, version, { shown: true });
    fold.querySelector("summary")!.focus(); // the button is gone
  });
  const asked = block.querySelectorAll("[data-question]").length > 1 ? "questions" : "question";
  const line = h("span", {}, `Answer the ${asked} above to see the output.`);
  const instead = h("div", { class: "ck-gate" }, line, anyway);
  fold.classList.add("ck-shut");
  fold.before(instead);
  const open = () => {
    const { tried, shown } = store.read(id, version);
    if (!instead.isConnected || !(tried || shown)) return;
    instead.remove();
    fold.classList.remove("ck-shut");
    fold.open = true;
  };
  open();
  store.onChange(open);
}

/** The first folded output after the block and before the next exercise or heading. */
function foldBelow(block: HTMLElement): HTMLDetailsElement | null {
  for (let at = block.nextElementSibling; at; at = at.nextElementSibling) {
    if (at.localName === "section") return null;
    if (at.matches(".tag_hide-output, .tag_hide-cell")) {
      return at.querySelector<HTMLDetailsElement>(":scope > details.hide");
    }
  }
  return null;
}
