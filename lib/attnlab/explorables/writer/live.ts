// The model in the page: its file is fetched, or comes from a notebook's kernel.
import { tensorsOf } from "../encoder/tensors.ts";
import { inSite } from "../site.ts";
import { Gpt, weightsOf } from "./gpt.ts";
import { nextToken, type Reading, type Source } from "./source.ts";

const address = inSite("data/fables.safetensors");

/** Why a page cannot fetch the model; "" where it can, undefined in a notebook, whose kernel has it. */
export const hindrance = (): string | undefined =>
  location.protocol === "file:" && address
    ? "Browsers fetch no model for a page opened from a file, so this is a recorded run. On the web it writes on."
    : address && "";

export const FAILED = "The model could not be fetched, so this is a recorded run. Is there a network?";

/** Fetches the file of the model. */
export async function fetched(): Promise<ArrayBuffer> {
  const answer = await fetch(address!);
  if (!answer.ok) throw new Error(`${address}: status ${answer.status}`);
  return answer.arrayBuffer();
}

export class LiveModel implements Source {
  readonly words: readonly string[];
  readonly heads: readonly [number, number];
  readonly most: number;
  private readonly gpt: Gpt;

  /** @param file - what `attnlab.gpt.page_file` writes */
  constructor(words: readonly string[], [layers, heads]: readonly [number, number], file: ArrayBuffer) {
    this.words = words;
    this.heads = [layers, heads];
    this.gpt = new Gpt(weightsOf(tensorsOf(file)), heads);
    this.most = this.gpt.context;
  }

  async read(tokens: readonly number[], from: number): Promise<readonly Reading[]> {
    return this.gpt.read(tokens, from);
  }

  async choose(reading: Reading, temperature: number, draw: number): Promise<number> {
    return nextToken(reading, temperature, draw);
  }
}
