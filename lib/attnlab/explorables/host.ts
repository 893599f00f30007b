// The two hosts of an explorable: anywidget's model in a notebook, this file's in a page.

/** What an explorable needs of a model. anywidget's model has it too. */
export interface Model<S extends object> {
  get<K extends keyof S & string>(name: K): S[K];
  set<K extends keyof S & string>(name: K, value: S[K]): void;
  on(event: string, callback: () => void): void;
  off(event: string, callback: () => void): void;
  save_changes(): void;
}

export interface Host<S extends object> {
  model: Model<S>;
  el: HTMLElement;
  /** Where answers go. A notebook has no answer cell that we may write to: there, copy. */
  place?: "page" | "notebook";
}

export type Render<S extends object> = (host: Host<S>) => () => void;

/** A model without a kernel: a state, and callbacks when a part of it changes. */
export class LocalModel<S extends object> implements Model<S> {
  private readonly callbacks = new Map<string, Set<() => void>>();
  private readonly state: S;

  constructor(state: S) {
    this.state = { ...state };
  }

  get<K extends keyof S & string>(name: K): S[K] {
    return this.state[name];
  }

  set<K extends keyof S & string>(name: K, value: S[K]): void {
    if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
    this.state[name] = value;
    for (const callback of this.callbacks.get(`change:${name}`) ?? []) callback();
  }

  on(event: string, callback: () => void): void {
    const known = this.callbacks.get(event) ?? new Set();
    this.callbacks.set(event, known.add(callback));
  }

  off(event: string, callback: () => void): void {
    this.callbacks.get(event)?.delete(callback);
  }

  save_changes(): void {
    // Nothing to save to: the state is here.
  }
}

/**
 * Registers `<attn-NAME state='{…}'>`. Its children are the figure for readers without
 * JavaScript; the explorable takes their place when it starts, and never before.
 */
export function define<S extends object>(name: string, defaults: S, render: Render<S>): void {
  if (customElements.get(name)) return;
  customElements.define(
    name,
    class extends HTMLElement {
      private model: LocalModel<S> | undefined;
      private stop: (() => void) | undefined;

      connectedCallback(): void {
        this.model ??= new LocalModel({ ...defaults, ...parsed(this.getAttribute("state")) });
        this.stop = render({ model: this.model, el: this, place: "page" });
      }

      disconnectedCallback(): void {
        this.stop?.();
      }

      /**
       * Takes over a part of a state. What does not fit is left out: it comes from an answer that
       * a reader has typed, and may be anything.
       */
      setState(part: Partial<S>): void {
        if (!this.model) return;
        for (const [key, value] of Object.entries(part) as [keyof S & string, unknown][]) {
          if (!(key in defaults) || !fits(value, this.model.get(key), defaults[key])) continue;
          this.model.set(key, value as S[typeof key]);
        }
      }
    },
  );
}

/**
 * Whether a value has the type and the shape of another; numbers must be finite. What starts as an
 * empty list may become any list of numbers.
 */
export function fits(value: unknown, like: unknown, start: unknown = like): boolean {
  if (Array.isArray(start) && start.length === 0) {
    return Array.isArray(value) && value.every(Number.isFinite);
  }
  if (Array.isArray(like)) {
    const rows = Array.isArray(value) && value.length === like.length ? value : undefined;
    return rows?.every((row, i) => fits(row, like[i])) ?? false;
  }
  return typeof value === typeof like && (typeof value !== "number" || Number.isFinite(value));
}

function parsed(text: string | null): object {
  try {
    const state: unknown = JSON.parse(text ?? "{}");
    return typeof state === "object" && state !== null ? state : {};
  } catch {
    return {};
  }
}
