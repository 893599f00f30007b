// The model's files: fetched once, with progress, and kept in the browser's cache where it has one.

export interface Told {
  version: string;
  licence: string;
  num_layers: number;
  num_heads: number;
  shard: number;
  max_tokens: number;
  bytes: Record<string, number>;
}

/** The files that are read as text or arrays; `missing` is a sentence for readers. */
export type Index = Told | { missing: string };

const CACHE = "encoder-";

export class Store {
  private readonly kept = new Map<string, Promise<ArrayBuffer>>();
  private readonly base: string;
  private readonly report: (bytes: number) => void;
  private cache: Promise<Cache | undefined> = Promise.resolve(undefined);

  /**
   * @param base - the address of the folder, with a slash at its end
   * @param report - called with the number of bytes whenever some arrive
   */
  constructor(base: string, report: (bytes: number) => void) {
    [this.base, this.report] = [base, report];
  }

  /** What there is. Without network, what there was when it was last fetched. */
  async index(): Promise<Index> {
    const address = `${this.base}model.json`;
    const lists = await opened(`${CACHE}index`);
    let response: Response | undefined;
    try {
      response = await fetch(address);
      if (response.ok) await lists?.put(address, response.clone());
    } catch (error) {
      response = await lists?.match(address);
      if (!response) throw error;
    }
    if (!response.ok) throw new Error(`${address}: status ${response.status}`);
    const told = (await response.json()) as Index;
    if ("version" in told) this.cache = fresh(told.version);
    return told;
  }

  /** One file; asked for again, it comes from memory. */
  file(name: string): Promise<ArrayBuffer> {
    const known = this.kept.get(name);
    if (known) return known;
    const coming = this.read(name);
    this.kept.set(name, coming);
    coming.catch(() => this.kept.delete(name));
    return coming;
  }

  private async read(name: string): Promise<ArrayBuffer> {
    const [cache, address] = [await this.cache, this.base + name];
    const before = await cache?.match(address);
    const response = before ?? (await fetch(address));
    if (!response.ok) throw new Error(`${address}: status ${response.status}`);
    const content = await streamed(response, this.report);
    // A full disk or a private window keeps nothing; the figure works all the same. What comes from
    // the site's service worker is kept already.
    const isKept = before !== undefined || response.headers.has("X-Kept");
    if (!isKept) await cache?.put(address, new Response(content.slice(0))).catch(() => {});
    return content;
  }
}

/** The content of an answer; `report` is called with the number of bytes whenever some arrive. */
export async function streamed(response: Response, report: (bytes: number) => void): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body!.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    report(part.value.length);
  }
  return new Blob(parts).arrayBuffer();
}

/** The cache of this version; those of older ones are removed. */
async function fresh(version: string): Promise<Cache | undefined> {
  const name = CACHE + version;
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  const old = names.filter((each) => each.startsWith(CACHE) && ![name, `${CACHE}index`].includes(each));
  await Promise.all(old.map((each) => caches.delete(each)));
  return opened(name);
}

/** There is no cache on insecure origins, and opening one may be forbidden. */
async function opened(name: string): Promise<Cache | undefined> {
  return globalThis.caches?.open(name).catch(() => undefined);
}
