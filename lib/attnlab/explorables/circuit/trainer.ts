// Real steps of training from a checkpoint on: Adam on fresh texts, one text at a time, so that the
// page stays at the reader's service.
import { randomNumbers } from "../random.ts";
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";
import { Adam } from "./adam.ts";
import { addGradients } from "./backward.ts";
import { read, type Pass } from "./forward.ts";
import { lossInRepeats } from "./measures.ts";
import { draw, PERIODS, type Texts } from "./texts.ts";
import { copyOf, zerosLike, type Weights } from "./weights.ts";

// Texts in a step, and the highest learning rate, as in training.
const [BATCH, LEARNING_RATE, STEPS] = [32, 0.01, 10];

interface Training {
  /** The checkpoint that it started from. */
  of: string;
  weights: Weights;
  adam: Adam;
  next: () => number;
  steps: number;
}

export class Trainer {
  readonly element = h("div", { class: "buttons" });
  private readonly said = h("p", { class: "said", role: "status" });
  private readonly start: () => { of: string; condition: string; weights: Weights } | undefined;
  private readonly changed: () => void;
  private training: Training | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param start - the checkpoint that is shown, if it is there
   * @param changed - called after each step
   */
  constructor(start: Trainer["start"], changed: () => void) {
    [this.start, this.changed] = [start, changed];
    this.element.append(button(`Train ${STEPS} steps here`, () => this.pressed()), this.said);
  }

  /** The weights as trained here, or undefined where nothing was. */
  weightsOf(checkpoint: string): Weights | undefined {
    if (this.training?.of === checkpoint) return this.training.weights;
    if (this.training) this.stop();
    return undefined;
  }

  /** How many steps were trained from the checkpoint on. */
  get steps(): number {
    return this.training?.steps ?? 0;
  }

  /** Forgets what was trained. */
  stop(): void {
    clearTimeout(this.timer);
    [this.timer, this.training] = [undefined, undefined];
    this.said.textContent = "";
  }

  private pressed(): void {
    const from = this.start();
    if (!from || this.timer !== undefined) return;
    if (this.training?.of !== from.of) {
      const weights = copyOf(from.weights);
      this.training = { of: from.of, weights, adam: new Adam(weights), next: randomNumbers(1), steps: 0 };
    }
    this.step(this.training, PERIODS[from.condition]!, STEPS);
  }

  private step(training: Training, periods: readonly number[], left: number): void {
    if (left === 0) {
      this.timer = undefined;
      return;
    }
    const batch = draw(training.next, BATCH, periods);
    this.read(training, batch, [], zerosLike(training.weights), () =>
      this.step(training, periods, left - 1),
    );
  }

  /** Adds one text's gradient, and goes on with the next one; after the last one comes the step. */
  private read(training: Training, batch: Texts, passes: Pass[], sum: ReturnType<typeof zerosLike>, then: () => void): void {
    this.timer = setTimeout(() => {
      if (!this.element.isConnected) return this.stop();
      const pass = read(training.weights, batch.texts[passes.length]!);
      addGradients(training.weights, pass, sum, 1 / BATCH);
      passes.push(pass);
      if (passes.length < BATCH) return this.read(training, batch, passes, sum, then);
      training.adam.step(training.weights, sum, LEARNING_RATE);
      training.steps++;
      const loss = lossInRepeats(passes, batch.periods).toFixed(2);
      const steps = `${training.steps} step${training.steps === 1 ? "" : "s"} further, trained here`;
      this.said.textContent = `${steps}: loss in the repeats of its ${BATCH} fresh texts ${loss} nats.`;
      this.changed();
      then();
    });
  }
}
