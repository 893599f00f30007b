// What the width of the keys does to the softmax: the same scores, without the scale and with it.
import type { Host } from "../host.ts";
import type { Vector } from "../math.ts";
import * as text from "../text.ts";
import { slider } from "../ui/fields.ts";
import { mount, type Common, type Context, type Spec } from "../ui/frame.ts";
import { Table, type Row } from "../ui/value_table.ts";
import { jacobianNorm, weightsAt } from "./arithmetic.ts";

export interface State extends Common {
  draws: Vector;
  /** The width of the keys is two to this power. */
  exponent: number;
  /** Measured with 64 keys: the median norm of the Jacobian at each width. */
  widths: Vector;
  unscaled: Vector;
  scaled: Vector;
}

const WIDEST = 10;
const NAMES = ["q · k", "q · k ÷ √d_k"];

function rowsOf(state: State): { weights: Row[]; numbers: Row[] } {
  const rows = weightsAt(state.draws, state.exponent);
  const at = state.widths.indexOf(2 ** state.exponent);
  const measured = [state.unscaled[at], state.scaled[at]];
  const shade = (value: number) => ({
    text: text.number(value),
    heat: { value, kind: "weights" as const },
  });
  return {
    weights: rows.map((row, i) => ({ head: NAMES[i]!, cells: row.map(shade) })),
    numbers: rows.map((row, i) => {
      const norm = measured[i];
      const known = norm === undefined ? "not measured" : text.number(norm, 4);
      const own = [text.number(Math.max(...row), 3), text.number(jacobianNorm(row), 4)];
      return { head: NAMES[i]!, cells: [...own, known] };
    }),
  };
}

function build(context: Context<State>): { parts: Node[]; update(state: State): void } {
  const width = slider("Width of the keys, d_k", ["1", String(2 ** WIDEST)], WIDEST, (exponent) =>
    context.change({ exponent }),
  );
  const keys = context.state().draws.map((_, i) => `k${i + 1}`);
  const weights = new Table("Weights", ["weights", ...keys]);
  const numbers = new Table("Largest weight and gradient", [
    "",
    "largest",
    "gradient",
    "with 64 keys",
  ]);
  return {
    parts: [width.element, weights.element, numbers.element],
    update(state) {
      width.show({ position: state.exponent, text: String(2 ** state.exponent) });
      const rows = rowsOf(state);
      weights.update(rows.weights);
      numbers.update(rows.numbers);
    },
  };
}

const spec: Spec<State> = {
  name: "Scale and saturation",
  shows: ["draws", "exponent", "widths", "unscaled", "scaled"],
  answers: ["exponent"],
  whole: ["exponent"],
  build,
  summary({ draws, exponent }) {
    const [plain, scaled] = weightsAt(draws, exponent).map((row) => text.number(Math.max(...row)));
    return `At width ${2 ** exponent} the largest weight is ${plain}, and ${scaled} with the scale.`;
  },
};

export const render = (host: Host<State>): (() => void) => mount(host, spec);
export default { render };
