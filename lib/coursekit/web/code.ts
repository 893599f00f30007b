// A code exercise: editor, Check, Run, verdicts, and the answer of an explorable.
import { fillAnswer } from "./answer_line.ts";
import { button, h, liveRegion, prose, tell } from "./dom.ts";
import { type CodeField, codeField } from "./editing.ts";
import { Problem, RUNNING, UNREACHABLE } from "./python.ts";
import type { Host } from "./host.ts";
import { loadLive } from "./live_module.ts";
import { namesOf } from "./names.ts";
import { resultNodes } from "./results.ts";
import type { Trace } from "./stepper.ts";
import type { Store } from "./store.ts";
import type { CodeData, Reply, Verdict } from "./types.ts";
import { earlierCode, sayWhose } from "./uses.ts";

const SILENT =
  "It ran, and printed nothing. End with a line that is a value, such as `x`, to see it here.";
const MOVED =
  "This was checked as it stands in the code. The figure has been moved since: “Use as answer” takes it over.";

const EDITED = "The code was changed while it ran: press Step again.";

const NO_SOLUTION =
  "Courses grade this exercise, so the page has no solution to show, however many attempts you make. " +
  "What helps are the hints, and what Check says of each attempt.";

/** An explorable bound to the exercise, as its custom element shows itself to us. */
type Explorable = HTMLElement & { setState?: (state: Record<string, unknown>) => void };

export class CodeBlock {
  readonly #block: HTMLElement;
  readonly #data: CodeData;
  readonly #host: Host;
  readonly #field: CodeField;
  readonly #output = h("pre", { class: "ck-output", tabindex: "0", "aria-label": "Output", hidden: true });
  readonly #status = liveRegion("ck-results");
  readonly #check = button("Check", "ck-main", () => void this.#press(true));
  readonly #run = button("Run", "ck-plain", () => void this.#press(false));
  readonly #step = button("Step", "ck-plain", () => void this.#trace());
  /** There while this block's own code runs: while another's does, it would end that. */
  readonly #stop = button("Stop", "ck-plain", () => this.#host.python.stop());
  readonly #steps = h("div", { class: "ck-steps" });
  readonly #again = button("Start again", "ck-plain", () => this.#startAgain());
  #busy = false;
  #before: string | null = null;
  #figureMoved = false;

  constructor(block: HTMLElement, data: CodeData, host: Host) {
    this.#block = block;
    this.#data = data;
    this.#host = host;
    host.checks.add(data);
    const memory = this.#memory();
    this.#field = codeField({
      id: `exercise-${data.id}-code`,
      label: `Your code: ${data.title}`,
      text: memory.code ?? data.starter,
      script: host.file("editor.js"),
      changed: () => this.#edited(),
      focused: () => host.whyNot ?? host.python.warm(), // who writes code will run it
      names: namesOf(host.python, false, () => data.setup),
    });
    this.#build();
    sayWhose(block, data.uses, host.store);
    this.#bindExplorable();
    if (memory.verdicts) this.#show(memory.verdicts);
    this.#showSolution(memory.tried === true);
  }

  #memory = () => this.#host.store.read(this.#data.id, this.#data.version);

  #remember(change: Parameters<Store["write"]>[2]): void {
    this.#host.store.write(this.#data.id, this.#data.version, change);
  }

  #build(): void {
    const starter = this.#block.querySelector<HTMLElement>(".ck-starter")!;
    const checked = this.#data.checks.length > 0;
    const buttons = checked ? [this.#check, this.#run, this.#step] : [this.#run, this.#step];
    this.#stop.hidden = true;
    const help = h("span", { class: "ck-keys" }, "Ctrl+Enter checks · Esc, then Tab leaves the editor");
    const work = h(
      "div",
      { class: "ck-work" },
      this.#field.element,
      h("div", { class: "ck-buttons" }, ...buttons, this.#stop, this.#again, help),
      this.#output,
      this.#status,
      this.#steps,
    );
    work.addEventListener("keydown", (event) => this.#shortcut(event), { capture: true });
    starter.replaceWith(work);
    this.#again.hidden = this.#field.text() === this.#data.starter;
  }

  #shortcut(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#press(this.#data.checks.length > 0);
  }

  #edited(): void {
    // The verdicts shown are of the code before; they stay to be read, but are not kept.
    this.#remember({ code: this.#field.text(), verdicts: undefined });
    this.#status.classList.add("ck-stale");
    this.#steps.replaceChildren();
    this.#before = null;
    this.#again.textContent = "Start again";
    this.#again.hidden = this.#field.text() === this.#data.starter;
  }

  /** Back to the starter; a second press brings the code back. */
  #startAgain(): void {
    const before = this.#before;
    const now = this.#field.text();
    this.#field.set(before ?? this.#data.starter);
    this.#edited();
    if (before === null) {
      this.#before = now;
      this.#again.textContent = "Bring my code back";
      this.#again.hidden = false;
    }
  }

  async #press(check: boolean): Promise<void> {
    if (!this.#busy && check && this.#field.text() !== this.#data.starter) this.#attempted();
    await this.#guarded(async () => {
      const request = await this.#request(check);
      const reply = await this.#host.python.run(request, this.#hear);
      this.#take(reply, check, request.code);
    });
  }

  /** Steps through the code and its example. */
  async #trace(): Promise<void> {
    await this.#guarded(async () => {
      const request = { ...(await this.#request(false)), kind: "trace" };
      const [live, trace] = await Promise.all([
        loadLive(this.#host.file("live.js")),
        this.#host.python.ask<Trace>(request, this.#hear, { files: request.files }),
      ]);
      if (!live) return this.#say(UNREACHABLE);
      if (this.#field.text() !== request.code) return this.#say(EDITED);
      this.#say("");
      this.#steps.replaceChildren(live.stepper(trace, request.code));
    });
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    if (this.#busy) return;
    if (this.#host.whyNot) return this.#say(this.#host.whyNot);
    this.#setBusy(true);
    try {
      await work();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.#output.hidden = true;
      this.#say(problem.message);
    } finally {
      this.#setBusy(false);
    }
  }

  /** A solution of practice work is there from the first own attempt on. */
  #attempted(): void {
    this.#remember({ tried: true });
    this.#showSolution(true);
  }

  async #request(check: boolean) {
    const { id, setup, checks, binds, uses, files, data } = this.#data;
    const code = this.#field.text();
    const { check_source, misconceptions, known } = await this.#host.checks.of(this.#data);
    return {
      exercise: id,
      before: earlierCode(uses, this.#host.store),
      setup,
      code,
      check_source,
      checks: check ? checks.map((c) => c.name) : [],
      example: check ? "" : (checks[0]?.name ?? ""),
      misconceptions,
      known,
      binds: Object.keys(binds),
      files: [...files.map(({ path }) => path), ...data],
    };
  }

  #take(reply: Reply, check: boolean, code: string): void {
    const own = [reply.output.trimEnd(), reply.value].filter((t) => t !== "").join("\n");
    const text = [own, reply.example].filter((t) => t !== "").join("\n\n");
    this.#output.textContent = text;
    this.#output.hidden = text === "";
    if (reply.error !== null) {
      const line = h("p", { class: "ck-error" }, ...prose(reply.error));
      this.#status.replaceChildren(line);
      this.#status.classList.remove("ck-stale");
      return;
    }
    const moved = this.#figureMoved;
    if (!moved) this.#restoreExplorable(reply.values);
    if (!check) return this.#say(text ? "" : SILENT);
    // Done once is done: experiments with a solved exercise do not undo it.
    const passed = reply.verdicts.every((verdict) => verdict.status === "passed");
    const done = this.#memory().done === true || passed;
    const kept = passed ? { passed: code } : {};
    const isOf = this.#field.text() === code; // who writes on meanwhile reads verdicts of the code before
    const verdicts = isOf ? reply.verdicts : undefined;
    this.#remember({ verdicts, values: reply.values, done, changed: undefined, ...kept });
    this.#show(reply.verdicts);
    this.#status.classList.toggle("ck-stale", !isOf);
    if (moved) this.#status.append(h("p", { class: "ck-note" }, MOVED));
  }

  #show(verdicts: Verdict[]): void {
    this.#status.replaceChildren(...resultNodes(this.#data, verdicts));
    this.#status.classList.remove("ck-stale");
  }

  #say(text: string, share?: number): void {
    const line = text ? [h("p", { class: "ck-note" }, ...prose(text))] : [];
    tell(this.#status, text, share, line);
    this.#status.classList.remove("ck-stale");
  }

  #hear = (text: string, share?: number): void => {
    this.#stop.hidden = text !== RUNNING;
    this.#say(text, share);
  };

  #setBusy(busy: boolean): void {
    this.#busy = busy;
    if (!busy) this.#stop.hidden = true;
    for (const pressed of [this.#check, this.#run, this.#step]) {
      pressed.setAttribute("aria-disabled", String(busy)); // not `disabled`: the focus stays
    }
  }

  /** Below the hints; graded work says there that its solution is not in the page. */
  #showSolution(tried: boolean): void {
    const solution = this.#block.querySelector<HTMLElement>(".ck-solution");
    if (solution) solution.hidden = !tried;
    if (solution || !tried || this.#block.querySelector(".ck-no-solution")) return;
    const hints = this.#block.querySelectorAll(".ck-hint");
    const last = hints[hints.length - 1] ?? this.#block.querySelector(".ck-work")!;
    last.after(h("p", { class: "ck-note ck-no-solution" }, NO_SOLUTION));
  }

  /** The contract with explorables: an "answer" event to us, `setState` from us. */
  #bindExplorable(): void {
    this.#block.addEventListener("answer", (event) => {
      const { code, values } = (event as CustomEvent<{ code: string; values: Record<string, unknown> }>).detail;
      this.#field.set(fillAnswer(this.#field.text(), code));
      this.#edited();
      this.#figureMoved = false;
      this.#remember({ values });
      this.#say("The figure's answer is in the code now. Press Check.");
    });
    this.#block.addEventListener("statechange", () => {
      this.#figureMoved = true;
    });
    const values = this.#memory().values;
    if (values) this.#restoreExplorable(values);
  }

  #restoreExplorable(values: Record<string, unknown>): void {
    const state = Object.fromEntries(
      Object.entries(this.#data.binds)
        .filter(([name]) => values[name] !== undefined)
        .map(([name, field]) => [field, values[name]]),
    );
    const inside = this.#block.querySelectorAll<Explorable>(".ck-explorable *");
    const figure = [...inside].find((element) => element.localName.includes("-"));
    if (!figure || Object.keys(state).length === 0) return;
    // The figure's script may come after ours.
    void customElements.whenDefined(figure.localName).then(() => {
      figure.setState?.(state);
      this.#figureMoved = false;
    });
  }
}
