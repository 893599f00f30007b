// Predict, then read on: what gives the answer to a prediction away waits until the reader has
// committed to one, right or wrong. That is the folded cell below the prediction, its code included,
// with all that its section says of it; and, wherever it stands on the page, what is marked
// `after-predict-…`. Nobody is locked out: a button shows it at any time, and so does a link that
// leads there.
import { button, h, prose } from "./dom.ts";
import type { Store } from "./store.ts";
import type { ExerciseData } from "./types.ts";

/** What each shut part still waits for: it may be the answers to several predictions. */
const awaited = new WeakMap<Element, Set<string>>();
/** What each prediction shuts. */
const shutBy = new Map<string, HTMLElement[]>();

/** Shuts what waits for the block of an exercise `predict-…`, and shows it when it may. */
export function gate(block: HTMLElement, { id, title, version }: ExerciseData, store: Store): void {
  if (!id.startsWith("predict-")) return;
  const below = outputsBelow(block);
  const waiting = [below, ...marked(block, id, below)].filter(({ length }) => length > 0);
  if (waiting.length === 0) return;
  const lines = waiting.map((parts) => {
    const anyway = button("Show it anyway", "ck-plain", () => {
      store.write(id, version, { shown: true });
      focusOn(parts[0]!); // the button is gone
    });
    const line = h("div", { class: "ck-gate" }, awaitedAnswer(block, id, title), anyway);
    awaited.get(parts[0]!)?.forEach((other) => {
      shutBy.get(other)!.push(line); // one line at a time says what is waited for
      shutFor(line, other);
    });
    parts[0]!.before(line);
    return line;
  });
  const shut = waiting.flat();
  shutBy.set(id, shut);
  shut.forEach((part) => shutFor(part, id));
  const open = () => {
    const { tried, shown } = store.read(id, version);
    if (!lines[0]!.isConnected || !(tried || shown)) return;
    lines.forEach((line) => line.remove());
    shut.forEach((part) => openFor(part, id));
    const fold = below[0]?.querySelector<HTMLDetailsElement>(":scope > details.hide");
    if (fold) fold.open = true;
  };
  const follow = () => {
    const target = document.getElementById(location.hash.slice(1).split("&")[0]!); // a figure’s state may follow
    if (!target?.closest(".ck-shut")) return;
    if (shut.some((part) => part.contains(target))) store.write(id, version, { shown: true });
    target.scrollIntoView();
  };
  open();
  store.onChange(open);
  follow();
  window.addEventListener("hashchange", follow);
}

function awaitedAnswer(block: HTMLElement, id: string, title: string): HTMLElement {
  const answer = block.querySelectorAll("[data-question]").length > 1 ? "answers" : "answer";
  const link = h("a", { href: `#exercise-${id}` }, ...prose(title));
  return h("span", {}, `Waits for your ${answer} to `, link, ".");
}

/** From the first folded cell after the block to the next heading, or exercise without a figure. */
function outputsBelow(block: HTMLElement): HTMLElement[] {
  const outputs: HTMLElement[] = [];
  for (let at = block.nextElementSibling; at; at = at.nextElementSibling) {
    if (at.matches("section:not(.ck-exercise:has(.ck-explorable))")) break;
    const isFold = at.matches(".tag_hide-output, .tag_hide-cell");
    if (outputs.length || isFold) outputs.push(at as HTMLElement);
  }
  return outputs;
}

/** What is marked to wait for a prediction and is not in `below`; neighbours stand together. */
function marked(block: HTMLElement, id: string, below: HTMLElement[]): HTMLElement[][] {
  const groups: HTMLElement[][] = [];
  for (const part of document.querySelectorAll<HTMLElement>(`.after-${id}, .tag_after-${id}`)) {
    const last = groups.at(-1)?.at(-1);
    const isInside = [...below, ...groups.flat()].some((other) => other.contains(part));
    if (isInside || part.contains(block)) continue;
    if (last && last === part.previousElementSibling) groups.at(-1)!.push(part);
    else groups.push([part]);
  }
  return groups;
}

function shutFor(part: HTMLElement, id: string): void {
  awaited.set(part, (awaited.get(part) ?? new Set()).add(id));
  part.classList.add("ck-shut");
}

function openFor(part: HTMLElement, id: string): void {
  const rest = awaited.get(part);
  rest?.delete(id);
  part.classList.toggle("ck-shut", Boolean(rest?.size));
}

/** Puts the focus where what was shut begins: on its fold, or on itself. */
function focusOn(part: HTMLElement): void {
  const fold = part.querySelector<HTMLElement>(":scope > details.hide > summary");
  if (!fold) part.tabIndex = -1;
  (fold ?? part).focus();
}
