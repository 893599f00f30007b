// What readers do at the writer while its source takes its time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Window } from "happy-dom";
import type { Reading, Source } from "../../../lib/attnlab/explorables/writer/source.ts";

const window = new Window();
class Observer {
  observe(): void {}
  disconnect(): void {}
}
const matchMedia = (): { matches: boolean } => ({ matches: false });
Object.assign(globalThis, { document: window.document, IntersectionObserver: Observer, matchMedia });
const { Panel } = await import("../../../lib/attnlab/explorables/writer/panel.ts");

/** A source of the words of `WORDS`, whose answers come when the test says so. */
class Slow implements Source {
  readonly words = ["<pad>", "<begin>", "<end>", "fox", "crow", "and"];
  readonly heads = [1, 1] as const;
  readonly most = 9;
  private readonly held: (() => void)[] = [];

  async read(tokens: readonly number[], from: number): Promise<readonly Reading[]> {
    await this.hold();
    return tokens.slice(from).map((_, i) => ({ logits: this.words.map(() => 0), weights: [[Array(from + i + 1).fill(1)]] }));
  }

  async choose(): Promise<number> {
    await this.hold();
    return 5;
  }

  private hold(): Promise<void> {
    return new Promise((resolve) => this.held.push(resolve));
  }

  /** Lets all come that is on its way. */
  async answer(): Promise<void> {
    assert.ok(this.held.length > 0);
    this.held.splice(0).forEach((resolve) => resolve());
    await new Promise(setImmediate);
  }
}

const beginning = (label: string, ...tokens: number[]) => ({ label, tokens: [1, ...tokens], seed: 0 });

async function begun(): Promise<[InstanceType<typeof Panel>, Slow, HTMLElement]> {
  const source = new Slow();
  const beginnings = [beginning("The fox", 3), beginning("The crow", 4)];
  const panel = new Panel(source, beginnings, { temperature: 1, head: undefined });
  window.document.body.append(panel.element as never);
  void panel.begin(beginnings[0]!);
  await source.answer();
  return [panel, source, panel.element];
}

const press = (element: HTMLElement, text: string): void =>
  [...element.querySelectorAll("button")].find((button) => button.textContent === text)!.click();
const tap = (element: HTMLElement, at: number): void => element.querySelectorAll<HTMLElement>(".text span")[at]!.click();

test("a tap on a word does not lose a beginning that is being read", async () => {
  const [panel, source, element] = await begun();
  press(element, "The crow");
  tap(element, 1);
  await source.answer();
  assert.deepEqual(panel.tokens, [1, 4]);
  panel.stop();
});

test("a tap on a word, or a pause, keeps a word on its way from coming", async () => {
  for (const act of [(element: HTMLElement) => tap(element, 0), (element: HTMLElement) => press(element, "Pause")]) {
    const [panel, source, element] = await begun();
    press(element, "Pause");
    press(element, "Write on");
    await new Promise((resolve) => setTimeout(resolve, 0));
    act(element);
    await source.answer();
    assert.deepEqual(panel.tokens, [1, 3]);
    panel.stop();
  }
});
