// A bin for each key, into which the draws fall.
import { s, set } from "../ui/dom.ts";
import { motion } from "../ui/fly.ts";

const [WIDE, TALL, LEFT, TOP, BALL] = [340, 70, 38, 12, 4];
/** As many balls as can be followed fall after a change; the others are in the bins at once. */
const MOST = 24;

export class Bins {
  readonly element = s("svg", { class: "chart bins", viewBox: `0 0 ${WIDE} ${TOP + TALL + 2}`, role: "img" });
  private readonly bars = s("g");
  private readonly balls = s("g");
  private before: readonly number[] = [];

  constructor() {
    const floor = s("line", { class: "axis", x1: LEFT, x2: WIDE, y1: TOP + TALL, y2: TOP + TALL });
    this.element.append(this.bars, floor, this.balls);
  }

  /** Shows how many draws fell on each key, and a dash where the weights expect them. */
  update(counts: readonly number[], weights: readonly number[], label: string): void {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const most = Math.max(...counts.map((count) => count / total), ...weights);
    const step = (WIDE - LEFT) / counts.length;
    const height = (share: number): number => (TALL * share) / most;
    if (this.bars.childElementCount !== counts.length) this.bars.replaceChildren(...counts.map((_, i) => bin(i, step)));
    counts.forEach((count, i) => {
      const [bar, dash] = this.bars.children[i]!.children as unknown as [SVGElement, SVGElement];
      bar.style.transform = `scaleY(${count / total / most})`;
      dash.style.transform = `translateY(${-height(weights[i]!)}px)`;
    });
    this.drop(counts, (key) => [LEFT + (key + 0.5) * step, TOP + TALL - height(counts[key]! / total)]);
    set(this.element, { "aria-label": label });
    this.before = counts;
  }

  /** Lets the draws fall that were not there before, or all of them if these are others. */
  private drop(counts: readonly number[], place: (key: number) => [number, number]): void {
    const isFirst = this.before.length === 0;
    const isMore = !isFirst && counts.every((count, key) => count >= this.before[key]!);
    const fallen = counts.flatMap((count, key) => Array<number>(Math.min(MOST, count - (isMore ? this.before[key]! : 0))).fill(key));
    const duration = 2.5 * motion(this.element);
    this.balls.replaceChildren();
    if (isFirst || duration === 0) return;
    const every = Math.ceil(fallen.length / MOST);
    fallen.filter((_, i) => i % every === 0).forEach((key, i) => {
      const [x, y] = place(key);
      const ball = s("circle", { class: "dot", cx: x, cy: y - BALL, r: BALL });
      this.balls.append(ball);
      const path = [{ transform: `translateY(${-y}px)` }, { transform: "none" }];
      const timing = { duration, delay: 30 * i, easing: "ease-in", fill: "backwards" } as const;
      const gone = (): void => ball.remove();
      ball.animate(path, timing).finished.then(gone, gone);
    });
  }
}

function bin(key: number, step: number): SVGElement {
  const x = LEFT + key * step;
  const bar = s("rect", { class: "bin", x: x + 3, width: step - 6, y: TOP, height: TALL });
  return s("g", {}, bar, s("line", { class: "weight", x1: x + 1, x2: x + step - 1, y1: TOP + TALL, y2: TOP + TALL }));
}
