// The two hosts of an explorable: anywidget's model in a notebook, this file's in a page.
import { whenNear } from "./near.ts";

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
  /** Where answers go: a page fills the answer cell in, a notebook offers a line to copy. */
  place?: "page" | "notebook";
}

/** What the module of an explorable exports by default. */
export interface Explorable<S extends object> {
  render: (host: Host<S>) => () => void;
  /** Names of the parts of its state that are lists of numbers of any length. */
  lists?: readonly (keyof S & string)[] | undefined;
  /** What its state is where nothing can run: a still of the first state may show too little. */
  paper?: ((state: S) => Partial<S>) | undefined;
}

/** An explorable in a page. */
export interface Figure extends HTMLElement {
  /** What stands behind `#` for the figure as it is now: its name, and as JSON the parts that were changed. */
  readonly address: string;
}

/** A model without a kernel: a state, and callbacks when a part of it changes. */
export class LocalModel<S extends object> implements Model<S> {
  private readonly callbacks = new Map<string, Set<() => void>>();
  private readonly given: S;
  private readonly state: S;

  constructor(given: S) {
    this.given = given;
    this.state = { ...given };
  }

  /** The parts that are not as they were given, as JSON. */
  changed(): Record<string, string> {
    const [before, now] = [this.given, this.state].map((state) =>
      Object.entries(state).map(([name, value]) => [name, JSON.stringify(value)] as const),
    );
    return Object.fromEntries(now!.filter(([, value], i) => value !== before![i]![1]));
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
    // There is no kernel to save to.
  }
}

/**
 * Registers `<attn-NAME state='{…}'>`. The attribute holds the whole state, which Python writes. In
 * a page of the site its shadow root has a still, which the build has drawn by this very module.
 */
export function define<S extends object>(name: string, module: { default: Explorable<S> }): void {
  const { render, lists = [], paper } = module.default;
  if (customElements.get(name)) return;
  customElements.define(
    name,
    class extends HTMLElement {
      static paper = paper;
      private model: LocalModel<S> | undefined;
      private stop: (() => void) | undefined;

      connectedCallback(): void {
        this.model ??= modelOf(this.getAttribute("state"));
        if (this.model) this.stop = whenNearOrIdle(this, () => this.start());
        this.follow();
        addEventListener("hashchange", this.follow);
      }

      disconnectedCallback(): void {
        this.stop?.();
        this.stop = undefined;
        this.removeAttribute("live");
        removeEventListener("hashchange", this.follow);
      }

      get address(): string {
        return [this.id, new URLSearchParams(this.model?.changed())].filter(String).join("&");
      }

      /** Takes over what the page's address says of this figure. */
      private readonly follow = (): void => {
        const [name, ...parts] = location.hash.slice(1).split("&");
        if (!this.id || name !== this.id) return;
        for (const [key, value] of new URLSearchParams(parts.join("&"))) {
          try {
            this.setState({ [key]: JSON.parse(value) as unknown } as Partial<S>);
          } catch {
            // Whoever wrote the address meant something else.
          }
        }
        this.scrollIntoView();
      };

      private start(): void {
        if (!this.model || this.hasAttribute("live")) return;
        this.stop?.();
        this.setAttribute("live", "");
        this.stop = render({ model: this.model, el: this, place: "page" });
      }

      /**
       * Takes over a part of a state. A value that does not fit is ignored: it comes from an answer or
       * an address that a reader has typed, and may be anything.
       */
      setState(part: Partial<S>): void {
        const model = this.model;
        if (!model) return;
        this.start(); // before the change: a reset goes back to the state of the attribute
        for (const [key, value] of Object.entries(part) as [keyof S & string, unknown][]) {
          const isValid = lists.includes(key) ? isNumbers(value) : fits(value, model.get(key));
          if (!isValid) continue;
          const before = model.get(key);
          try {
            model.set(key, value as S[typeof key]);
          } catch {
            model.set(key, before); // of the right type, and nothing that can be drawn
          }
        }
      }
    },
  );
}

/**
 * Calls back once an element is about to be seen or printed, or when the page has nothing else to
 * do: figures far below must not hold up a page that opens. The returned function calls it off.
 */
function whenNearOrIdle(element: Element, start: () => void): () => void {
  const callOff = whenNear(element, start);
  addEventListener("beforeprint", start);
  // Safari has no idle callbacks.
  const idle = typeof requestIdleCallback === "function";
  const waiting = idle ? requestIdleCallback(start, { timeout: 3000 }) : setTimeout(start, 500);
  return () => {
    callOff();
    removeEventListener("beforeprint", start);
    if (idle) cancelIdleCallback(waiting as number);
    else clearTimeout(waiting);
  };
}

/** Whether a value has the type and the shape of another; numbers must be finite. */
export function fits(value: unknown, like: unknown): boolean {
  if (Array.isArray(like)) {
    const rows = Array.isArray(value) && value.length === like.length ? value : undefined;
    return rows?.every((row, i) => fits(row, like[i])) ?? false;
  }
  return typeof value === typeof like && (typeof value !== "number" || Number.isFinite(value));
}

/** Whether a value is a list of finite numbers, or of such lists. */
export const isNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.every((part) => Number.isFinite(part) || isNumbers(part));

function modelOf<S extends object>(attribute: string | null): LocalModel<S> | undefined {
  try {
    const state: unknown = JSON.parse(attribute ?? "");
    return typeof state === "object" && state !== null && !Array.isArray(state)
      ? new LocalModel(state as S)
      : undefined;
  } catch {
    return undefined;
  }
}
