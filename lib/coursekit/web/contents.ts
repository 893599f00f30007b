// How far the reader is, beside the chapters' names in the table of contents.
import { chapters, doneOf, leadsTo } from "./chapters.ts";
import { h } from "./dom.ts";
import type { Store } from "./store.ts";

/** Fills the bar of each chapter as far as it is done, and says it for the ear. */
export function contentsProgress(store: Store): void {
  const all = chapters();
  const links = [...document.querySelectorAll<HTMLAnchorElement>("nav .toctree-l1 > a")];
  const places = links.flatMap((link) => {
    const chapter = all.find((chapter) => leadsTo(link.pathname, chapter));
    const place = h("span", { class: "ck-spoken" });
    if (chapter) link.append(place);
    return chapter ? [{ chapter, place }] : [];
  });
  const update = () => {
    for (const { chapter, place } of places) {
      const done = doneOf(chapter.exercises, store);
      const all = chapter.exercises.length;
      place.textContent = done > 0 ? `: ${done} of ${all} exercises done` : "";
      const row = place.closest("li")!;
      row.style.setProperty("--ck-part", `${(100 * done) / all}%`);
      row.classList.toggle("ck-begun", done > 0);
      row.classList.toggle("ck-done", done === all);
    }
  };
  update();
  store.onChange(update);
}
