// How the error falls with the number of draws: what is expected, and what these draws have.
import { clamp } from "../math.ts";
import { s, set } from "../ui/dom.ts";
import { lineEnds } from "../ui/line_ends.ts";

const [WIDE, TALL, LEFT, TOP, FOOT] = [334, 206, 38, 8, 34];
/** The room at the right for the names of the lines. */
const NAMES = 92;
const [LEAST, LARGEST, DECADES] = [0.01, 30, 4.5];

export interface Seen {
  /** Numbers of draws, and the error after each. */
  stops: readonly number[];
  errors: readonly number[];
  /** The expected error of one draw, with the baseline and with 0. */
  ofOne: number;
  without: number;
  /** The baseline in words; empty where it is 0. */
  baseline: string;
  target: number;
}

export class Errors {
  readonly element = s("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${TOP + TALL + FOOT}`, role: "img" });

  update({ stops, errors, ofOne, without, baseline, target }: Seen, label: string): void {
    const most = stops.at(-1)!;
    const root = Math.sqrt(most);
    const expected = (kind: string, one: number): SVGElement => line(kind, [[1, one], [most, one / root]]);
    const own = baseline ? [["expected", baseline, y(ofOne / root)] as const] : [];
    const ends = [
      ["seen", "these draws", y(errors.at(-1)!)] as const,
      ...own,
      ["without", baseline ? "no baseline" : "expected", y(without / root)] as const,
    ];
    this.element.replaceChildren(
      ...axes(),
      s("line", { class: "target", x1: LEFT, x2: WIDE - NAMES, y1: y(target), y2: y(target) }),
      expected("without", without),
      ...(baseline ? [expected("expected", ofOne)] : []),
      line("seen", stops.map((n, i) => [n, errors[i]!] as const)),
      s("circle", { class: "dot", cx: x(most), cy: y(errors.at(-1)!), r: 4 }),
      ...lineEnds(ends, x(most) + 8),
    );
    set(this.element, { "aria-label": label });
  }
}

const x = (draws: number): number => LEFT + ((WIDE - LEFT - NAMES) * Math.log10(draws)) / DECADES;
const y = (error: number): number =>
  TOP + (TALL * Math.log(LARGEST / clamp(error, LEAST, LARGEST))) / Math.log(LARGEST / LEAST);

const line = (kind: string, points: readonly (readonly [number, number])[]): SVGElement =>
  s("polyline", { class: kind, points: points.map(([n, error]) => `${x(n).toFixed(1)},${y(error).toFixed(1)}`).join(" ") });

function axes(): SVGElement[] {
  const right = WIDE - NAMES;
  const rows = [0.01, 0.1, 1, 10].flatMap((error) => [
    s("line", { class: "axis", x1: LEFT, x2: right, y1: y(error), y2: y(error) }),
    s("text", { class: "tick end", x: LEFT - 4, y: y(error) + 4 }, String(error)),
  ]);
  const columns = [1, 100, 10_000].map((draws) =>
    s("text", { class: "tick", x: x(draws), y: TOP + TALL + 15 }, draws.toLocaleString("en")),
  );
  return [...rows, ...columns, s("text", { class: "tick", x: (LEFT + right) / 2, y: TOP + TALL + 31 }, "draws")];
}
