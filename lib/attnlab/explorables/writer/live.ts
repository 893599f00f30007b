// The model in the page: its file is fetched, or comes from a notebook's kernel.
import { tensorsOf } from "../encoder/tensors.ts";
import { inSite } from "../site.ts";
import { Gpt, weightsOf } from "./gpt.ts";
import { nextToken, type Source } from "./source.ts";

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

/** The model as a source of words; `file` is what `attnlab.gpt.page_file` writes. */
export function liveModel(words: readonly string[], heads: readonly [number, number], file: ArrayBuffer): Source {
  const gpt = new Gpt(weightsOf(tensorsOf(file)), heads[1]);
  return {
    words,
    heads,
    most: gpt.context,
    read: async (tokens, from) => gpt.read(tokens, from),
    choose: async (reading, temperature, draw) => nextToken(reading, temperature, draw),
  };
}
