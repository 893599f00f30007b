// A figure that runs on the reader's answers: its cell has the tag `runs-ID`. It opens, as dark as a
// theatre, when that exercise and all that it builds on have passed, in whatever order, and what it
// asks is answered by the page's Python after the reader's code.
import { h, liveRegion, prose, tell } from "./dom.ts";
import type { Host } from "./host.ts";
import type { CodeData, Reply, Request, Used } from "./types.ts";
import { earlierCode } from "./uses.ts";

/** What a figure asks, by an event that bubbles: names that its code defines. */
type Asking = CustomEvent<{
  code: string;
  binds: string[];
  answer: (values: Record<string, unknown>) => void;
  fail: () => void;
}>;

/** A figure of the course, once its script has run. */
type Figure = HTMLElement & { setState?: (state: Record<string, unknown>) => void };

declare global {
  interface Window {
    coursekitFinale?: typeof finale;
  }
}

window.coursekitFinale = finale;

/** Brings the cell to life that runs on an exercise. */
function finale(cell: HTMLElement, data: CodeData, host: Host): void {
  const figure = [...cell.querySelectorAll<Figure>("*")].find(({ localName }) => localName.includes("-"))!;
  const { id, version, title, setup, store } = { ...data, store: host.store };
  const steps: Used[] = [...data.uses, { id, version, title, setup, names: [], stand_in: "" }];
  const passed = (step: Used) => store.read(step.id, step.version).passed;
  const status = liveRegion("ck-finale-status");
  cell.prepend(status);

  let [known, edition] = ["", 0];
  const update = () => {
    const now = JSON.stringify(steps.map(passed));
    if (now === known) return;
    known = now;
    const missing = steps.filter((step) => passed(step) === undefined);
    const open = missing.length === 0 && host.whyNot === null;
    cell.classList.toggle("ck-open", open);
    cell.dataset["theme"] = open ? "dark" : "";
    status.replaceChildren(...(missing.length > 0 ? [waits(missing)] : host.whyNot ? [h("p", {}, ...prose(host.whyNot))] : []));
    const state = { ready: open, warm: host.python.isIdle, edition: ++edition };
    void customElements.whenDefined(figure.localName).then(() => figure.setState?.(state));
  };
  update();
  store.onChange(update);

  const ask = async ({ detail: { code, binds, answer, fail } }: Asking) => {
    const files = [...data.files.map(({ path }) => path), ...data.data];
    const none = { setup: "", check_source: "", checks: [], misconceptions: {}, known: {} };
    const request: Request = { ...none, exercise: id, before: earlierCode(steps, store), code, binds, files };
    try {
      const say = (text: string, share?: number) => tell(status, text === "Running …" ? "" : text, share);
      const { error, values } = await host.python.ask<Reply>(request, say, { files });
      if (error === null) return answer(values);
      status.replaceChildren(h("p", {}, ...prose(error)));
    } catch (problem) {
      if (!(problem instanceof Error && problem.name === "Problem")) throw problem;
      tell(status, problem.message);
    }
    fail();
  };
  cell.addEventListener("ask", (event) => void ask(event as Asking));
}

/** A sentence with links to the steps that are missing. */
function waits(steps: Used[]): HTMLElement {
  const links = steps.map(({ id, title }) => h("a", { href: `#exercise-${id}` }, ...prose(title)));
  const listed = links.flatMap((link, i) => (i > 0 ? [", ", link] : [link]));
  return h("p", {}, "What runs here is your code, once all its steps have passed. Still missing: ", ...listed, ".");
}
