// A bar below each code cell of a chapter. What the bars do is a script of its own, which loads when
// one is first pressed.
import { button, h } from "./dom.ts";
import { notLoaded } from "./load.ts";
import type { Host } from "./host.ts";
import { type Action, type Bar, loadLive } from "./live_module.ts";
import { CELL, pageName } from "./store.ts";
import type { CellsData } from "./types.ts";

/** The version under which the store keeps a cell: its name says of which code it is. */
export const KEPT = "1";

/** Puts the bars there, and the reader's code where some is kept; returns what follows another tab. */
export function cellBars(host: Host): (id: string) => void {
  const script = document.querySelector("script.ck-cells");
  if (!script) return () => {};
  const data = JSON.parse(script.textContent) as CellsData;
  const shown = data.cells.flatMap((cell, number) => (cell.source === undefined ? [number] : []));
  const elements = [...document.querySelectorAll<HTMLElement>(".ck-runnable")];
  const bars = elements.flatMap((cell, i) => {
    const number = shown[i]!;
    const made = bar(cell, number, data, (action) => void act(number, action));
    return made ? [made] : [];
  });
  const act = async (number: number, action: Action | "restore") => {
    const live = await loadLive(host.file("live.js"));
    if (live) return live.chapter(data, bars, host)[action](number);
    const bar = bars.find((bar) => bar.number === number)!.bar;
    bar.querySelector(".ck-cell-status")?.remove();
    const what = action === "restore" ? ["Your code of this cell", "reload the page"] : ["What runs cells", "press the button again"];
    bar.append(h("div", { class: "ck-cell-status", role: "status" }, notLoaded(what[0]!, what[1]!)));
  };
  for (const { id, number } of bars) if (host.store.read(id, KEPT).code !== undefined) void act(number, "restore");
  return (id) => {
    const bar = bars.find((bar) => bar.id === id);
    if (bar) void act(bar.number, "restore");
  };
}

/** What the book prints names a cell: if that changes, the reader's code was of another cell. */
function nameOf(code: string): string {
  let hash = 0x811c9dc5; // FNV-1a
  for (const character of code) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return `${CELL}${pageName()}:${(hash >>> 0).toString(16)}`;
}

/** The code as the page prints it. */
export function printedCode(input: HTMLElement): string {
  return input.querySelector(".highlight pre")!.textContent.replace(/\n$/, "");
}

function bar(cell: HTMLElement, number: number, data: CellsData, act: (action: Action) => void): Bar | null {
  const input = cell.querySelector<HTMLElement>(".cell_input");
  if (!input) return null;
  const id = nameOf(printedCode(input));
  const needs = data.cells[number]!.needs;
  if (needs !== undefined) {
    const bar = h("div", { class: "ck-cell-bar" }, h("span", {}, ...notebookOnly(needs, data.notebook)));
    input.append(bar);
    return { id, number, cell, input, bar, buttons: null };
  }
  const buttons = {
    run: button("Run", "ck-plain", () => act("run")),
    edit: button("Edit", "ck-plain", () => act("edit")),
  };
  const bar = h("div", { class: "ck-cell-bar", role: "group", "aria-label": "This code" }, buttons.run, buttons.edit);
  input.append(bar);
  return { id, number, cell, input, bar, buttons };
}

/** Says of a cell why it does not run here, and where it does. */
export function notebookOnly(needs: string, notebook: string): (Node | string)[] {
  const what = needs === "a notebook" ? needs : h("code", {}, needs);
  return ["Needs ", what, ": runs in ", theNotebook(notebook), "."];
}

/** A link to the chapter's notebook, where there is one. */
export function theNotebook(address: string): Node | string {
  return address ? h("a", { href: address, download: "" }, "the notebook") : "the notebook";
}
