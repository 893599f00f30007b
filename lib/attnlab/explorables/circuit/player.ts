// Plays the checkpoints one after the other; with reduced motion, a press shows the next one.
import { h } from "../ui/dom.ts";
import { button } from "../ui/fields.ts";

const PAUSE = 900; // ms for each checkpoint

export class Player {
  readonly element = h("div", { class: "buttons" });
  private readonly press: HTMLButtonElement;
  private readonly forward: () => boolean;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** @param forward - goes on by one checkpoint; false when there is nothing after it */
  constructor(forward: () => boolean) {
    this.forward = forward;
    this.press = button("", () => this.pressed());
    this.element.append(this.press);
    this.name();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.name();
  }

  private pressed(): void {
    if (this.timer !== undefined) return this.stop();
    const goesOn = this.forward();
    if (goesOn && !isStill()) this.timer = setInterval(() => this.tick(), PAUSE);
    this.name();
  }

  private tick(): void {
    // A figure that has been taken out of the page does not go on.
    if (!this.element.isConnected || !this.forward()) this.stop();
  }

  private name(): void {
    const still = isStill() ? "Next checkpoint" : "Play";
    this.press.textContent = this.timer === undefined ? still : "Pause";
  }
}

const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
