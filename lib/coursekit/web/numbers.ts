// Reads the numbers that a person types: "0.42, 0.58", "(.42 .58)", "[1/2; 1/2]", "0,42 0,58".

/** `other`: a second way to read one number, for "2,718" may be 2718 and may be 2.718. */
export type Reading = { numbers: number[]; other?: number } | { problem: string };

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const GROUPED = /^[+-]?[1-9]\d{0,2}([,\s]\d{3})+(\.\d*)?$/;
const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/**
 * A comma is a separator or a decimal mark: whichever makes `count` numbers. Only one can, for a
 * decimal comma joins what a separating comma parts.
 */
export function readNumbers(text: string, count: number): Reading {
  const plain = tidy(text);
  if (plain === "") return { problem: `Nothing is written yet; ${expected(count)}` };
  if (count === 1 && GROUPED.test(plain)) return grouped(plain);
  // A comma with nothing before it is a decimal mark: ",25".
  if (/(^|[\s;])[+-]?,\d/.test(plain)) {
    const decimals = withDecimalCommas(plain);
    if (decimals.length === count) return { numbers: decimals };
  }
  const separated = split(plain, /[\s,;]+/);
  const strange = separated.find((token) => Number.isNaN(value(token)));
  if (strange !== undefined) {
    return { problem: `I cannot read “${strange}” as a number; ${expected(count)}` };
  }
  if (separated.length === count) return { numbers: separated.map(value) };
  const joined = withDecimalCommas(plain);
  if (joined.length === count) return { numbers: joined };
  const number = amount(separated.length);
  return { problem: `You gave ${number}; ${expected(count)}` };
}

/** One pair of brackets around everything goes, and spaces around a fraction's bar. */
function tidy(text: string): string {
  const plain = text.trim().replace(/[−–]/g, "-").replace(/\s*\/\s*/g, "/");
  const inside = /^\((.*)\)$|^\[(.*)\]$|^\{(.*)\}$/s.exec(plain);
  return (inside ? (inside[1] ?? inside[2] ?? inside[3] ?? "") : plain).trim();
}

const split = (text: string, separator: RegExp) => text.split(separator).filter((t) => t !== "");

/** One number in groups of three digits; a single comma may have been a decimal mark. */
function grouped(plain: string): Reading {
  const numbers = [Number(plain.replace(/[,\s]/g, ""))];
  const decimal = /^[^,.\s]*,\d{3}$/.test(plain);
  return decimal ? { numbers, other: Number(plain.replace(",", ".")) } : { numbers };
}

/** The numbers if every comma inside a number is its decimal mark; none where a point is too. */
function withDecimalCommas(plain: string): number[] {
  if (plain.includes(".")) return [];
  const tokens = split(plain, /\s*;\s*|,\s+|\s+/);
  const numbers = tokens.map((token) => value(token.replace(",", ".")));
  return numbers.some(Number.isNaN) ? [] : numbers;
}

/** A number, or a fraction of two; NaN for anything else. */
function value(token: string): number {
  const parts = token.split("/");
  if (parts.length > 2 || !parts.every((part) => NUMBER.test(part))) return Number.NaN;
  const [top, bottom] = parts.map(Number);
  const quotient = bottom === undefined ? top! : top! / bottom;
  return Number.isFinite(quotient) ? quotient : Number.NaN;
}

function amount(count: number): string {
  return `${WORDS[count] ?? count} number${count === 1 ? "" : "s"}`;
}

/** What an answer looks like, with numbers that are not the answer to any question. */
export function expected(count: number): string {
  if (count === 1) return "expected one number, such as 0.3 or 3/10.";
  const example = Array.from({ length: Math.min(count, 3) }, (_, i) => `0.${i + 1}`).join(", ");
  return `expected ${amount(count)}, such as ${example}${count > 3 ? ", …" : ""}.`;
}
