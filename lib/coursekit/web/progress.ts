// How far the reader is: the line below a page's title, and the welcome page's table.
import { button, h, liveRegion } from "./dom.ts";
import type { Deck } from "./deck.ts";
import type { Store } from "./store.ts";

const LOST = "This browser keeps no answers: they are gone when you leave the page.";

interface Known {
  id: string;
  version: string;
}

/** Fills the line of this page, and keeps it current. */
export function pageProgress(exercises: Known[], store: Store, deck: Deck): void {
  const line = document.querySelector<HTMLElement>(".ck-progress");
  if (!line || exercises.length === 0) return;
  const count = line.querySelector<HTMLElement>(".ck-count")!;
  const lost = h("span", { class: "ck-lost", hidden: true }, LOST);
  const forget = forgetControl("Forget my answers", "Forget the answers on this page?", () => {
    store.forget(exercises.map(({ id }) => id));
    deck.forgetExercises(exercises.map(({ id }) => id));
  });
  line.append(forget, lost);
  const update = () => {
    const done = exercises.filter((e) => store.read(e.id, e.version).done).length;
    const begun = exercises.some((e) => Object.keys(store.read(e.id, e.version)).length > 1);
    count.textContent = `${done} of ${exercises.length} exercises on this page done`;
    forget.hidden = !begun;
    lost.hidden = store.keeps;
  };
  update();
  store.onChange(update);
}

/** Fills the table of all chapters. */
export function tableProgress(store: Store, deck: Deck): void {
  for (const table of document.querySelectorAll<HTMLElement>(".ck-progress-table")) {
    const all: string[] = [];
    for (const cell of table.querySelectorAll<HTMLElement>("[data-exercises]")) {
      const here = cell.dataset["exercises"]!.split(" ").map(known);
      const done = here.filter((e) => store.read(e.id, e.version).done).length;
      cell.textContent = `${done} of ${here.length}`;
      all.push(...here.map(({ id }) => id));
    }
    const forget = forgetControl("Forget all my answers", "Forget the answers of all chapters?", () => {
      store.forget(all);
      deck.forgetExercises(all);
    });
    table.append(forget);
  }
}

function known(text: string): Known {
  const [id, version] = text.split("@");
  return { id: id!, version: version! };
}

/** A quiet button that asks once before it acts; the page then starts afresh. */
export function forgetControl(label: string, question: string, forget: () => void): HTMLElement {
  const place = liveRegion("ck-forget");
  const ask = button(label, "ck-plain", () => {
    const keep = button("Keep them", "ck-plain", () => {
      place.replaceChildren(ask);
      ask.focus();
    });
    const yes = button("Forget", "ck-plain", () => {
      forget();
      window.location.reload();
    });
    place.replaceChildren(h("span", {}, question), yes, keep);
    keep.focus();
  });
  place.append(ask);
  return place;
}
