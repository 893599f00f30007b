// Keeps answers in the browser. Without storage, or when it is full, it remembers until the page
// is left, and `keeps` turns false.
import type { Verdict } from "./types.ts";

/** What is remembered of one exercise. */
export interface Memory {
  version: string;
  code?: string;
  /** Code: the last verdicts. */
  verdicts?: Verdict[] | undefined;
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
}

export class Store {
  keeps = true;
  readonly #storage: Storage | null;
  readonly #prefix: string;
  readonly #here = new Map<string, Memory>();
  readonly #listeners: (() => void)[] = [];

  /** `course` keeps apart what two courses on one host remember. */
  constructor(storage: Storage | null, course = "coursekit") {
    this.#storage = storage;
    this.#prefix = `${course}:exercise:`;
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
    return { version, ...(code === undefined ? {} : { code }), ...(answers ? { answers } : {}) };
  }

  write(id: string, version: string, change: Partial<Memory>): void {
    const memory = { ...this.read(id, version), ...change };
    this.#here.set(id, memory);
    try {
      this.#storage?.setItem(this.#prefix + id, JSON.stringify(memory));
    } catch {
      this.keeps = false; // full, or forbidden since the page was opened
    }
    for (const listener of this.#listeners) listener();
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

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #load(id: string): Memory | null {
    const here = this.#here.get(id);
    if (here) return here;
    try {
      const stored: unknown = JSON.parse(this.#storage?.getItem(this.#prefix + id) ?? "null");
      const good = typeof stored === "object" && stored !== null && "version" in stored;
      return good ? (stored as Memory) : null;
    } catch {
      return null; // unreadable: as good as nothing
    }
  }
}

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
