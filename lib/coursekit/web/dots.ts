// A dot in the page's bar and at the head of each of its exercises: full when it is done.
import type { Known } from "./chapters.ts";
import { h } from "./dom.ts";
import type { Store } from "./store.ts";

/** Fills the bar's place for dots, where a page has one, and keeps them current. */
export function exerciseDots(exercises: Known[], store: Store): void {
  const place = document.querySelector<HTMLElement>(".ck-dots");
  if (!place || exercises.length === 0) return;
  const list = h("ol", {});
  place.append(list);
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", "Exercises on this page");
  const rows = exercises.map((exercise, i) => {
    const block = document.querySelector<HTMLElement>(`[data-exercise="${exercise.id}"]`);
    const link = h("a", { href: `#${block?.id ?? ""}` });
    const row = h("li", {}, link);
    list.append(row);
    return { exercise, block, link, row, name: `Exercise ${i + 1}` };
  });
  const update = () => {
    for (const { exercise, block, link, row, name } of rows) {
      const isDone = store.read(exercise.id, exercise.version).done === true;
      for (const shown of [row, block]) shown?.classList.toggle("ck-done", isDone);
      link.setAttribute("aria-label", isDone ? `${name}, done` : name);
    }
  };
  update();
  store.onChange(update);
}
