// One cell of a chapter: its printed code and output, and the reader's in their place.
import { KEPT, notebookOnly, printedCode, theNotebook } from "./cells.ts";
import { button, h, liveRegion, prose, tell } from "./dom.ts";
import { type CodeField, codeField } from "./editing.ts";
import type { Host } from "./host.ts";
import type { Bar } from "./live_module.ts";
import type { Names } from "./names.ts";
import { RUNNING } from "./python.ts";
import { stepper } from "./stepper.ts";
import type { CellReply, CellsData } from "./types.ts";

export type LiveBar = Bar & { buttons: NonNullable<Bar["buttons"]> };

/** What a cell asks of its chapter. */
export interface Cells {
  readonly data: CellsData;
  readonly host: Host;
  run(number: number): void;
  step(number: number): void;
  runAbove(number: number): void;
  stop(): void;
  names(number: number): Names;
  needsOf(name: string, number: number): string | null;
}

export class LiveCell {
  readonly #bar: LiveBar;
  readonly #chapter: Cells;
  readonly #printed: HTMLElement;
  readonly #source: string;
  readonly #status = liveRegion("ck-cell-status");
  readonly #output = h("div", { class: "cell_output ck-cell-output", hidden: true });
  /** Beside the output: that may stand in a fold. */
  readonly #steps = h("div", {});
  readonly #above = button("Run all above", "ck-plain", () => this.#chapter.runAbove(this.#bar.number));
  readonly #reset = button("Reset", "ck-plain", () => this.reset());
  readonly #step = button("Step", "ck-plain", () => this.#chapter.step(this.#bar.number));
  readonly #stop = button("Stop", "ck-plain", () => this.#chapter.stop());
  #field: CodeField | null = null;
  /** Whether the field takes over what is kept, which need not be kept again. */
  #follows = false;

  constructor(bar: LiveBar, chapter: Cells) {
    this.#bar = bar;
    this.#chapter = chapter;
    this.#printed = bar.input.querySelector<HTMLElement>(".highlight")!;
    this.#source = printedCode(bar.input);
    this.#above.title = "Run all cells above, then this one";
    this.#reset.hidden = this.#stop.hidden = true;
    bar.buttons.run.after(this.#stop);
    bar.bar.append(this.#step, this.#above, this.#reset, this.#status);
    this.#place();
    bar.cell.addEventListener("keydown", (event) => this.#shortcut(event), { capture: true });
  }

  code(): string {
    return this.#field?.text() ?? this.#source;
  }

  /** Whether it waits for a prediction: then it shows nothing before the answer. */
  isShut(): boolean {
    return this.#bar.cell.closest(".ck-shut") !== null;
  }

  edit(): void {
    const field = this.#field ?? this.#open(this.#source);
    field.element.querySelector<HTMLElement>("textarea, .cm-content")?.focus();
  }

  /** Shows the code that is kept, from an earlier visit or another tab. */
  restore(): void {
    const { code } = this.#chapter.host.store.read(this.#bar.id, KEPT);
    if (code === undefined) return this.#close();
    const field = this.#field ?? this.#open(code);
    if (field.text() === code) return;
    this.#follows = true;
    field.set(code);
    this.#follows = false;
    this.#setStale();
  }

  /** What is shown is no longer of the code that stands above it. */
  #setStale(): void {
    for (const shown of [this.#output, this.#steps]) shown.classList.add("ck-stale");
  }

  #open(text: string): CodeField {
    this.#field = codeField({
      id: `cell-${this.#bar.number}`,
      label: "The code of this cell",
      text,
      script: this.#chapter.host.file("editor.js"),
      changed: () => this.#edited(),
      focused: () => this.#chapter.host.whyNot ?? this.#chapter.host.python.warm(), // who edits will run
      names: this.#chapter.names(this.#bar.number),
    });
    this.#printed.hidden = true;
    this.#printed.after(this.#field.element);
    this.#reset.hidden = false;
    this.#bar.buttons.edit.hidden = true;
    return this.#field;
  }

  #edited(): void {
    if (this.#follows) return;
    const { store } = this.#chapter.host;
    const code = this.code();
    if (code === this.#source) store.forget([this.#bar.id]);
    else store.write(this.#bar.id, KEPT, { code });
    this.#setStale();
  }

  /** Back to what is printed: code and output. */
  reset(): void {
    this.#chapter.host.store.forget([this.#bar.id]);
    this.#close();
    this.#bar.buttons.run.focus();
  }

  #close(): void {
    this.#field?.element.remove();
    this.#field = null;
    this.#printed.hidden = false;
    this.#output.hidden = true;
    this.#steps.replaceChildren();
    const printed = this.#printedOutput();
    for (const shown of [printed, ...(printed?.children ?? [])]) shown?.removeAttribute("hidden");
    this.#bar.buttons.edit.hidden = false;
    this.#reset.hidden = true;
    this.say("");
  }

  say(text: string, share?: number): void {
    tell(this.#status, text, share);
    this.#status.classList.remove("ck-error");
  }

  /** Says how its run goes on; it can be stopped once it runs. */
  hear(text: string, share?: number): void {
    this.#stop.hidden = text !== RUNNING;
    this.say(text, share);
  }

  setBusy(busy: boolean): void {
    if (!busy) this.#stop.hidden = true;
    for (const pressed of [this.#bar.buttons.run, this.#step, this.#above]) {
      pressed.setAttribute("aria-disabled", String(busy));
    }
  }

  /** Puts what a run of `code` showed in the place of the printed output; `pressed` opens its fold. */
  show(reply: CellReply, code: string, pressed: boolean): void {
    const isOf = code === this.code();
    if (this.isShut() || (!isOf && !this.#field)) return; // reset meanwhile
    this.#steps.replaceChildren(...stepsOf(reply, code));
    this.#output.replaceChildren(...reply.shown.map(part));
    for (const shown of [this.#output, this.#steps]) shown.classList.toggle("ck-stale", !isOf);
    this.#output.hidden = reply.draws && reply.shown.length === 0;
    const drawn = this.#hidePrinted(reply.draws);
    this.#reset.hidden = false;
    const fold = this.#fold();
    if (fold && pressed) fold.open = true;
    const isSilent = reply.shown.length === 0 && pressed && !reply.draws;
    if (reply.error !== null) this.#fail(reply);
    else this.say(isSilent ? "It ran, and shows nothing." : "");
    if (reply.draws) this.#status.append(h("div", { class: "ck-note" }, ...this.#whereDrawn(drawn)));
  }

  /** Leaves of the printed output the figures, if asked to; returns how many there are. */
  #hidePrinted(keepFigures: boolean): number {
    const printed = this.#printedOutput();
    const outputs = [...(printed?.children ?? [])] as HTMLElement[];
    for (const output of outputs) output.hidden = !(keepFigures && output.querySelector("svg, img"));
    const kept = outputs.filter((output) => !output.hidden).length;
    if (printed) printed.hidden = kept === 0;
    return kept;
  }

  #whereDrawn(printed: number): (Node | string)[] {
    const where = ["This code draws in ", theNotebook(this.#chapter.data.notebook)];
    return printed > 0 ? [...where, "; the figure here is the printed one."] : [...where, "."];
  }

  #fail(reply: CellReply): void {
    const { notebook } = this.#chapter.data;
    const lines: (Node | string)[] = prose(reply.error!);
    if (reply.missing !== null) lines.splice(0, lines.length, ...notebookOnly(reply.missing, notebook));
    if (reply.unrun !== null) {
      const needs = this.#chapter.needsOf(reply.unrun, this.#bar.number);
      if (needs === null) lines.push(". A cell above defines it and has not run: press “Run all above”.");
      else lines.push(". A cell above defines it. ", ...notebookOnly(needs, notebook));
    }
    this.#status.replaceChildren(...lines);
    this.#status.classList.add("ck-error");
  }

  #printedOutput(): HTMLElement | null {
    return this.#bar.cell.querySelector<HTMLElement>(".cell_output:not(.ck-cell-output)");
  }

  /** The fold that hides the output, if one does. */
  #fold(): HTMLDetailsElement | null {
    return this.#printedOutput()?.closest<HTMLDetailsElement>("details.hide") ?? null;
  }

  #place(): void {
    this.#bar.input.after(this.#steps);
    const printed = this.#printedOutput();
    if (printed) printed.after(this.#output);
    else this.#steps.after(this.#output);
  }

  #shortcut(event: KeyboardEvent): void {
    const isRun = event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey);
    if (!isRun || !this.#field?.element.contains(event.target as Node)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#chapter.run(this.#bar.number);
  }
}

/** The steps of a run; an error is said beside the buttons. */
function stepsOf({ trace, error }: CellReply, code: string): HTMLElement[] {
  return trace && (error === null || trace.steps.length > 0) ? [stepper(trace, code)] : [];
}

/** One thing that a cell showed. Its HTML is what the reader's own code made of it. */
function part({ html, text }: { html?: string; text?: string }): HTMLElement {
  if (html === undefined) {
    const label = { tabindex: "0", "aria-label": "Output", role: "group" };
    return h("div", { class: "output stream" }, h("pre", { class: "ck-output", ...label }, text ?? ""));
  }
  const element = h("div", { class: "output text_html" });
  element.innerHTML = html;
  return element;
}
