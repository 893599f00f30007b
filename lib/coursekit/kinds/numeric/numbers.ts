// Reads the numbers that a person types: "0.42, 0.58", "(.42 .58)", "[1/2; 1/2]", "0,42 0,58", "42 %",
// "4 × 32 x 32".

/** `other`: a second way to read one number, for "2,718" may be 2718 and may be 2.718. */
export type Reading = { numbers: number[]; other?: number } | { problem: string };

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?$/i;
const GROUPED = /^[+-]?[1-9]\d{0,2}([,\s]\d{3})+(\.\d*)?%?$/;
/** What stands between the factors of a product, or is the bar of a fraction. */
const OPERATOR = /([*/])/;
const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/**
 * A comma is a separator or a decimal mark: whichever makes `count` numbers. Only one can, for a
 * decimal comma joins what a separating comma parts. "42%" is 0.42, and 42 where percent is the `unit`.
 */
export function readNumbers(text: string, count: number, unit = ""): Reading {
  const plain = tidy(unit === "%" ? text.replaceAll("%", " ") : text);
  if (plain === "") return { problem: `Nothing is written yet; ${expected(count)}` };
  if (count === 1 && isGrouped(plain)) return grouped(plain);
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

/** One pair of brackets around everything goes, and spaces around signs; every "times" is a `*`. */
function tidy(text: string): string {
  const times = text.replace(/(?<!(?:^|[^\d.,])0)(?<=[\d.%])(\s*)[x×·](\s*)(?=[\d.,+−–-])/gi, "$1*$2");
  const plain = times.trim().replace(/[−–]/g, "-").replace(/\s*([*/])\s*|\s+(%)/g, "$1$2");
  const inside = /^\((.*)\)$|^\[(.*)\]$|^\{(.*)\}$/s.exec(plain);
  return (inside ? (inside[1] ?? inside[2] ?? inside[3] ?? "") : plain).trim();
}

const split = (text: string, separator: RegExp) => text.split(separator).filter((t) => t !== "");

/** Whether this is one number, or a product or fraction, with groups of three digits. */
function isGrouped(plain: string): boolean {
  const parts = plain.split(/[*/]/);
  const isPart = (part: string) => GROUPED.test(part) || NUMBER.test(part);
  return parts.some((part) => GROUPED.test(part)) && parts.every(isPart);
}

/** One number in groups of three digits; a single comma may have been a decimal mark. */
function grouped(plain: string): Reading {
  const number = value(plain.replace(/[,\s]/g, ""));
  if (Number.isNaN(number)) return { problem: `I cannot read “${plain}” as a number; ${expected(1)}` };
  const decimal = plain.split(/[*/]/).every((part) => /^[^,.\s]*(,\d{3}%?)?$/.test(part));
  return decimal
    ? { numbers: [number], other: value(plain.replaceAll(",", ".")) }
    : { numbers: [number] };
}

/** The numbers if every comma inside a number is its decimal mark; none where a point is too. */
function withDecimalCommas(plain: string): number[] {
  if (plain.includes(".")) return [];
  const tokens = split(plain, /\s*;\s*|,\s+|\s+/);
  const numbers = tokens.map((token) => value(decimalCommas(token)));
  return numbers.some(Number.isNaN) ? [] : numbers;
}

/** One comma in each factor becomes a point. */
const decimalCommas = (token: string) =>
  token.split(OPERATOR).map((part) => part.replace(",", ".")).join("");

/** A number, a product or one fraction, from left to right; NaN for anything else. */
function value(token: string): number {
  const [first, ...rest] = token.split(OPERATOR);
  if (token.split("/").length > 2) return Number.NaN;
  let result = single(first!);
  for (let i = 0; i < rest.length; i += 2) {
    const next = single(rest[i + 1]!);
    result = rest[i] === "*" ? result * next : result / next;
  }
  return Number.isFinite(result) ? result : Number.NaN;
}

function single(part: string): number {
  if (!NUMBER.test(part)) return Number.NaN;
  return part.endsWith("%") ? Number(part.slice(0, -1)) / 100 : Number(part);
}

/** "two decimals". */
export function counted(count: number, what: string): string {
  return `${WORDS[count] ?? count} ${what}${count === 1 ? "" : "s"}`;
}

const amount = (count: number) => counted(count, "number");

/** What an answer looks like, with numbers that are not the answer to any question. */
export function expected(count: number): string {
  if (count === 1) return "expected one number, such as 0.3 or 3/10.";
  const example = Array.from({ length: Math.min(count, 3) }, (_, i) => `0.${i + 1}`).join(", ");
  return `expected ${amount(count)}, such as ${example}${count > 3 ? ", …" : ""}.`;
}
