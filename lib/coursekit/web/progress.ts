// How far the reader is: the line below a page's title, the path of chapters, and where to go on.
import { button, h, liveRegion } from "./dom.ts";
import { type Chapter, chapterHere, chapters, doneOf, isFinished, type Known, known } from "./chapters.ts";
import { isBegun, pageName, type Store } from "./store.ts";

const LOST = "This browser keeps no answers: they are gone when you leave the page.";

/** Fills the line of this page, and keeps it current. */
export function pageProgress(exercises: Known[], store: Store): void {
  const line = document.querySelector<HTMLElement>(".ck-progress");
  if (!line || exercises.length === 0) return;
  const count = line.querySelector<HTMLElement>(".ck-count")!;
  const lost = h("span", { class: "ck-lost", hidden: true }, LOST);
  const forget = forgetControl("Forget my answers", "Forget the answers on this page?", () => {
    store.forget([...exercises.map(({ id }) => id), ...store.cells(pageName())]);
  });
  line.append(forget, lost);
  const update = () => {
    const done = exercises.filter((e) => store.read(e.id, e.version).done).length;
    const begun = exercises.some((e) => isBegun(store.read(e.id, e.version)));
    count.textContent = `${done} of ${exercises.length} exercises on this page done`;
    forget.hidden = !begun;
    lost.hidden = store.keeps;
  };
  update();
  store.onChange(update);
}

/** Fills the path of all chapters, and keeps it current. */
export function pathProgress(store: Store): void {
  for (const path of document.querySelectorAll<HTMLElement>(".ck-path")) {
    const cells = [...path.querySelectorAll<HTMLElement>("[data-exercises]")];
    const rows = cells.map((cell) => ({ cell, here: cell.dataset["exercises"]!.split(" ").map(known) }));
    const update = () =>
      rows.forEach(({ cell, here }) => {
        cell.replaceChildren(...far(here, store));
        const done = doneOf(here, store);
        const row = cell.closest("li")!.classList;
        row.toggle("ck-done", done === here.length);
        row.toggle("ck-begun", done > 0);
      });
    update();
    store.onChange(update);
    const all = rows.flatMap(({ here }) => here.map(({ id }) => id));
    const forget = forgetControl("Forget all my answers", "Forget the answers of all chapters?", () => {
      store.forget([...all, ...store.cells()]);
      store.page = null;
    });
    path.append(forget);
  }
}

/** `3 of 10`, with a tick where all are done. */
function far(exercises: Known[], store: Store): (Node | string)[] {
  const done = doneOf(exercises, store);
  const tick = done === exercises.length ? [h("span", { class: "ck-tick", "aria-hidden": "true" }, "✓ ")] : [];
  return [...tick, `${done} of ${exercises.length}`];
}

/** Remembers the chapter that is open; elsewhere *Start* becomes *Continue*, where it was begun. */
export function continueFrom(store: Store): void {
  const all = chapters();
  const here = chapterHere(all);
  if (here) store.page = here.file;
  const link = document.querySelector<HTMLAnchorElement>(".ck-start a.ck-button");
  const last = all.findIndex(({ file }) => file === store.page);
  if (!link || last < 0) return;
  const { file, title } = next(all, last, store);
  link.href = new URL(file, new URL(rootOf(link, all[0]!), location.href)).href;
  link.textContent = `Continue: ${title}`;
}

/** The chapter that was left, or the first after it that is not finished. */
function next(all: Chapter[], last: number, store: Store): Chapter {
  const isOpen = (chapter: Chapter) => !isFinished(chapter, store);
  return all.slice(last).find(isOpen) ?? all.find(isOpen) ?? all[last]!;
}

/** The site's folder: the button leads to the first chapter. */
const rootOf = (link: HTMLAnchorElement, first: Chapter): string =>
  link.getAttribute("href")!.replace(first.file, "") || "./";

/** A quiet button that asks once before it acts; the page then starts afresh. */
function forgetControl(label: string, question: string, forget: () => void): HTMLElement {
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
