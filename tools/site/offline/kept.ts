// What a browser keeps of one publication of a site. Each publication has a cache of its own, and
// nothing goes into it whose content is not the one in its list: two are never mixed.

export type Group = "book" | "python" | "data" | "notebooks";

/** What the build writes: the files of a publication with hashes of what is in them. */
export interface Listing {
  version: string;
  /** Every `?v=` of this publication's pages. */
  addresses: string[];
  /** By its path: group, hash, bytes, and the `?v=` by which pages ask for it, if they do so. */
  files: Record<string, [group: Group, hash: string, bytes: number, address?: string]>;
}

/** Why something could not be kept: no answer, no room, or a publication that is newer. */
export type Problem = "network" | "full" | "changed";

const AT_ONCE = 4;
const HEX = 16;

export class Kept {
  readonly list: Listing;
  readonly #scope: string;
  /** Scopes end with a slash, so that no scope's caches begin like another one's. */
  readonly #prefix: string;
  /** The mark of `markOld`, where there is no room for it. */
  #isOld = false;

  /** `scope` is the address of the site's folder: several sites may share an origin. */
  constructor(list: Listing, scope: string) {
    this.list = list;
    this.#scope = scope;
    this.#prefix = `offline ${scope} `;
  }

  get #name(): string {
    return this.#prefix + this.list.version;
  }

  /** Its being there says that the reader wants nothing kept. */
  get #off(): string {
    return `${this.#prefix}off`;
  }

  isOff(): Promise<boolean> {
    return caches.has(this.#off);
  }

  async turnOn(): Promise<void> {
    await caches.delete(this.#off);
  }

  /** Removes everything, and keeps nothing from now on. */
  async remove(): Promise<void> {
    await caches.open(this.#off);
    for (const name of await this.#names()) await caches.delete(name);
  }

  /** Removes what older publications left. */
  async removeOlder(): Promise<void> {
    for (const name of await this.#older()) {
      // Its room is wanted at once; that of a cache is free when nobody holds it any more.
      const cache = await caches.open(name);
      await Promise.all((await cache.keys()).map((request) => cache.delete(request)));
      await caches.delete(name);
    }
  }

  async #names(): Promise<string[]> {
    const names = await caches.keys();
    return names.filter((name) => name.startsWith(this.#prefix) && name !== this.#off);
  }

  async #older(): Promise<string[]> {
    return (await this.#names()).filter((name) => name !== this.#name);
  }

  /** Which files are kept. */
  async names(): Promise<string[]> {
    return this.#namesIn(this.#name);
  }

  /** The files of this publication that older ones have, whatever is in them now. */
  async before(): Promise<string[]> {
    const found = await Promise.all((await this.#older()).map((name) => this.#namesIn(name)));
    return [...new Set(found.flat())];
  }

  async #namesIn(cache: string): Promise<string[]> {
    if (!(await caches.has(cache))) return [];
    const requests = await (await caches.open(cache)).keys();
    const names = requests.map(({ url }) => decodeURI(url.slice(this.#scope.length)));
    return names.filter((name) => name in this.list.files);
  }

  /** Notes that the site has a newer publication than this one. */
  async markOld(): Promise<void> {
    if (await this.isOff()) return;
    this.#isOld = true;
    const cache = await caches.open(this.#name);
    await cache.put(`${this.#scope}?newer`, new Response()).catch(() => {});
  }

  /** Takes that back: what differed was not the site's. */
  async unmarkOld(): Promise<void> {
    this.#isOld = false;
    await (await caches.open(this.#name)).delete(`${this.#scope}?newer`);
  }

  async isOld(): Promise<boolean> {
    return this.#isOld || (await this.#match(this.#name, "?newer")) !== undefined;
  }

  /** Whether an older publication has noted that there is a newer one. */
  async wasMissed(): Promise<boolean> {
    const marks = (await this.#older()).map((name) => this.#match(name, "?newer"));
    return (await Promise.all(marks)).some((mark) => mark !== undefined);
  }

  get(name: string): Promise<Response | undefined> {
    return this.#match(this.#name, name);
  }

  async #match(cache: string, name: string): Promise<Response | undefined> {
    return caches.match(this.#scope + encodeURI(name), { cacheName: cache });
  }

  /** Keeps a file if the answer has what the list says of it; returns whether it has. */
  async keep(name: string, answer: Response, report = (_bytes: number) => {}): Promise<boolean> {
    if (answer.status !== 200) return false;
    const type = answer.headers.get("Content-Type");
    const body = await read(answer, report);
    if ((await hashOf(body)) !== this.list.files[name]![1]) return false;
    // Plain headers: the body is not packed any more, and comes whole. The last one says to those
    // who keep files themselves that they need not.
    const headers = new Headers({ "Content-Length": String(body.size), "X-Kept": "1" });
    if (type) headers.set("Content-Type", type);
    if (await this.isOff()) return true; // removed while it came
    const cache = await caches.open(this.#name);
    await cache.put(this.#scope + encodeURI(name), new Response(body, { headers }));
    return true;
  }

  /** Keeps files that are not kept yet. Rejects with a `Problem`; what came before it stays. */
  async fill(names: string[], report = (_bytes: number) => {}): Promise<void> {
    const kept = new Set(await this.names());
    const missing = names.filter((name) => !kept.has(name));
    const older = await this.#older();
    const some = async () => {
      for (let name = missing.shift(); name !== undefined; name = missing.shift()) {
        await this.#fetch(name, older, report);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, some));
    } catch (error) {
      missing.length = 0;
      throw problemOf(error);
    }
  }

  /** One file: from an older publication if it is still the same, or else from the site. */
  async #fetch(name: string, older: string[], report: (bytes: number) => void): Promise<void> {
    for (const cache of older) {
      const before = await this.#match(cache, name);
      if (before && (await this.keep(name, before, report))) return;
    }
    const version = this.list.files[name]![3];
    const address = this.#scope + encodeURI(name) + (version ? `?v=${version}` : "");
    for (const cache of ["default", "reload"] as const) {
      const answer = await fetch(address, { cache, priority: "low" });
      if (answer.status >= 500) throw new TypeError(`${address}: status ${answer.status}`);
      if (await this.keep(name, answer, report)) return;
    }
    throw "changed" satisfies Problem;
  }
}

function problemOf(error: unknown): Problem {
  if (error === "changed") return error;
  return error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "network";
}

async function read(answer: Response, report: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    report(part.value.length);
  }
  return new Blob(parts);
}

async function hashOf(body: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await body.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, HEX);
}
