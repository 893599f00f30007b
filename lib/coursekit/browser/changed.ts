// An answer that is kept from an older version of its exercise: it is shown, and said to be one.
import { h } from "./dom.ts";
import type { Store } from "./store.ts";
import type { ExerciseData } from "./types.ts";

export function sayOlder(block: HTMLElement, { id, version, kind }: ExerciseData, store: Store): void {
  const isOlder = () => store.read(id, version).changed === true;
  if (!isOlder()) return;
  const what = kind === "quiz" ? "question" : "exercise";
  const line = h(
    "p",
    { class: "ck-note ck-changed" },
    `This ${what} has changed since you answered: your answer is kept, and counts once you have checked it again.`,
  );
  block.querySelector(`#exercise-${id}-title`)!.after(line);
  store.onChange(() => isOlder() || line.remove());
}
