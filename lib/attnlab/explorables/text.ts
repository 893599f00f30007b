// Numbers and Python literals as text; the twin of attnlab.drawing.text.

/** A number with a true minus sign and without a negative zero. */
export function number(x: number, decimals = 2): string {
  const text = x.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

const [TINY, HUGE] = [0.005, 1e4];

/** A positive number of any size in few characters: `2.72`, `1.2e43`, `3.1e−7`. */
export function short(x: number): string {
  if (x === Infinity) return "∞";
  if (x === 0 || (x >= TINY && x < HUGE)) return number(x);
  return x.toExponential(1).replace("e+", "e").replace("-", "−");
}

/** A vector as `(0.50, −1.00)`. */
export const vector = (v: readonly number[], decimals = 2): string =>
  `(${v.map((x) => number(x, decimals)).join(", ")})`;

/** The words of a list as English: `a`, `a and b`, `a, b and c`. */
export function words(list: readonly string[]): string {
  return list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
}

/** The bytes that a text in base64 stands for. */
export const fromBase64 = (text: string): ArrayBuffer =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;

/** A value as the Python literal that a learner would write; numbers are floats unless `whole`. */
export function literal(value: unknown, whole = false): string {
  if (Array.isArray(value)) return `[${value.map((part) => literal(part, whole)).join(", ")}]`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "number") return JSON.stringify(value);
  return Number.isInteger(value) && !whole ? value.toFixed(1) : String(value);
}

/** A matrix with a line for each row; anything else on one line. */
function inRows(value: unknown, whole: boolean): string {
  if (!Array.isArray(value) || !value.some(Array.isArray)) return literal(value, whole);
  return `[\n${value.map((row) => `    ${literal(row, whole)},\n`).join("")}]`;
}

/** Python for each name: `query = [1.0, 0.5]`; the names in `whole` hold integers. */
export const answerCode = (
  values: Readonly<Record<string, unknown>>,
  whole: readonly string[] = [],
): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${inRows(value, whole.includes(name))}`)
    .join("\n");
