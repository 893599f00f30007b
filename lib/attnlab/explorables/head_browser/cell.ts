// One cell's arithmetic: from the product of query and key to the weight.
import { number } from "../text.ts";
import { h } from "../ui/dom.ts";
import { rowOf, type LayerReading } from "./reading.ts";

const LARGEST = 3;

/** Shows how one weight comes about, a line for each step. */
export class CellArithmetic {
  readonly element = h("div", { class: "cell-steps" });

  update(
    tokens: readonly string[],
    layer: LayerReading | undefined,
    head: number,
    [token, key]: readonly [number, number],
    headDim: number,
    cut: readonly number[],
  ): void {
    if (!layer) {
      this.element.replaceChildren();
      return;
    }
    const scores = rowOf(layer.scores, head, tokens.length, token);
    const seen = [...scores.keys()].filter((j) => !cut.includes(j));
    const top = Math.max(...seen.map((j) => scores[j]!));
    const share = (j: number): number => Math.exp(scores[j]! - top);
    const total = seen.reduce((sum, j) => sum + share(j), 0);
    const product = scores[key]! * Math.sqrt(headDim);
    const width = (layer.query?.length ?? 0) / tokens.length;
    const at = { query: token * width + head * headDim, key: key * width + head * headDim };
    const rows: [string, string][] = [
      [`q · k, ${headDim} products`, `${number(product)}${products(layer, at, headDim)}`],
      [`÷ √${headDim}: the score`, number(scores[key]!)],
      ["exp(score − largest score of the row)", `exp(${number(scores[key]!)} − ${bracket(top)}) = ${share(key).toFixed(4)}`],
      [`sum of these over ${seen.length} keys`, total.toFixed(4)],
      ["share: the weight", cut.includes(key) ? "masked" : `${share(key).toFixed(4)} ÷ ${total.toFixed(4)} = ${(share(key) / total).toFixed(3)}`],
    ];
    const body = rows.map(([step, value]) => h("tr", {}, h("th", { scope: "row" }, step), h("td", {}, value)));
    const caption = h("caption", {}, `From “${tokens[token]}” to “${tokens[key]}”, step by step`);
    this.element.replaceChildren(h("table", {}, caption, h("tbody", {}, ...body)));
  }
}

/** The largest of the products of which q · k is the sum; only a live model has them. */
function products(
  { query, key: keys }: LayerReading,
  at: { query: number; key: number },
  headDim: number,
): string {
  if (!query || !keys) return "";
  const all = Array.from({ length: headDim }, (_, d) => query[at.query + d]! * keys[at.key + d]!);
  const largest = all.toSorted((a, b) => Math.abs(b) - Math.abs(a)).slice(0, LARGEST);
  return `; the largest: ${largest.map((x) => number(x)).join(", ")}`;
}

const bracket = (x: number): string => (x < 0 ? `(${number(x)})` : number(x));
