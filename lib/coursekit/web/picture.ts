// Draws what an answer means, from its own value alone (coursekit.picture): bars, numbers in cells,
// the outline of an array. Bars have a scale, which is there before them; what an answer leaves out is hatched, or has no bar.
import { h } from "./dom.ts";
import type { Graded } from "./field.ts";
import type { Drawing, Picture } from "./types.ts";

/** null is left out, "" not there yet. */
type Part = Drawing["rows"][number][number];

/** Sides of an outline, longer ones in proportion (em). */
const CELL = 1.1;
const LONGEST = 14;
const OUT = "left out";

/** The place of a question's picture. `show` takes the verdict, and the numbers of the answer. */
export function pictureOf({ form, labels, means }: Picture) {
  const place = h("div", {});
  const show = (graded: Graded | null, answer: number[] | undefined): void => {
    const numbers = form === "weights" ? undefined : answer;
    const verdict = graded && "status" in graded ? graded : null;
    const id = verdict?.status === "passed" ? "right" : (verdict?.misconception ?? "");
    const parts: Part[] = (verdict && (means[id] ?? numbers)) ?? labels.map(() => "");
    place.replaceChildren(...(parts.length > 0 ? [drawn({ form, rows: [parts] }, labels)] : []));
  };
  return { place, show, hasRoom: labels.length > 0 };
}

/** A value as an element; labels name its columns. */
export function drawn({ form, rows }: Drawing, labels: string[] = []): HTMLElement {
  const all = rows.flat();
  const isHigh = form === "weights" && rows.length === 1 && all.every((part) => !(Number(part) < 0));
  const kind = isHigh ? "bars" : form;
  const top = Math.max(1, ...all.map((part) => Number(part) || 0));
  const cell = (part: Part): HTMLElement => {
    const state = part === "" ? "ck-empty" : part === null || part === false ? "ck-out" : "";
    const share = Math.min(Math.abs(Number(part)) / top || 0, 1);
    const shade = share > 0.5 && form !== "cells" ? "ck-dark" : "";
    const text = typeof part === "boolean" ? "" : isHigh && part === null ? OUT : written(part);
    return h("span", { class: `${state} ${shade}`.trim(), style: `--w:${share}` }, h("b", {}, text), h("i", {}));
  };
  const lines = form === "shape" ? [outline(all.map(Number))] : rows.map((row) => h("div", {}, ...row.map(cell), ...sum(kind, row)));
  const below = [...labels, ...(labels.length > 0 ? sum(kind, all).map(() => "") : [])];
  const names = below.length > 0 ? [h("div", {}, ...below.map((label) => h("small", {}, label)))] : [];
  const about = { class: "ck-picture", "data-form": kind, role: "img", "aria-label": heard(form, rows, labels), style: `--one:${1 / top};--n:${rows[0]!.length}` };
  return h("div", about, ...lines, ...names);
}

/** What bars sum to, unless it is 1. */
function sum(kind: string, row: Part[]): HTMLElement[] {
  const total = row.reduce<number>((all, part) => all + Number(part), 0);
  if (kind !== "bars" || row.includes("") || Math.abs(total - 1) < 0.02) return [];
  return [h("small", { class: "ck-sum" }, `sum ${written(total)}`)];
}

/** An array's last two axes, one behind the other for each that comes before. */
function outline(shape: number[]): HTMLElement {
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1)!];
  const unit = Math.min(CELL, LONGEST / Math.max(rows, columns));
  return h("span", { class: "ck-outline", style: `--r:${rows};--c:${columns};--unit:${unit}em` });
}

const written = (part: Part): string =>
  typeof part === "number" ? String(Math.round(part * 1000) / 1000).replace("-", "−") : String(part ?? "");

function heard(form: Drawing["form"], rows: Part[][], labels: string[]): string {
  const all = rows.flat();
  if (all.every((part) => part === "")) return "Your answer will be drawn here.";
  if (form === "shape") return `Your answer, drawn: an array of shape ${all.join(" by ")}.`;
  const said = (part: Part) => (part === null ? OUT : typeof part === "boolean" ? (part ? "yes" : "no") : written(part));
  const row = (parts: Part[]) => parts.map((part, at) => `${labels[at] ? `${labels[at]} ` : ""}${said(part)}`).join(", ");
  return `Your answer, drawn: ${rows.map(row).join("; ")}.`;
}
