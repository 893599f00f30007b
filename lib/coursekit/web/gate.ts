// Predict, then read on: the folded output below a prediction, and what the section says of it,
// wait until the reader has committed to an answer, right or wrong. Nobody is locked out: a button
// shows it at any time, and so does a link that leads there.
import { button, h } from "./dom.ts";
import type { Store } from "./store.ts";

/** Shuts what follows the block of an exercise `predict-…`, and shows it when it may. */
export function gate(block: HTMLElement, id: string, version: string, store: Store): void {
  const waiting = id.startsWith("predict-") ? outputsBelow(block) : [];
  const fold = waiting[0]?.querySelector<HTMLDetailsElement>(":scope > details.hide");
  if (!fold) return;
  const anyway = button("Show it anyway", "ck-plain", () => {
    store.write(id, version, { shown: true });
    fold.querySelector("summary")!.focus(); // the button is gone
  });
  const asked = block.querySelectorAll("[data-question]").length > 1 ? "questions" : "question";
  const line = h("span", {}, `Answer the ${asked} above to read on in this section.`);
  const instead = h("div", { class: "ck-gate" }, line, anyway);
  const shut = [fold, ...waiting.slice(1)];
  shut.forEach((part) => part.classList.add("ck-shut"));
  fold.before(instead);
  const open = () => {
    const { tried, shown } = store.read(id, version);
    if (!instead.isConnected || !(tried || shown)) return;
    instead.remove();
    shut.forEach((part) => part.classList.remove("ck-shut"));
    fold.open = true;
  };
  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.closest(".ck-shut")) return;
    if (shut.some((part) => part.contains(target))) store.write(id, version, { shown: true });
    target.scrollIntoView();
  };
  open();
  store.onChange(open);
  follow();
  window.addEventListener("hashchange", follow);
}

/** From the first folded output after the block to the next heading, or exercise without a figure. */
function outputsBelow(block: HTMLElement): HTMLElement[] {
  const outputs: HTMLElement[] = [];
  for (let at = block.nextElementSibling; at; at = at.nextElementSibling) {
    if (at.matches("section:not(.ck-exercise:has(.ck-explorable))")) break;
    const isFold = at.matches(".tag_hide-output, .tag_hide-cell");
    if (outputs.length || isFold) outputs.push(at as HTMLElement);
  }
  return outputs;
}
