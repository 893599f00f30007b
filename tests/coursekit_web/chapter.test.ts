// Cells of a chapter, with a Python that loses what it has defined.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Window } from "happy-dom";

const window = new Window();
const { document } = window as unknown as { document: Document };
Object.assign(globalThis, { document, window });
const { Chapter } = await import("../../lib/coursekit/web/chapter.ts");

function bar(number: number, code: string) {
  const [cell, input, bar] = ["div", "div", "div"].map((name) => document.createElement(name));
  input!.innerHTML = `<div class="highlight"><pre>${code}</pre></div>`;
  cell!.append(input!);
  const buttons = { run: document.createElement("button"), edit: document.createElement("button") };
  return { id: "cell", number, cell: cell!, input: input!, bar: bar!, buttons };
}

test("the set-up runs again when an exercise takes the interpreter before the cell's turn", async () => {
  const ran: string[] = [];
  const python = {
    generation: 1,
    warm() {},
    ask({ code }: { code: string }) {
      if (ran.push(code) === 2) python.generation = 2; // an exercise came in between, and was stopped
      return Promise.resolve({ shown: [], draws: false, error: null, missing: null, unrun: null });
    },
  };
  const data = { cells: [{ source: "hidden" }, {}], notebook: "" };
  const chapter = new Chapter(data as never, [bar(1, "shown")] as never, { python, whyNot: null } as never);
  chapter.run(1);
  await new Promise(setImmediate);
  assert.deepEqual(ran, ["hidden", "shown", "hidden", "shown"]);
});
