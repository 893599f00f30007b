// Two tabs of the course agree: each hears what the other writes.
import { button, h } from "./dom.ts";
import { isMemory, type Memory, type Store } from "./store.ts";

const CHANGED = "Your answer to this was changed in another tab.";
const UNTIL = "What you write here takes its place.";

/** Follows what other tabs write; `changed` hears of answers that are no longer those shown here. */
export function listen(store: Store, changed: (id: string) => void = () => {}): void {
  window.addEventListener("storage", ({ key, oldValue, newValue }) => {
    const id = store.idOf(key);
    if (id === null && key !== null) return; // not of this course; null: all was cleared
    store.tell();
    if (id !== null && answer(oldValue) !== answer(newValue)) changed(id);
  });
}

/** Says in an exercise's block that its answer is another one now, and offers to show that. */
export function sayChanged(block: HTMLElement): void {
  block.querySelector(".ck-elsewhere")?.remove();
  const show = button("Show that answer", "ck-plain", () => window.location.reload());
  const keep = button("Stay with this one", "ck-plain", () => note.remove());
  const buttons = h("span", { class: "ck-buttons" }, show, keep);
  const note = h("div", { class: "ck-note ck-elsewhere", role: "status" });
  block.querySelector(".ck-title")?.after(note);
  note.append(h("p", {}, `${CHANGED} ${UNTIL}`), buttons); // after it is there, so that it is spoken
}

/** What the reader wrote or picked, as text to compare. */
function answer(stored: string | null): string {
  let memory: unknown = null;
  try {
    memory = JSON.parse(stored ?? "null");
  } catch {
    // unreadable: as good as nothing
  }
  if (!isMemory(memory)) return "";
  const { code, answers }: Memory = memory;
  return JSON.stringify([code, answers]);
}
