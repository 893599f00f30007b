// The line above an exercise's title: its dot fills when the exercise is done, and its words say so.
import type { Store } from "./store.ts";
import type { ExerciseData } from "./types.ts";

export function fillWhenDone(block: HTMLElement, { id, version, earned }: ExerciseData, store: Store): void {
  const worth = block.querySelector<HTMLElement>(".ck-worth")!;
  const before = worth.textContent;
  const update = () => {
    const done = store.read(id, version).done === true;
    block.classList.toggle("ck-done", done);
    worth.textContent = done ? earned : before;
  };
  update();
  store.onChange(update);
}
