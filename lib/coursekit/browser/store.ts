// Keeps answers in the browser. Without storage, or when it is full, it remembers until the page
// is left, and `keeps` turns false.
import type { Verdict } from "./types.ts";

/** Begins the names of code cells, which are kept as exercises are. */
export const CELL = "cell:";

/** What is remembered of one exercise. */
export interface Memory {
  version: string;
  code?: string;
  /** Code: the last verdicts, and what is said of them all. */
  verdicts?: Verdict[] | undefined;
  headline?: string;
  /** Code: the last that passed every check; later exercises may build on it. */
  passed?: string;
  /** Widget: the bound values of the last answer. */
  values?: Record<string, unknown>;
  /** Quiz: what was typed or picked, and the questions whose verdict is shown. */
  answers?: Record<string, string>;
  checked?: string[];
  /** Quiz: the questions that have had a verdict, right or wrong. */
  answered?: string[];
  hints?: number;
  /** Whether everything that is asked was answered once, right or wrong. */
  tried?: boolean;
  /** Whether what waits for an answer was opened without one. */
  shown?: boolean;
  done?: boolean;
  /** Whether the answer is one to an older version of the exercise, and not checked since. */
  changed?: boolean | undefined;
  /** When it was last changed, in milliseconds: of two answers the later one counts. */
  at?: number;
}

export class Store {
  keeps = true;
  readonly #storage: Storage | null;
  readonly #prefix: string;
  readonly #page: string;
  readonly #now: () => number;
  /** What the storage would not take. */
  readonly #here = new Map<string, Memory>();
  readonly #listeners: (() => void)[] = [];

  /** `course` keeps apart what two courses on one host remember. */
  constructor(storage: Storage | null, course = "coursekit", now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
    this.#prefix = `${course}:exercise:`;
    this.#page = `${course}:page`;
    this.keeps = storage !== null;
  }

  /**
   * Of an answer to an older version of the exercise the words stay and the verdicts go: the
   * question may have changed, but work should not be lost.
   */
  read(id: string, version: string): Memory {
    const memory = this.#load(id);
    if (!memory) return { version };
    if (memory.version === version) return memory;
    const { code, answers } = memory;
    if (code === undefined && !answers) return { version };
    return { version, ...(code === undefined ? {} : { code }), ...(answers ? { answers } : {}), changed: true };
  }

  write(id: string, version: string, change: Partial<Memory>): void {
    this.put(id, { ...this.read(id, version), ...change, at: this.#now() });
    this.tell();
  }

  /** Keeps a whole memory as it is. */
  put(id: string, memory: Memory): void {
    this.#here.set(id, memory);
    try {
      if (!this.#storage) return;
      this.#storage.setItem(this.#prefix + id, JSON.stringify(memory));
      this.#here.delete(id); // what other tabs write is read from the storage
    } catch {
      this.keeps = false; // full, or forbidden since the page was opened
    }
  }

  /** All that is kept, by exercise. */
  all(): [string, Memory][] {
    const ids = new Set(this.#here.keys());
    for (let i = 0; i < (this.#storage?.length ?? 0); i++) {
      const id = this.idOf(this.#storage!.key(i));
      if (id !== null) ids.add(id);
    }
    const kept = [...ids].sort().map((id): [string, Memory | null] => [id, this.#load(id)]);
    return kept.filter((pair): pair is [string, Memory] => pair[1] !== null);
  }

  /** The exercise of a key of the storage, or null if it is not one of ours. */
  idOf(key: string | null): string | null {
    return key?.startsWith(this.#prefix) ? key.slice(this.#prefix.length) : null;
  }

  /** The page with exercises that was last opened. */
  get page(): string | null {
    try {
      return this.#storage?.getItem(this.#page) ?? null;
    } catch {
      return null;
    }
  }

  set page(file: string | null) {
    try {
      if (file === null) this.#storage?.removeItem(this.#page);
      else this.#storage?.setItem(this.#page, file);
    } catch {
      this.keeps = false;
    }
  }

  /** The code cells that are kept: of all pages, or of one. */
  cells(page = ""): string[] {
    const prefix = page ? `${CELL}${page}:` : CELL;
    return this.all().flatMap(([id]) => (id.startsWith(prefix) ? [id] : []));
  }

  forget(ids: string[]): void {
    for (const id of ids) {
      this.#here.delete(id);
      try {
        this.#storage?.removeItem(this.#prefix + id);
      } catch {
        this.keeps = false;
      }
    }
  }

  /** Another tab has written, or several memories have been put. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #load(id: string): Memory | null {
    const here = this.#here.get(id);
    if (here) return here;
    try {
      const stored: unknown = JSON.parse(this.#storage?.getItem(this.#prefix + id) ?? "null");
      return isMemory(stored) ? stored : null;
    } catch {
      return null; // unreadable: as good as nothing
    }
  }
}

/** Whether a value read from storage, or from a file, is what is remembered of an exercise. */
export function isMemory(value: unknown): value is Memory {
  return typeof value === "object" && value !== null && typeof (value as Memory).version === "string";
}

/** This page among those of the site, in the names of its code cells. */
export const pageName = (): string => window.location.pathname.split("/").at(-1)!.replace(/\.html$/, "");

/** Whether anything is remembered but the version. */
export const isBegun = (memory: Memory): boolean => Object.keys(memory).length > 1;

/** The browser's storage, or null where it may not be touched. */
export function browserStorage(): Storage | null {
  try {
    const storage = window.localStorage;
    const probe = "coursekit:?";
    storage.setItem(probe, "1");
    storage.removeItem(probe);
    return storage;
  } catch {
    return null;
  }
}
