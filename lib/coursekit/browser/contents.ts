// How far the reader is, beside the chapters' names in the table of contents.
import { chapters, doneOf, leadsTo } from "./chapters.ts";
import { h } from "./dom.ts";
import type { Store } from "./store.ts";

/** Adds a tick to each finished chapter, a quiet `3 of 10` to one that was begun. */
export function contentsProgress(store: Store): void {
  const all = chapters();
  const links = [...document.querySelectorAll<HTMLAnchorElement>("nav .toctree-l1 > a")];
  const places = links.flatMap((link) => {
    const chapter = all.find((chapter) => leadsTo(link.pathname, chapter));
    const place = h("span", { class: "ck-far" });
    if (chapter) link.append(place);
    return chapter ? [{ chapter, place }] : [];
  });
  const update = () => {
    for (const { chapter, place } of places) {
      const done = doneOf(chapter.exercises, store);
      place.replaceChildren(...far(done, chapter.exercises.length));
      place.closest("li")!.classList.toggle("ck-done", done === chapter.exercises.length);
    }
  };
  update();
  store.onChange(update);
}

/** For the eye a tick or `3 of 10`; for the ear what is counted. */
function far(done: number, of: number): HTMLElement[] {
  if (done === 0) return [];
  const shown = done === of ? "✓" : `${done} of ${of}`;
  return [
    h("span", { "aria-hidden": "true" }, shown),
    h("span", { class: "ck-spoken" }, `: ${done} of ${of} exercises done`),
  ];
}
