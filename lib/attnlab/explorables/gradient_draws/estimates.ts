// One column for each key: the exact gradient and its estimate, and below them what was drawn.
import { tidy } from "../math.ts";
import { s, set } from "../ui/dom.ts";

const [WIDE, TALL, LEFT, ROOM] = [334, 150, 38, 8];
/** The bins below: where they stand, and how high the highest is. */
const [FLOOR, BIN] = [TALL + 92, 62];

export interface Shown {
  exact: readonly number[];
  estimates: readonly number[];
  /** Standard errors. */
  errors: readonly number[];
  /** What a draw takes each key with, and the share of the draws that took it. */
  weights: readonly number[];
  shares: readonly number[];
  /** The right key, the one that was drawn last, and whether that was just now. */
  right: number;
  last: number;
  isNew: boolean;
}

export class Estimates {
  readonly element = s("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${FLOOR + 16}`, role: "img" });

  update({ exact, estimates, errors, weights, shares, right, last, isNew }: Shown, label: string): void {
    const limit = nice(Math.max(...exact.map(Math.abs), ...estimates.map((x, i) => Math.abs(x) + errors[i]!)));
    const step = (WIDE - LEFT) / exact.length;
    const y = (value: number): number => TALL / 2 - (value / limit) * (TALL / 2 - ROOM);
    const high = BIN / Math.max(...weights, ...shares);
    const bin = (kind: string, x: number, share: number): SVGElement =>
      s("rect", { class: kind, x: x - 6, width: 12, y: FLOOR - high * share, height: high * share });
    const parts = exact.flatMap((value, i) => {
      const x = LEFT + (i + 0.5) * step;
      const [mean, error] = [estimates[i]!, errors[i]!];
      return [
        s("line", { class: "whisker", x1: x, x2: x, y1: y(mean - error), y2: y(mean + error) }),
        s("circle", { class: "dot", cx: x, cy: y(mean), r: 3.5 }),
        s("line", { class: "exact", x1: x - 7, x2: x + 7, y1: y(value), y2: y(value) }),
        bin("share", x, shares[i]!),
        bin("weight", x, weights[i]!),
        s("text", { class: i === right ? "tick right" : "tick", x, y: FLOOR + 14 }, String(i + 1)),
      ];
    });
    const axis = [limit, 0, -limit].flatMap((value) => [
      s("line", { class: "axis", x1: LEFT, x2: WIDE, y1: y(value), y2: y(value) }),
      s("text", { class: "tick end", x: LEFT - 4, y: y(value) + 4 }, String(value).replace("-", "−")),
    ]);
    const floor = s("line", { class: "floor", x1: LEFT, x2: WIDE, y1: FLOOR, y2: FLOOR });
    const ball = s("circle", {
      class: isNew ? "ball falls" : "ball",
      cx: LEFT + (last + 0.5) * step,
      cy: FLOOR - high * shares[last]! - 6,
      r: 5,
    });
    const drawn = s("text", { class: "tick", x: LEFT / 2 - 2, y: FLOOR }, "drawn");
    this.element.replaceChildren(...axis, floor, drawn, ...parts, ball);
    set(this.element, { "aria-label": label });
  }
}

/** The first of a few round numbers times a power of ten that is not below `least`. */
function nice(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return tidy(power * [1, 1.5, 2, 3, 4, 6, 10].find((n) => n * power >= least * (1 - 1e-9))!);
}
