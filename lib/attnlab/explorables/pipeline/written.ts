// The arithmetic of one cell, written out.
import * as text from "../text.ts";
import type { Steps } from "./arithmetic.ts";

const plain = (x: number): string => text.number(x, Number.isInteger(x) ? 0 : 2);
const factor = (x: number): string => (x < 0 ? `(${plain(x)})` : plain(x));

const products = (a: readonly number[], b: readonly number[]): string =>
  a.map((x, i) => `${factor(x)} × ${factor(b[i]!)}`).join(" + ");

/** What the cell in row `i` and column `j` of a step's result comes from. */
export function arithmetic(steps: Steps, step: number, i: number, j: number): string {
  const { tokens, query, key, value, scores, scaled, mask, weights, output } = steps;
  const [asking, asked, score] = [tokens[i]!, tokens[j]!, scaled[i]?.[j] ?? 0];
  const width = query[i]!.length;
  if (step === 0) {
    return `${asking} · ${asked}: ${products(query[i]!, key[j]!)} = ${plain(scores[i]![j]!)}`;
  }
  if (step === 1) {
    const before = plain(scores[i]![j]!);
    const root = plain(Math.sqrt(width));
    return `${asking} · ${asked}: ${before} ÷ √${width} = ${before} ÷ ${root} = ${plain(score)}`;
  }
  if (step === 4) {
    const column = value.map((row) => row[j]!);
    return `output of ${asking}: ${products(weights[i]!, column)} = ${text.number(output[i]![j]!)}`;
  }
  if (!mask[i]![j]) {
    const score = step === 2 ? "−∞" : "e^(−∞) = 0";
    return `${asked} comes after ${asking}, so it is hidden: ${score}`;
  }
  if (step === 2) return `${asking} may attend to ${asked}: the score remains ${plain(score)}`;
  const powers = scaled[i]!.map((s, k) => (mask[i]![k] ? Math.exp(s) : 0));
  const sum = powers.map((power) => text.number(power)).join(" + ");
  const share = `${text.number(powers[j]!)} ÷ (${sum})`;
  return `${asking} → ${asked}: e^${factor(score)} ÷ sum = ${share} = ${text.number(weights[i]![j]!)}`;
}
