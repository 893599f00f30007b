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

      /** Takes over a part of a state; names that the explorable does not have are left out. */
      setState(part: Partial<S>): void {
        for (const [key, value] of Object.entries(part)) {
          if (key in defaults) this.model?.set(key as keyof S & string, value as S[keyof S & string]);
        }
      }
    },
  );
}

function parsed(text: string | null): object {
  try {
    const state: unknown = JSON.parse(text ?? "{}");
    return typeof state === "object" && state !== null ? state : {};
  } catch {
    return {};
  }
}
