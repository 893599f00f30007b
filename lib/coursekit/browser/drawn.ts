// Draws the value of an answer; coursekit.judge.drawn decides what a picture shows, and drawn.css how it looks.
import { h } from "./dom.ts";
import type { Drawing } from "./types.ts";

/** Most numbers in a row. */
const MOST = 8;
/** Larger numbers do not fit into a cell. */
const LARGEST = 1e6;
/** How far the sum of rounded weights may be from 1. */
const ROUNDED = 0.01;

/** A number as coursekit.judge.drawn writes it. */
const written = (number: number): string => (Number.isFinite(number) ? String(Math.round(number * 1000) / 1000) : sign(number));
const sign = (number: number): string => (Number.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞");

/** A row of numbers in a form that fits the right ones ("" for none), those that are `wrong` marked. */
export function rowOf(form: string, numbers: number[], wrong: (at: number) => boolean): Drawing | undefined {
  const isLarge = numbers.some((number) => Number.isFinite(number) && Math.abs(number) >= LARGEST);
  if (form === "" || numbers.length === 0 || numbers.length > MOST || isLarge) return undefined;
  const fits = { bars: (x: number) => Number.isFinite(x) && x >= 0, share: (x: number) => x >= 0 && x <= 1 }[form];
  const isOther = fits !== undefined && !numbers.every(fits);
  if (isOther && form === "share") return undefined;
  const row = numbers.map((number, at): [string, boolean] => [written(number), wrong(at)]);
  return { form: isOther ? "cells" : form, rows: [row], part: "" };
}

/** The picture's place before there is an answer: it has `count` empty columns. */
export const emptyRow = (form: string, count: number): Drawing => ({
  form,
  rows: [Array.from({ length: count }, (): [string, boolean] => ["", false])],
  part: "",
});

/** The picture as an element. */
export function drawn(drawing: Drawing): HTMLElement {
  const { form, rows, part } = drawing;
  const top = Math.max(1, ...rows.flat().map(([text]) => Number(text)));
  const made = rows.map((row) => {
    const cells = row.map(([text, isWrong]) => {
      const classes = [isWrong ? "ck-off" : "", text === "" ? "ck-empty" : "", text === "1" ? "ck-one" : ""];
      const bar = h("i", { style: `--w:${Number(text) / top}` });
      return h("span", { class: classes.join(" ").trim() }, h("b", {}, text), ...(form === "bars" || form === "share" ? [bar] : []));
    });
    return h("div", {}, ...cells, ...(form === "bars" ? sumOf(row) : []));
  });
  const whole = part ? [h("small", {}, part)] : [];
  const about = { class: "ck-drawing", "data-form": form, role: "img", "aria-label": heard(drawing) };
  return h("div", about, ...whole, ...made);
}

/** What the weights of a row sum to, unless it is 1. */
function sumOf(row: [string, boolean][]): HTMLElement[] {
  const sum = row.reduce((total, [text]) => total + Number(text), 0);
  return Math.abs(sum - 1) <= ROUNDED || row.every(([text]) => text === "") ? [] : [h("small", {}, `sum ${written(sum)}`)];
}

/** The numbers are in the field or the message: what is heard is what the picture adds. */
function heard({ rows }: Drawing): string {
  const all = rows.flat();
  const wrong = all.filter(([, isWrong]) => isWrong).length;
  if (all.every(([text]) => text === "")) return "Your answer will be drawn here.";
  if (wrong === 0) return "Your answer, drawn.";
  return `Your answer, drawn: ${wrong} of ${all.length} ${all.length === 1 ? "number" : "numbers"} not right.`;
}
