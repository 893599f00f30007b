// Steps through code that has run: the line, and what its names then were. Arrow keys move.
import { button, h, prose } from "./dom.ts";

/** What coursekit.in_page.trace.as_data answers, and coursekit.in_page.answers.trace adds. */
export interface Trace {
  /** `html` is a table that our own Python made, with the reader's text escaped. */
  steps: { line: number; function: string; html: string }[];
  cut: boolean;
  error?: string | null;
  /** The first step whose result is not that of a right answer, and in what it departs. */
  departs?: { step: number; what: string } | null;
}

export function stepper(trace: Trace, code: string): HTMLElement {
  const { steps } = trace;
  if (steps.length === 0) {
    const why = trace.error ?? "No line of this code gives a name a value, so there is nothing to step through.";
    return h("div", { class: "ck-trace" }, h("p", { class: "ck-note" }, ...prose(why)));
  }
  let at = trace.departs?.step ?? 0;
  const listing = h("ol", { class: "ck-trace-code" }, ...code.replace(/\n$/, "").split("\n").map(line));
  const names = h("div", { class: "ck-trace-table" });
  const where = h("p", { class: "ck-trace-where", role: "status", "aria-live": "polite" });
  const back = button("Previous", "ck-plain", () => go(at - 1));
  const next = button("Next", "ck-plain", () => go(at + 1));
  const go = (to: number) => {
    at = Math.max(0, Math.min(to, steps.length - 1));
    const step = steps[at]!;
    listing.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = listing.children[step.line - 1] as HTMLElement | undefined;
    current?.setAttribute("aria-current", "step");
    if (current) listing.scrollTop = current.offsetTop - listing.offsetTop - listing.clientHeight / 2;
    names.innerHTML = step.html;
    const inside = step.function === "module" ? "" : ` in ${step.function}`;
    where.textContent = `Step ${at + 1} of ${steps.length}: line ${step.line}${inside}.`;
    back.setAttribute("aria-disabled", String(at === 0));
    next.setAttribute("aria-disabled", String(at === steps.length - 1));
  };
  const keys = h("span", { class: "ck-keys" }, "← → move, Home and End jump");
  const made = h(
    "div",
    { class: "ck-trace", role: "group", "aria-label": "Steps", tabindex: "0" },
    h("p", { class: "ck-trace-title" }, "Step by step"),
    ...notes(trace, () => go(trace.departs!.step)),
    h("div", { class: "ck-buttons" }, back, next, keys),
    where,
    listing,
    names,
  );
  listing.tabIndex = names.tabIndex = 0; // both may scroll
  listing.setAttribute("aria-label", "The code, with the line of this step marked");
  names.setAttribute("role", "group");
  names.setAttribute("aria-label", "Names at this step");
  made.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  });
  go(at);
  return made;
}

function line(text: string): HTMLElement {
  return h("li", {}, h("code", {}, text || " "));
}

function notes({ departs, error, cut, steps }: Trace, show: () => void): Node[] {
  const lines: Node[] = [];
  if (departs) {
    const words = prose(`Up to step ${departs.step} nothing departs. At step ${departs.step + 1}, ${departs.what}. `);
    const first = departs.step === 0 ? prose(`At step 1, ${departs.what}. `) : words;
    lines.push(h("p", { class: "ck-trace-departs" }, ...first, button("Show that step", "ck-plain", show)));
  }
  if (error) lines.push(h("p", { class: "ck-error" }, ...prose(error)));
  if (cut) lines.push(h("p", { class: "ck-note" }, `The first ${steps.length} steps are kept.`));
  return lines;
}
