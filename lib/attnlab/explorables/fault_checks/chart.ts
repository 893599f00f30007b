// A measurement of two runs up to a step of training, with bounds as dashed lines; measured steps stand at equal distances.
import { clamp, type Vector } from "../math.ts";
import { pointIn, s, set } from "../ui/dom.ts";
import { lineEnds } from "../ui/line_ends.ts";

const [WIDE, TALL, LEFT, TOP] = [216, 130, 34, 26];
/** The whole width, with room for the names of the lines at the right. */
const WHOLE = LEFT + WIDE + 68;
const NAMES = [["healthy", "correct"], ["faulty", "faulty"]] as const; // prettier-ignore

export class Chart {
  readonly element = s("svg", { class: "chart", viewBox: `0 0 ${WHOLE} ${TOP + TALL + 40}`, "aria-hidden": "true" });
  private readonly lines = NAMES.map(([kind]) => s("polyline", { class: `line ${kind}` }));
  private readonly ends = s("g");
  private readonly marker = s("line", { class: "marker", y1: TOP, y2: TOP + TALL });
  private readonly count: number;
  private readonly most: number;

  /** `bounds` are dashed lines with their names; `choose` gets the step that is pressed. */
  constructor(title: string, steps: Vector, most: number, bounds: readonly (readonly [number, string])[], choose: (at: number) => void) {
    [this.count, this.most] = [steps.length, most];
    const ticks = [0, most].flatMap((value) => [
      s("line", { class: "axis", x1: LEFT, x2: LEFT + WIDE, y1: this.y(value), y2: this.y(value) }),
      s("text", { class: "end", x: LEFT - 6, y: this.y(value) + 5 }, String(value)),
    ]);
    const dashed = bounds.flatMap(([value, name]) => [
      s("line", { class: "bound", x1: LEFT, x2: LEFT + WIDE, y1: this.y(value), y2: this.y(value) }),
      s("text", { class: "end", x: LEFT + WIDE, y: this.y(value) + (this.y(value) < TOP + 20 ? 14 : -5) }, name),
    ]);
    const measured = steps.map((step, i) => s("text", { class: "middle", x: this.x(i), y: TOP + TALL + 18 }, String(step)));
    // What leaves the chart at its top is cut off there.
    const inside = s("svg", { x: LEFT, y: TOP, width: WIDE, height: TALL, viewBox: `${LEFT} ${TOP} ${WIDE} ${TALL}` }, ...this.lines);
    this.element.append(
      s("text", { class: "of", x: 0, y: 14 }, title),
      ...ticks, this.marker, inside, ...dashed, ...measured,
      s("text", { class: "middle", x: LEFT + WIDE / 2, y: TOP + TALL + 36 }, "steps of training, as logged"),
      this.ends,
    ); // prettier-ignore
    this.element.addEventListener("click", (event) => {
      const last = this.count - 1;
      choose(clamp(Math.round(((pointIn(this.element, event)[0] - LEFT) / WIDE) * last), 0, last));
    });
  }

  update(rows: readonly [healthy: Vector, faulty: Vector], at: number): void {
    rows.forEach((row, i) => {
      set(this.lines[i]!, { points: row.slice(0, at + 1).map((value, j) => `${this.x(j)},${this.y(value)}`).join(" ") });
    });
    const ends = NAMES.map(([kind, name], i) => [kind, name, Math.max(TOP - 6, this.y(rows[i]![at]!))] as const);
    this.ends.replaceChildren(
      ...ends.map(([kind, , y]) => s("circle", { class: `dot ${kind}`, r: 4.5, cx: this.x(at), cy: y })),
      ...lineEnds(ends, LEFT + WIDE + 16),
    );
    set(this.marker, { x1: this.x(at), x2: this.x(at) });
  }

  private x(at: number): number {
    return LEFT + (WIDE * at) / (this.count - 1);
  }

  private y(value: number): number {
    return TOP + TALL * (1 - value / this.most);
  }
}
