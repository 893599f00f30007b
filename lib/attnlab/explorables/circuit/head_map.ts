// Where one head looks: rows are queries, columns are keys, the darker the more weight.
import { clamp } from "../math.ts";
import { pointIn, s, set } from "../ui/dom.ts";

const [CELL, EDGE] = [13, 18];

export class HeadMap {
  readonly element = s("svg", { class: "pattern head-map", role: "img" });
  private cells: SVGRectElement[][] = [];
  private readonly row = s("rect", { class: "chosen", x: EDGE - 1 });
  private tokens = "";

  constructor(choose: (query: number) => void) {
    this.element.addEventListener("click", (event) => {
      const at = Math.floor((pointIn(this.element, event)[1] - EDGE) / CELL);
      if (this.cells.length > 0) choose(clamp(at, 0, this.cells.length - 1));
    });
  }

  /** Draws weights, (tokens, tokens) row by row; without weights the cells are empty. */
  update(tokens: readonly string[], weights: Float64Array | undefined, query: number, label: string): void {
    if (tokens.join("") !== this.tokens) this.draw(tokens);
    const count = tokens.length;
    this.cells.forEach((row, i) =>
      row.forEach((cell, j) => {
        const share = Math.round(100 * (weights?.[i * count + j] ?? 0));
        cell.style.fill = `color-mix(in srgb, var(--attn-ink) ${share}%, var(--attn-paper))`;
      }),
    );
    set(this.row, { y: EDGE + query * CELL - 1, width: (query + 1) * CELL + 1, height: CELL + 1 });
    set(this.element, { "aria-label": label });
  }

  private draw(tokens: readonly string[]): void {
    this.tokens = tokens.join("");
    const side = EDGE + tokens.length * CELL + 2;
    // Later keys are masked and not drawn.
    this.cells = tokens.map((_, i) =>
      tokens.slice(0, i + 1).map((_, j) =>
        s("rect", { class: "square", x: EDGE + j * CELL, y: EDGE + i * CELL, width: CELL - 1, height: CELL - 1 }),
      ),
    );
    const names = tokens.flatMap((token, i) => {
      const at = EDGE + (i + 0.5) * CELL;
      return [
        s("text", { class: "tick key", x: at - 0.5, y: EDGE - 5 }, token),
        s("text", { class: "tick query", x: EDGE - 9, y: at + 4 }, token),
      ];
    });
    set(this.element, { viewBox: `0 0 ${side} ${side}` });
    this.element.replaceChildren(...this.cells.flat(), ...names, this.row);
  }
}
