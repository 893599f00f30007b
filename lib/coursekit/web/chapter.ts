// The cells of a chapter: run in one namespace, hidden ones first and by themselves.
import { printedCode } from "./cells.ts";
import type { Host } from "./host.ts";
import { type Cells, LiveCell } from "./live_cell.ts";
import type { Bar } from "./live_module.ts";
import { type Names, namesOf } from "./names.ts";
import type { Say } from "./python.ts";
import type { CellReply, CellsData } from "./types.ts";

export class Chapter implements Cells {
  readonly data: CellsData;
  readonly host: Host;
  readonly #cells = new Map<number, LiveCell>();
  readonly #printed = new Map<number, string>();
  /** The cells that have run in the present interpreter. */
  readonly #ran = new Set<number>();
  /** What cells need that turned out not to be here. */
  readonly #lacks = new Map<number, string>();
  #generation = -1;
  #busy = false;

  constructor(data: CellsData, bars: Bar[], host: Host) {
    this.data = data;
    this.host = host;
    for (const { buttons, ...bar } of bars) {
      this.#printed.set(bar.number, printedCode(bar.input));
      if (buttons) this.#cells.set(bar.number, new LiveCell({ ...bar, buttons }, this));
    }
  }

  run(number: number): void {
    void this.#guarded(number, (cell) => this.#runOne(number, cell));
  }

  step(number: number): void {
    void this.#guarded(number, (cell) => this.#runOne(number, cell, "trace-cell"));
  }

  /** Completion for a cell: the names of the cells, and what those above import. */
  names(number: number): Names {
    const above = () => [...Array(number).keys()].map((at) => this.code(at)).join("\n");
    return namesOf(this.host.python, true, above);
  }

  edit(number: number): void {
    this.#cells.get(number)?.edit();
  }

  /** Shows the code that is kept for a cell. */
  restore(number: number): void {
    this.#cells.get(number)?.restore();
  }

  /** All cells above and this one, from an empty namespace. */
  runAbove(number: number): void {
    void this.#guarded(number, (cell) => this.#runAll(number, cell));
  }

  stop(): void {
    this.host.python.stop();
  }

  /** The code of a cell as it now is: hidden, printed or edited. */
  code(number: number): string {
    const hidden = this.data.cells[number]!.source;
    return hidden ?? this.#cells.get(number)?.code() ?? this.#printed.get(number) ?? "";
  }

  /** What a cell above needs that defines a name, if it cannot run here. */
  needsOf(name: string, number: number): string | null {
    const bound = new RegExp(`^(?!\\s).*\\b${name}\\b`, "m");
    const needs = (at: number) => this.data.cells[at]!.needs ?? this.#lacks.get(at);
    const above = [...Array(number).keys()].reverse();
    const at = above.find((at) => needs(at) !== undefined && bound.test(this.code(at)));
    return at === undefined ? null : needs(at)!;
  }

  /** One thing at a time; what goes wrong with Python itself is said below the cell. */
  async #guarded(number: number, work: (cell: LiveCell) => Promise<void>): Promise<void> {
    const cell = this.#cells.get(number);
    if (!cell || this.#busy || cell.isShut()) return;
    if (this.host.whyNot) return cell.say(this.host.whyNot);
    this.#busy = true;
    cell.setBusy(true);
    try {
      await work(cell);
    } catch (problem) {
      if (!(problem instanceof Error && problem.name === "Problem")) throw problem;
      const gone = " What the cells have defined is gone; “Run all above” brings it back.";
      cell.say(problem.message + (this.#ran.size > 0 ? gone : ""));
    } finally {
      this.#busy = false;
      cell.setBusy(false);
    }
  }

  async #runOne(number: number, cell: LiveCell, kind = "cell"): Promise<void> {
    const { python } = this.host;
    const code = this.code(number); // what is written while it waits is of the next run
    const first = this.data.cells.findIndex(({ source }) => source === undefined);
    const setUp = [...Array(Math.max(0, Math.min(first, number))).keys()];
    let reply: CellReply;
    let generation: number;
    python.warm();
    do {
      // An exercise that ran too long meanwhile took its interpreter with it, and the set-up.
      generation = python.generation;
      for (const hidden of setUp) if (!this.#hasRun(hidden)) await this.#ask(hidden, cell);
      reply = await this.#ask(number, cell, false, kind, code);
    } while (setUp.length > 0 && generation !== python.generation);
    cell.show(reply, code, true);
  }

  async #runAll(number: number, pressed: LiveCell): Promise<void> {
    for (let at = 0; at <= number; at++) {
      if (this.data.cells[at]!.needs !== undefined) continue;
      const code = this.code(at);
      const reply = await this.#ask(at, pressed, at === 0, "cell", code);
      this.#cells.get(at)?.show(reply, code, at === number);
      if (reply.error === null || reply.missing !== null || reply.unrun !== null || at === number) continue;
      if (this.data.cells[at]!.source !== undefined) continue; // a figure: later cells may do without
      return pressed.say(`A cell above stopped: ${reply.error}`);
    }
  }

  #hasRun(number: number): boolean {
    return this.#generation === this.host.python.generation && this.#ran.has(number);
  }

  async #ask(number: number, cell: LiveCell, fresh = false, kind = "cell", code = this.code(number)): Promise<CellReply> {
    const above = [...Array(number).keys()].filter((at) => !this.#hasRun(at)).map((at) => this.code(at));
    const request = { kind, code, file: `cell ${number + 1}`, above, fresh };
    const say: Say = (text, share) => cell.hear(text, share);
    const reply = await this.host.python.ask<CellReply>(request, say, { limit: 0 });
    if (fresh || this.#generation !== this.host.python.generation) this.#ran.clear();
    this.#generation = this.host.python.generation;
    if (reply.error === null) this.#ran.add(number);
    const lacks = reply.missing ?? (reply.unrun && this.needsOf(reply.unrun, number));
    if (lacks) this.#lacks.set(number, lacks);
    else this.#lacks.delete(number);
    cell.say("");
    return reply;
  }
}
