// The figure at the end of a chain of exercises: it opens when all of them have passed, in whatever
// order, and what it asks is answered by the course's Python on the reader's own answers.
import { h, liveRegion, prose, tell } from "./dom.ts";
import type { FinaleModule } from "./finale_module.ts";
import type { Host } from "./host.ts";
import { Problem } from "./python.ts";
import type { FinaleData, FinaleReply, Used } from "./types.ts";
import { earlierCode } from "./uses.ts";

/** What a figure asks: an event that bubbles, with what to do with the answer. */
type Asking = CustomEvent<{ asked: object; answer: (answered: unknown) => void; fail: () => void }>;

/** A figure of the course, once its script has run. */
type Figure = HTMLElement & { setState?: (state: Record<string, unknown>) => void };

class Finale {
  readonly #data: FinaleData;
  readonly #host: Host;
  readonly #section: HTMLElement;
  readonly #figure: Figure;
  readonly #status = liveRegion("ck-finale-status");
  #shown = "";
  #edition = 0;

  constructor(section: HTMLElement, host: Host) {
    this.#data = JSON.parse(section.querySelector(".ck-data")!.textContent) as FinaleData;
    this.#host = host;
    this.#section = section;
    section.classList.add("ck-live");
    const inside = [...section.querySelectorAll<Figure>(".ck-explorable *")];
    this.#figure = inside.find(({ localName }) => localName.includes("-"))!; // a custom element
    section.querySelector(".ck-title")!.after(this.#status);
    section.addEventListener("ask", (event) => void this.#ask(event as Asking));
    host.store.onChange(() => this.#update());
    this.#update();
  }

  #passed = (step: Used) => this.#host.store.read(step.id, step.version).passed;

  /** Whether the reader's last check of a step failed, though an answer passed before. */
  #fails = ({ id, version }: Used) =>
    this.#host.store.read(id, version).verdicts?.some(({ status }) => status === "failed") ?? false;

  /** The steps whose answers run: those of `more` as far as all of them pass. */
  #running(): Used[] {
    const { steps, more } = this.#data;
    const isExtra = more.every((step) => this.#passed(step) !== undefined && !this.#fails(step));
    return isExtra ? [...steps, ...more] : steps;
  }

  #update(): void {
    const { steps, more } = this.#data;
    const missing = steps.filter((step) => this.#passed(step) === undefined);
    const broken = steps.filter((step) => this.#fails(step) && !missing.includes(step));
    const open = missing.length + broken.length === 0 && this.#host.whyNot === null;
    const running = this.#running();
    const now = JSON.stringify([open, missing, broken, running.map(this.#passed)]);
    if (now === this.#shown) return;
    this.#shown = now;
    this.#section.classList.toggle("ck-open", open);
    this.#section.dataset["theme"] = open ? "dark" : ""; // quiet until then
    this.#status.replaceChildren(...this.#why(missing, broken));
    const state = { ready: open, warm: this.#host.python.isIdle, extra: more.length > 0 && running !== steps, edition: ++this.#edition };
    void customElements.whenDefined(this.#figure.localName).then(() => this.#figure.setState?.(state));
  }

  #why(missing: Used[], broken: Used[]): Node[] {
    if (broken.length > 0) return [line("Stopped: ", broken, broken.length > 1 ? " do not pass any more." : " does not pass any more.")];
    if (missing.length > 0) return [line("It opens when all steps pass. Still missing: ", missing, ".")];
    return this.#host.whyNot ? [h("p", {}, ...prose(this.#host.whyNot))] : [];
  }

  async #ask({ detail: { asked, answer, fail } }: Asking): Promise<void> {
    const before = earlierCode(this.#running(), this.#host.store);
    const request = { kind: "finale", before, runs: this.#data.runs, asked };
    try {
      const say = (text: string, share?: number) => tell(this.#status, text === "Running …" ? "" : text, share);
      const reply = await this.#host.python.ask<FinaleReply>(request, say, { files: this.#data.files });
      if (reply.error === null) return answer(reply.answered);
      const step = this.#running().filter(({ title }) => title === reply.step);
      const failed = line(step.length > 0 ? "Stopped, in " : "Stopped", step, ": ");
      failed.append(...prose(reply.error));
      this.#status.replaceChildren(failed);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      tell(this.#status, problem.message);
    }
    fail();
  }
}

/** A sentence with links to steps. */
function line(before: string, steps: Used[], after: string): HTMLElement {
  const links = steps.map(({ id, title }) => h("a", { href: `#exercise-${id}` }, ...prose(title)));
  return h("p", {}, before, ...links.flatMap((link, i) => (i > 0 ? [", ", link] : [link])), after);
}

const module: FinaleModule = { start: (section, host) => void new Finale(section, host) };

window.coursekitFinale = module;
