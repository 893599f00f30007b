// A measurement of two runs up to a step of training, with bounds as dashed lines; measured steps stand at equal distances.
import { clamp, type Vector } from "../math.ts";
import { pointIn, s, set } from "../ui/dom.ts";
import { lineEnds } from "../ui/line_ends.ts";

const [WIDE, TALL, LEFT, TOP] = [216, 130, 34, 26];
/** The whole width, with room for the names of the lines at the right. */
const WHOLE = LEFT + WIDE + 68;
const NAMES = [["healthy", "correct"], ["faulty", "faulty"]] as const; // prettier-ignore

/** A line across the whole chart. */
const across = (look: string, y: number): SVGElement =>
  s("line", { class: look, x1: LEFT, x2: LEFT + WIDE, y1: y, y2: y });

/** A dashed line: where it stands, and its name. */
type Bound = readonly [number, string];

/** The chart; `choose` gets the step that is pressed. */
export function chartOf(title: string, steps: Vector, most: number, bounds: readonly Bound[], choose: (at: number) => void) {
  const last = steps.length - 1;
  const x = (at: number): number => LEFT + (WIDE * at) / last;
  const y = (value: number): number => TOP + TALL * (1 - value / most);
  const lines = NAMES.map(([kind]) => s("polyline", { class: `line ${kind}` }));
  const ends = s("g");
  const marker = s("line", { class: "marker", y1: TOP, y2: TOP + TALL });
  const ticks = [0, most].flatMap((value) => [
    across("axis", y(value)),
    s("text", { "text-anchor": "end", x: LEFT - 6, y: y(value) + 5 }, String(value)),
  ]);
  const dashed = bounds.flatMap(([value, name]) => [
    across("bound", y(value)),
    s("text", { "text-anchor": "end", x: LEFT + WIDE, y: y(value) + (y(value) < TOP + 20 ? 14 : -5) }, name),
  ]);
  const below = (at: number, line: number, words: string): SVGElement =>
    s("text", { "text-anchor": "middle", x: at, y: TOP + TALL + line }, words);
  const measured = steps.map((step, i) => below(x(i), 18, String(step)));
  // What leaves the chart at its top is cut off there.
  const inside = s("svg", { x: LEFT, y: TOP, width: WIDE, height: TALL, viewBox: `${LEFT} ${TOP} ${WIDE} ${TALL}` }, ...lines);
  const element = s("svg", { class: "chart", viewBox: `0 0 ${WHOLE} ${TOP + TALL + 40}`, "aria-hidden": "true" });
  const named = [s("text", { class: "of", x: 0, y: 14 }, title), below(LEFT + WIDE / 2, 36, "steps of training, as logged")];
  element.append(...ticks, marker, inside, ...dashed, ...measured, ...named, ends);
  element.addEventListener("click", (event) => {
    choose(clamp(Math.round(((pointIn(element, event)[0] - LEFT) / WIDE) * last), 0, last));
  });
  return {
    element,
    update(rows: readonly [healthy: Vector, faulty: Vector], at: number): void {
      rows.forEach((row, i) => {
        set(lines[i]!, { points: row.slice(0, at + 1).map((value, j) => `${x(j)},${y(value)}`).join(" ") });
      });
      const named = NAMES.map(([kind, name], i) => [kind, name, Math.max(TOP - 6, y(rows[i]![at]!))] as const);
      const dots = named.map(([kind, , cy]) => s("circle", { class: `dot ${kind}`, r: 4.5, cx: x(at), cy }));
      ends.replaceChildren(...dots, ...lineEnds(named, LEFT + WIDE + 16));
      set(marker, { x1: x(at), x2: x(at) });
    },
  };
}
