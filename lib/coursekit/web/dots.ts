// A dot in the page's bar and at the head of each of its exercises: full when it is done. So is what
// stands for an exercise elsewhere, such as a part of a drawing.
import { chapters, type Known } from "./chapters.ts";
import { h } from "./dom.ts";
import type { Store } from "./store.ts";

/** Fills the bar's place: a dot for each exercise, and how many are done, as a link to the next. */
export function exerciseDots(exercises: Known[], store: Store): void {
  const place = document.querySelector<HTMLElement>(".ck-dots");
  if (!place || exercises.length === 0) return;
  const list = h("ol", {});
  const next = h("a", { class: "ck-next" });
  place.append(list, next);
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", "Exercises on this page");
  const rows = exercises.map((exercise, i) => {
    const block = document.querySelector<HTMLElement>(`[data-exercise="${exercise.id}"]`);
    const title = block?.querySelector(".ck-title")?.textContent ?? "";
    const link = h("a", { href: `#${block?.id ?? ""}`, title });
    const row = h("li", {}, link);
    list.append(row);
    return { exercise, block, link, row, title, name: `Exercise ${i + 1}: ${title}` };
  });
  const update = () => {
    for (const { exercise, block, link, row, name } of rows) {
      const isDone = store.read(exercise.id, exercise.version).done === true;
      for (const shown of [row, block]) shown?.classList.toggle("ck-done", isDone);
      link.setAttribute("aria-label", isDone ? `${name}, done` : name);
    }
    const count = `${list.querySelectorAll(".ck-done").length} of ${rows.length}`;
    const { link, title } = rows.find(({ row }) => !row.matches(".ck-done")) ?? rows[0]!;
    next.textContent = count;
    next.href = link.href;
    next.setAttribute("aria-label", `${count} done, go to “${title}”`);
  };
  update();
  store.onChange(update);
}

/** Marks links that name an exercise of any page in `data-done-by`, and keeps them current. */
export function doneLinks(store: Store): void {
  const links = [...document.querySelectorAll("a[data-done-by]")];
  const versions = new Map(chapters().flatMap(({ exercises }) => exercises.map(({ id, version }) => [id, version])));
  const names = links.map((link) => link.getAttribute("aria-label") ?? link.textContent);
  const update = () =>
    links.forEach((link, i) => {
      const id = link.getAttribute("data-done-by")!;
      const isDone = store.read(id, versions.get(id) ?? "").done === true;
      link.classList.toggle("ck-done", isDone);
      link.setAttribute("aria-label", isDone ? `${names[i]}, done` : names[i]!);
    });
  update();
  store.onChange(update);
}
