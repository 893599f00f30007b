// Exercises that build on earlier ones: which code runs first, the reader's or the course's.
import { h } from "./dom.ts";
import type { Store } from "./store.ts";
import type { Used } from "./types.ts";

/** The reader's answer that passed, or else what stands in for it. */
export function earlierCode(uses: Used[], store: Store): { title: string; code: string }[] {
  return uses.map((used) => {
    const own = store.read(used.id, used.version).passed;
    const code = own === undefined ? used.stand_in : `${used.setup}\n${own}`;
    return { title: used.title, code };
  });
}

/** Keep the block's line on earlier steps true: it says of each function whose it is. */
export function sayWhose(block: HTMLElement, uses: Used[], store: Store): void {
  const line = block.querySelector<HTMLElement>(".ck-uses");
  if (!line || uses.length === 0) return;
  const show = () => {
    const own = uses.filter((used) => store.read(used.id, used.version).passed !== undefined);
    const lent = uses.filter((used) => !own.includes(used));
    line.replaceChildren("Runs first: ");
    if (own.length > 0) line.append("your ", ...names(own));
    if (own.length > 0 && lent.length > 0) line.append("; ");
    if (lent.length > 0) line.append("the course’s ", ...names(lent), ", until yours pass");
    line.append(".");
  };
  store.onChange(show);
  show();
}

/** Each name leads to its exercise. */
function names(uses: Used[]): (Node | string)[] {
  const links = uses.flatMap(({ id, names }) =>
    names.map((name) => h("a", { href: `#exercise-${id}` }, h("code", {}, name))),
  );
  return links.flatMap((link, i) => (i > 0 ? [", ", link] : [link]));
}
