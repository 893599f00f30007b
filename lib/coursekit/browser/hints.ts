// The ladder of hints: each becomes available when the one before it has been opened.
import type { Store } from "./store.ts";

export function climb(block: HTMLElement, id: string, version: string, store: Store): void {
  const hints = [...block.querySelectorAll<HTMLDetailsElement>("details.ck-hint")];
  const show = (opened: number) => hints.forEach((hint, i) => (hint.hidden = i > opened));
  show(store.read(id, version).hints ?? 0);
  hints.forEach((hint, i) => {
    hint.addEventListener("toggle", () => {
      const opened = store.read(id, version).hints ?? 0;
      if (!hint.open || i + 1 <= opened) return;
      store.write(id, version, { hints: i + 1 });
      show(i + 1);
    });
  });
}
