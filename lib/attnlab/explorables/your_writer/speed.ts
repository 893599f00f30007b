// How fast the reader's functions are, as measured in Python: this word, and a whole fable with and
// without the reader's cache.
import { h } from "../ui/dom.ts";
import { button, toggle } from "../ui/fields.ts";
import type { Ran } from "./source.ts";

/** Words and the seconds that they took. */
interface Total {
  words: number;
  seconds: number;
}

const WAYS = [false, true] as const;

const rate = ({ words, seconds }: Total): number => (seconds > 0 ? words / seconds : 0);

export class Speed {
  readonly element = h("div", { class: "speed" });
  private readonly now = h("p", { class: "status" });
  private readonly use: ReturnType<typeof toggle>;
  private readonly both: HTMLButtonElement;
  private readonly bars = h("dl", { class: "ways", hidden: true });
  private readonly said = h("p", { class: "status", role: "status" });
  private word: Total = { words: 0, seconds: 0 };
  private totals: Record<"true" | "false", Total> = { true: { words: 0, seconds: 0 }, false: { words: 0, seconds: 0 } };

  /**
   * @param use - called when the reader turns the cache on or off
   * @param write - writes a fable one way, as fast as it goes, and returns its tokens
   */
  constructor(use: (cached: boolean) => void, write: (cached: boolean) => Promise<readonly number[]>) {
    this.use = toggle("Use my cache", use);
    this.both = button("Write one fable both ways, as fast as it goes", () => void this.compare(write));
    this.element.append(this.now, this.use.element, this.both, this.bars, this.said);
  }

  /** Whether there is a cache to compare with, and whether it is used. */
  offer(extra: boolean, cached: boolean): void {
    this.use.element.hidden = this.both.hidden = !extra;
    this.use.show(cached);
  }

  ran({ seconds }: Ran, cached: boolean, words: number): void {
    if (words > 0) this.word = { words: 0, seconds: 0 };
    this.word = { words: this.word.words + words, seconds: this.word.seconds + seconds };
    const { milliseconds } = { milliseconds: (1000 * this.word.seconds).toFixed(this.word.seconds < 0.01 ? 1 : 0) };
    this.now.textContent = `Your functions took ${milliseconds} ms for this word.`;
    const total = this.totals[`${cached}`];
    total.words += words;
    total.seconds += seconds;
    if (!this.bars.hidden) this.draw();
  }

  private async compare(write: (cached: boolean) => Promise<readonly number[]>): Promise<void> {
    this.both.disabled = true;
    this.bars.hidden = false;
    this.said.textContent = "Writing …";
    this.totals = { true: { words: 0, seconds: 0 }, false: { words: 0, seconds: 0 } };
    try {
      const [without, withIt] = [await write(false), await write(true)];
      const times = rate(this.totals.true) / rate(this.totals.false);
      const same = without.join() === withIt.join() ? "Both fables are the same, word for word." : "The two fables differ: rounding turned a draw.";
      this.said.textContent = `With your cache it writes ${times.toFixed(1)} times as fast. ${same}`;
    } catch (error) {
      this.said.textContent = (error as Error).message;
    }
    this.both.disabled = false;
  }

  private draw(): void {
    const rates = WAYS.map((cached) => rate(this.totals[`${cached}`]));
    const rows = WAYS.flatMap((cached, i) => {
      const bar = h("i");
      bar.style.transform = `scaleX(${rates[i]! / Math.max(...rates, 1)})`;
      const words = rates[i]! > 0 ? `${rates[i]!.toFixed(0)} words a second` : "…";
      return [h("dt", {}, cached ? "with your cache" : "without"), h("dd", {}, h("span", { class: "track" }, bar), words)];
    });
    this.bars.replaceChildren(...rows);
  }
}
