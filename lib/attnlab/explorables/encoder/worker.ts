// Runs the model in a worker of its own: sentences in, layer after layer out.
import { apply, embedder, type Layer, layerOf } from "./layer.ts";
import type { Answer, Ask } from "./messages.ts";
import { Store, type Told } from "./store.ts";
import { rowsOf, tensorsOf } from "./tensors.ts";
import { Tokenizer } from "./tokenizer.ts";

/** A longer sentence would not fit a map that can be read. */
const MOST = 40;

const say = (answer: Answer, transfer: Transferable[] = []): void => self.postMessage(answer, { transfer });

class Model {
  private readonly store: Store;
  private readonly layers: Promise<Layer>[] = [];
  private told: Promise<Told> | undefined;
  private tokenizer: Promise<Tokenizer> | undefined;
  private loaded = 0;
  private total = 0;
  private what = "";
  private latest = -1;

  constructor(base: string) {
    this.store = new Store(base, (bytes) => this.progress(bytes));
  }

  /** Reads a sentence; a newer one makes it stop. */
  async read({ id, text, off, cut }: Ask): Promise<void> {
    this.latest = id;
    const told = await (this.told ??= this.begin());
    const { tokens, ids } = (await this.tokenizer!).encode(text);
    if (tokens.length > MOST) {
      const message = `That makes ${tokens.length} tokens; this figure shows at most ${MOST}.`;
      return say({ type: "refused", id, message });
    }
    const { num_layers: numLayers, num_heads: numHeads } = told;
    say({ type: "tokens", id, tokens, numLayers, numHeads });
    let x = await this.embed(ids, told.shard);
    for (let number = 0; number < numLayers; number++) {
      const layer = await this.layer(number, numLayers);
      if (this.latest !== id) return;
      const heads = off.filter(([of]) => of === number).map(([, head]) => head);
      const made = apply(x, ids.length, layer, numHeads, { off: new Set(heads), cut: new Set(cut) });
      x = made.x;
      const { weights, scores, query, key } = made.seen;
      say({ type: "layer", id, layer: number, ...made.seen }, [weights, scores, query, key].map((a) => a.buffer));
      // A message that came meanwhile, such as a newer sentence, is taken here.
      await new Promise((resolve) => setTimeout(resolve));
    }
    const last = Float32Array.from(x);
    say({ type: "done", id, x: last }, [last.buffer]);
  }

  private async begin(): Promise<Told> {
    const told = await this.store.index();
    if ("missing" in told) throw new Error(told.missing);
    const read = async (): Promise<Tokenizer> => {
      const text = new TextDecoder().decode(await this.fetch("vocabulary.txt", "the vocabulary"));
      return new Tokenizer(text.split("\n"));
    };
    const sizes = Object.entries(told.bytes).filter(([name]) => !name.startsWith("words-"));
    this.total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    this.tokenizer = read();
    await this.tokenizer;
    return told;
  }

  private async embed(ids: readonly number[], shard: number): Promise<Float64Array> {
    const numbers = [...new Set(ids.map((id) => Math.floor(id / shard)))];
    const files = numbers.map(async (number) => {
      const name = `words-${String(number).padStart(3, "0")}.safetensors`;
      return [number, rowsOf(tensorsOf(await this.fetch(name, "the words")), "words")] as const;
    });
    const rows = new Map(await Promise.all(files));
    const start = embedder(await this.fetch("start.safetensors", "the words"));
    return start(ids.map((id) => rows.get(Math.floor(id / shard))!(id % shard)));
  }

  private layer(number: number, count: number): Promise<Layer> {
    const what = `layer ${number + 1} of ${count}`;
    return (this.layers[number] ??= this.fetch(`layer-${number + 1}.safetensors`, what).then(layerOf, (error) => {
      delete this.layers[number];
      throw error;
    }));
  }

  private fetch(name: string, what: string): Promise<ArrayBuffer> {
    this.what = what;
    return this.store.file(name);
  }

  private progress(bytes: number): void {
    this.loaded += bytes;
    const total = Math.max(this.total, this.loaded);
    say({ type: "progress", loaded: this.loaded, total, what: this.what });
  }

  /** Forgets what did not come, so that the next sentence tries again. */
  again(): void {
    this.told = undefined;
  }
}

let model: Model | undefined;

self.onmessage = async ({ data }: MessageEvent<{ base: string } | Ask>) => {
  if ("base" in data) {
    model = new Model(data.base);
    return;
  }
  try {
    await model!.read(data);
  } catch (error) {
    model!.again();
    const message =
      error instanceof TypeError
        ? "The model's files could not be fetched. Is there a network, and is this page served?"
        : (error as Error).message;
    say({ type: "failed", message });
  }
};
