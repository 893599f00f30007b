// The likeliest next words as bars; a press forces one.
import { h } from "../ui/dom.ts";
import { markOf } from "./words.ts";

const MOST = 5;
/** Below it, a bar could not be seen. */
const LEAST = 0.008;

/** `force` is called with the token of a bar that is pressed. */
export function barsOf(force: (token: number) => void) {
  const title = h("p", { class: "title" });
  const rest = h("p", { class: "shape" });
  let tokens: number[] = [];
  const rows = Array.from({ length: MOST }, (_, i) => {
    const [next, bar, share] = [h("span"), h("i"), h("span", { class: "share" })];
    const button = h("button", { type: "button" }, next, h("span", { class: "track" }, bar), share);
    button.addEventListener("click", () => force(tokens[i]!));
    return { next, bar, share, button };
  });
  const list = h("ol", { class: "likely" }, ...rows.map(({ button }) => h("li", {}, button)));
  return {
    element: h("div", { class: "likely-part" }, title, list, rest),
    update(words: readonly string[], shares: readonly number[], heading: string, isFixed: boolean): void {
      title.textContent = heading;
      tokens = [...shares.keys()].sort((a, b) => shares[b]! - shares[a]!).slice(0, MOST);
      rows.forEach(({ next, bar, share, button }, i) => {
        const token = tokens[i]!;
        const mark = markOf(words, token);
        next.textContent = mark || words[token]!;
        next.className = mark ? "next sign" : "next";
        bar.style.transform = `scaleX(${Math.max(shares[token]!, LEAST)})`;
        share.textContent = shares[token]!.toFixed(2);
        button.className = "";
        button.disabled = isFixed;
      });
      const others = 1 - tokens.reduce((sum, token) => sum + shares[token]!, 0);
      rest.textContent = `The other ${shares.length - MOST} words: ${Math.max(0, others).toFixed(2)} together`;
    },
    /** Shows which word was taken, until the next update. */
    pick(token: number): void {
      rows[tokens.indexOf(token)]?.button.classList.add("picked");
    },
  };
}
