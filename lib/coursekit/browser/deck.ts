// Which questions come back, and when: Leitner's boxes, kept in the browser. A day is the reader's
// own calendar day, so that what was missed in the evening can come back the next morning.

/** The days until a question of each box is asked again; after the last one it is learned. */
export const DAYS = [1, 3, 7, 21];

/** A mistake in code, for which no question is in the page: what is told of it. */
export interface Told {
  title: string;
  /** The exercise's address. */
  href: string;
  misconception: string;
  explanation: string;
}

/** What is kept of one question. */
export interface Card {
  box: number;
  /** The first day on which it is asked, as 2026-11-30. */
  due: string;
  /** The mistakes that brought it here. */
  met: string[];
  told?: Told;
}

export class Deck {
  keeps: boolean;
  readonly #storage: Storage | null;
  readonly #prefix: string;
  readonly #now: () => Date;
  readonly #here = new Map<string, Card>();
  readonly #listeners: (() => void)[] = [];

  constructor(storage: Storage | null, course = "coursekit", now: () => Date = () => new Date()) {
    this.#storage = storage;
    this.#prefix = `${course}:card:`;
    this.#now = now;
    this.keeps = storage !== null;
  }

  /** A mistake was met: its question comes back tomorrow. */
  meet(id: string, misconception: string, told?: Told): void {
    const met = [...new Set([...(this.read(id)?.met ?? []), misconception])];
    this.#write(id, { box: 0, due: this.#in(DAYS[0]!), met, ...(told ? { told } : {}) });
  }

  /**
   * A question that is due was answered. Returns its next day, `"learned"`, or null where it is not
   * due any more: it was answered in another tab.
   */
  answer(id: string, isRight: boolean): string | null {
    const card = this.read(id);
    if (!card || card.due > this.today()) return null;
    const box = isRight ? card.box + 1 : 0;
    if (box === DAYS.length) {
      this.forget([id]);
      return "learned";
    }
    const due = this.#in(DAYS[box]!);
    this.#write(id, { ...card, box, due });
    return due;
  }

  /** What is kept, by the id of the question; the earliest first. */
  all(): [string, Card][] {
    const cards = this.#ids().map((id): [string, Card | null] => [id, this.read(id)]);
    const kept = cards.filter((pair): pair is [string, Card] => pair[1] !== null);
    return kept.sort(([a, x], [b, y]) => x.due.localeCompare(y.due) || a.localeCompare(b));
  }

  /** Takes a question from another browser, unless it is here already. */
  take(id: string, card: Card): void {
    if (!this.read(id)) this.#write(id, card);
  }

  read(id: string): Card | null {
    const here = this.#here.get(id);
    if (here) return here;
    try {
      const stored: unknown = JSON.parse(this.#storage?.getItem(this.#prefix + id) ?? "null");
      return isCard(stored) ? stored : null;
    } catch {
      return null; // unreadable: as good as nothing
    }
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
    this.#tell();
  }

  /** Forgets what was met in these exercises. */
  forgetExercises(exercises: string[]): void {
    const ids = this.all().map(([id]) => id);
    this.forget(ids.filter((id) => exercises.includes(id.slice(0, id.indexOf("/")))));
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Whether a key of the storage is one of ours: another tab has changed it. */
  owns(key: string | null): boolean {
    return key === null || key.startsWith(this.#prefix);
  }

  today(): string {
    return this.#in(0);
  }

  #in(days: number): string {
    const day = this.#now();
    day.setDate(day.getDate() + days);
    const two = (number: number) => String(number).padStart(2, "0");
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  }

  #ids(): string[] {
    const ids = new Set(this.#here.keys());
    for (let i = 0; i < (this.#storage?.length ?? 0); i++) {
      const key = this.#storage!.key(i)!;
      if (key.startsWith(this.#prefix)) ids.add(key.slice(this.#prefix.length));
    }
    return [...ids];
  }

  #write(id: string, card: Card): void {
    try {
      if (!this.#storage) throw new Error("no storage");
      this.#storage.setItem(this.#prefix + id, JSON.stringify(card));
      this.#here.delete(id); // what other tabs write is read from the storage
    } catch {
      this.keeps = false;
      this.#here.set(id, card);
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function isCard(value: unknown): value is Card {
  if (typeof value !== "object" || value === null) return false;
  const { box, due, met } = value as Partial<Card>;
  return Number.isInteger(box) && box! >= 0 && box! < DAYS.length && typeof due === "string" && Array.isArray(met);
}

/** Rows as CSV that Anki imports as it is; see coursekit.cards. */
export function csv(rows: string[][]): string {
  const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const lines = rows.map((row) => `${row.map(quoted).join(",")}\n`);
  return `#separator:Comma\n#html:false\n#columns:question,answer,chapter\n${lines.join("")}`;
}
