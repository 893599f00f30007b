// Steps through code that has run: the line, and what its names then were. Arrow keys move.
import { button, h, prose } from "./dom.ts";

/** What coursekit.live.trace.as_data answers, and coursekit.web.in_page.trace adds. */
export interface Trace {
  /** `html` is a table that our own Python made, with the reader's text escaped. */
  steps: { line: number; function: string; html: string }[];
  cut: boolean;
  error?: string | null;
}

export function stepper({ steps, cut, error }: Trace, code: string): HTMLElement {
  if (steps.length === 0) {
    const why = error ?? "No line of this code gives a name a value, so there is nothing to step through.";
    return h("div", { class: "ck-trace" }, h("p", { class: "ck-note" }, ...prose(why)));
  }
  let at = 0;
  const lines = code.replace(/\n$/, "").split("\n").map((text) => h("li", {}, h("code", {}, text || " ")));
  const scrolls = { role: "group", tabindex: "0" };
  const listing = h("ol", { class: "ck-trace-code", tabindex: "0", "aria-label": "The code, with the line of this step marked" }, ...lines);
  const names = h("div", { class: "ck-trace-table", "aria-label": "Names at this step", ...scrolls });
  const where = h("p", { class: "ck-trace-where", role: "status", "aria-live": "polite" });
  const back = button("Previous", "ck-plain", () => go(at - 1));
  const next = button("Next", "ck-plain", () => go(at + 1));
  const go = (to: number) => {
    at = Math.max(0, Math.min(to, steps.length - 1));
    const step = steps[at]!;
    for (const [number, line] of lines.entries()) line.ariaCurrent = number + 1 === step.line ? "step" : null;
    listing.scrollTop = lines[step.line - 1]!.offsetTop - listing.clientHeight / 2;
    names.innerHTML = step.html;
    const inside = step.function === "module" ? "" : ` in ${step.function}`;
    where.textContent = `Step ${at + 1} of ${steps.length}: line ${step.line}${inside}.`;
    back.setAttribute("aria-disabled", String(at === 0));
    next.setAttribute("aria-disabled", String(at === steps.length - 1));
  };
  const made = h(
    "div",
    { class: "ck-trace", "aria-label": "Steps", ...scrolls },
    ...(error ? [h("p", { class: "ck-error" }, ...prose(error))] : []),
    ...(cut ? [h("p", { class: "ck-note" }, `The first ${steps.length} steps are kept.`)] : []),
    h("div", { class: "ck-buttons" }, back, next, h("span", { class: "ck-keys" }, "← → move, Home and End jump")),
    where,
    listing,
    names,
  );
  made.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  });
  go(at);
  return made;
}
