// One column for each key: the exact gradient as a line, the estimate as a dot with its error.
import { tidy } from "../math.ts";
import { s, set } from "../ui/dom.ts";

const [WIDE, TALL, LEFT, ROOM, FOOT] = [340, 150, 38, 8, 16];

export interface Shown {
  exact: readonly number[];
  estimates: readonly number[];
  /** Standard errors. */
  errors: readonly number[];
  /** The right key, and the one that was drawn last. */
  right: number;
  last: number;
}

export class Estimates {
  readonly element = s("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${TALL + FOOT}`, role: "img" });

  update({ exact, estimates, errors, right, last }: Shown, label: string): void {
    const limit = nice(Math.max(...exact.map(Math.abs), ...estimates.map((x, i) => Math.abs(x) + errors[i]!)));
    const step = (WIDE - LEFT) / exact.length;
    const y = (value: number): number => TALL / 2 - (value / limit) * (TALL / 2 - ROOM);
    const parts = exact.flatMap((value, i) => {
      const x = LEFT + (i + 0.5) * step;
      const [mean, error] = [estimates[i]!, errors[i]!];
      const kind = i === right ? "tick right" : "tick";
      return [
        s("line", { class: "whisker", x1: x, x2: x, y1: y(mean - error), y2: y(mean + error) }),
        s("circle", { class: "dot", cx: x, cy: y(mean), r: 3.5 }),
        s("line", { class: "exact", x1: x - 7, x2: x + 7, y1: y(value), y2: y(value) }),
        s("text", { class: i === last ? `${kind} last` : kind, x, y: TALL + 11 }, String(i + 1)),
      ];
    });
    const axis = [limit, 0, -limit].flatMap((value) => [
      s("line", { class: "axis", x1: LEFT, x2: WIDE, y1: y(value), y2: y(value) }),
      s("text", { class: "tick end", x: LEFT - 4, y: y(value) + 4 }, String(value).replace("-", "−")),
    ]);
    this.element.replaceChildren(...axis, ...parts);
    set(this.element, { "aria-label": label });
  }
}

/** The first of a few round numbers times a power of ten that is not below `least`. */
function nice(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return tidy(power * [1, 1.5, 2, 3, 4, 6, 10].find((n) => n * power >= least * (1 - 1e-9))!);
}
