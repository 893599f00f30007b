// Loss and scores along training, checkpoints at equal distances, with a line at the present one.
import { clamp } from "../math.ts";
import { pointIn, s, set } from "../ui/dom.ts";
import { lineEnds } from "../ui/line_ends.ts";

export interface Measured {
  step: number;
  loss: number;
  previous: readonly number[];
  induction: readonly number[];
}

// As wide as the panel that it stands in; the names of the lines stand at the right.
const [WIDE, TALL, LEFT, RIGHT, TOP, GAP] = [210, 86, 18, 98, 20, 14];
const MOST_LOSS = 4.2;

export class Curves {
  readonly element = s("svg", {
    class: "pattern curves",
    viewBox: `0 0 ${LEFT + WIDE + RIGHT} ${TOP + 2 * TALL + GAP + 34}`,
    role: "img",
  });
  private readonly lines = s("g");
  private readonly marker = s("line", { class: "marker", y1: TOP - 4, y2: TOP + 2 * TALL + GAP });
  private readonly dots = s("g");
  private of: readonly Measured[] = [];

  constructor(choose: (index: number) => void) {
    this.element.append(this.lines, this.marker, this.dots);
    this.element.addEventListener("click", (event) => {
      const x = pointIn(this.element, event)[0] - LEFT;
      const last = this.of.length - 1;
      choose(clamp(Math.round((x / WIDE) * last), 0, last));
    });
  }

  update(history: readonly Measured[], at: number): void {
    if (history !== this.of) this.draw((this.of = history));
    const now = history[at]!;
    const x = this.x(at);
    set(this.marker, { x1: x, x2: x });
    this.dots.replaceChildren(
      ...LINES.map(([kind, , y]) => s("circle", { class: `dot ${kind}`, cx: x, cy: y(now), r: 4 })),
    );
    set(this.element, { "aria-label": `After ${now.step} steps: ${said(now)}` });
  }

  private x(index: number): number {
    return LEFT + (WIDE * index) / Math.max(1, this.of.length - 1);
  }

  private draw(history: readonly Measured[]): void {
    const foot = TOP + 2 * TALL + GAP;
    const steps = history.map(({ step }, i) =>
      // Every second one, so that they have room; the last in any case.
      i % 2 && i < history.length - 1 ? "" : s("text", { class: "middle", x: this.x(i), y: foot + 14 }, String(step)),
    );
    this.lines.replaceChildren(
      ...axes(),
      ...LINES.map(([kind, , y]) =>
        s("polyline", { class: `line ${kind}`, points: history.map((row, i) => `${this.x(i)},${y(row)}`).join(" ") }),
      ),
      ...steps,
      ...lineEnds(LINES.map(([kind, name, y]) => [kind, name, y(history.at(-1)!)]), LEFT + WIDE + 8),
      s("text", { class: "middle", x: LEFT + WIDE / 2, y: foot + 29 }, "steps of training"),
    );
  }
}

/** The measures of a checkpoint in words. */
export const said = ({ loss, previous, induction }: Measured): string =>
  `loss ${loss.toFixed(2)}, previous-token score ${Math.max(...previous).toFixed(2)}, ` +
  `induction score ${Math.max(...induction).toFixed(2)}`;

const lossY = (loss: number): number => TOP + TALL * (1 - loss / MOST_LOSS);
const scoreY = (score: number): number => TOP + TALL + GAP + TALL * (1 - score);

/** The lines: the class and the name of each, and how low it is at a checkpoint. */
const LINES: readonly (readonly [kind: string, name: string, y: (row: Measured) => number])[] = [
  ["loss", "loss", ({ loss }) => lossY(loss)],
  ["previous", "previous token", ({ previous }) => scoreY(Math.max(...previous))],
  ["induction", "induction", ({ induction }) => scoreY(Math.max(...induction))],
];

function axes(): SVGElement[] {
  const ticks: [number, string][] = [
    [lossY(4), "4"], [lossY(0), "0"], [scoreY(1), "1"], [scoreY(0), "0"],
  ]; // prettier-ignore
  return [
    ...ticks.flatMap(([y, text]) => [
      s("line", { class: "axis", x1: LEFT, x2: LEFT + WIDE, y1: y, y2: y }),
      s("text", { class: "end", x: LEFT - 5, y: y + 4 }, text),
    ]),
    s("text", { x: 0, y: TOP - 6 }, "nats, in the repeats"),
  ];
}
