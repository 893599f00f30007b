// The frame of every explorable: the task above, the buttons below, a summary for screen readers.
import tokens from "../../drawing/tokens.css";
import { answerCode } from "../text.ts";
import type { Explorable, Figure, Host } from "../host.ts";
import { inSite } from "../site.ts";
import { h } from "./dom.ts";
import { button } from "./fields.ts";
import shared from "./shared.css";
import { sharing } from "./sharing.ts";

/** The state that every explorable has besides its own. */
export interface Common {
  task: string;
  /** Names whose values make the answer that a button offers. */
  answers: readonly string[];
}

export interface Spec<S extends Common> {
  name: string;
  /** The parts of the state that the figure shows. */
  shows: readonly (keyof S & string)[];
  /** The parts of the state that make an answer by default. */
  answers: readonly (keyof S & string)[];
  /** The parts of the state that are whole numbers. */
  whole?: readonly (keyof S & string)[];
  /** A style sheet of its own. */
  style?: string;
  /** The state without what an answer or an address may have that does not fit. */
  within?(state: S): S;
  build(context: Context<S>, host: Host<S>): Built<S>;
  /** One or two sentences for readers who cannot see the figure; what `build` returns may say them, too. */
  summary?(state: S): string;
  lists?: Explorable<S>["lists"];
  paper?: Explorable<S>["paper"];
}

export interface Built<S> {
  parts: readonly Node[];
  update(state: S): void;
  summary?(state: S): string;
  stop?(): void;
}

export interface Context<S> {
  state(): S;
  change(part: Partial<S>): void;
}

const QUIET = 500; // ms without a change before the summary is spoken

/** What the module of an explorable exports. */
export const explorable = <S extends Common>(spec: Spec<S>): Explorable<S> => ({
  render: (host) => mount(host, spec),
  lists: spec.lists,
  paper: spec.paper,
});

/** Puts an explorable into its host's element; the returned function stops it. */
function mount<S extends Common>(host: Host<S>, spec: Spec<S>): () => void {
  const { model, el } = host;
  const exercise = el.closest("[data-exercise]");
  const context = contextOf(host, spec);
  const start = structuredClone(context.state());
  const built = spec.build(context, host);
  const summary = (state: S): string => built.summary?.(state) ?? spec.summary?.(state) ?? "";

  const live = h("p", { class: "hidden", "aria-live": "polite" });
  const say = (text: string): void => void (live.textContent = text);
  const named = start.answers.length > 0 ? start.answers : exercise ? spec.answers : [];
  const answer = offerAnswer(host, named, context, say, spec.whole);
  const reset = button("Reset", () => context.change(start));
  const task = exercise || !start.task ? [] : [h("p", { class: "task" }, start.task)];
  const share = host.place === "page" && el.dataset["embed"] ? [sharing(el as Figure)] : [];
  const buttons = h("div", { class: "buttons" }, reset, ...answer.parts, ...share);
  const section = h("section", { role: "group", "aria-label": spec.name }, ...task, ...built.parts, buttons, live);
  // The room of its still, for what has to be fetched first; what is shut away has none.
  const room = el.shadowRoot ? el.offsetHeight : 0;
  if (room > 0) section.style.setProperty("--still", `${room}px`);
  dress(el, section, spec.style);
  section.dataset["place"] = host.place ?? "notebook";

  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    built.update(context.state());
    answer.update();
    clearTimeout(timer);
    timer = setTimeout(() => say(summary(context.state())), QUIET);
    el.dispatchEvent(new CustomEvent("statechange", { bubbles: true, detail: context.state() }));
  };
  built.update(start);
  answer.update();
  for (const name of spec.shows) model.on(`change:${name}`, changed);
  return () => {
    clearTimeout(timer);
    built.stop?.();
    for (const name of spec.shows) model.off(`change:${name}`, changed);
  };
}

function contextOf<S extends Common>({ model }: Host<S>, { shows, within = (state) => state }: Spec<S>): Context<S> {
  const names = [...shows, "task", "answers"] as (keyof S & string)[];
  return {
    state: () => within(Object.fromEntries(names.map((name) => [name, model.get(name)])) as unknown as S),
    change(part) {
      for (const name of shows) if (name in part) model.set(name, part[name] as S[typeof name]);
      model.save_changes();
    },
  };
}

/** The button that offers the answer; in a notebook, with the line to copy beside it. */
function offerAnswer<S extends Common>(
  { el, place }: Host<S>,
  names: readonly string[],
  context: Context<S>,
  say: (text: string) => void,
  whole?: readonly string[],
): { parts: HTMLElement[]; update(): void } {
  const values = (): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, context.state()[name as keyof S]]));
  const code = (): string => answerCode(values(), whole);
  const line = h("code", { class: "answer" });
  const update = (): void => void (line.textContent = code());
  if (names.length === 0) return { parts: [], update };
  if (place === "page") {
    const use = (): void => {
      const detail = { code: code(), values: values() };
      el.dispatchEvent(new CustomEvent("answer", { bubbles: true, composed: true, detail }));
      say("Your answer has been filled in.");
    };
    return { parts: [button("Use as answer", use)], update };
  }
  const copy = (): void => {
    // Where there is no clipboard (on an insecure origin) the line can be copied by hand.
    void navigator.clipboard?.writeText(code()).then(
      () => say("Copied. Paste it into your answer cell."),
      () => say("Copy the line into your answer cell."),
    );
  };
  return { parts: [button("Copy as answer", copy), line], update };
}

/** Gives the element a shadow root with its style, and the page the colours if it has none. */
function dress(el: HTMLElement, section: HTMLElement, own = ""): void {
  // Keys pressed in here must not trigger JupyterLab's commands ("dd" deletes a cell).
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  const root = el.shadowRoot ?? el.attachShadow({ mode: "open" });
  const styles = [shared, own].filter(Boolean);
  if (!getComputedStyle(document.documentElement).getPropertyValue("--attn-ink")) {
    document.head.append(h("style", {}, tokens));
  }
  // In a page they are files, which its still has loaded; in a notebook they are rules.
  if (shared.endsWith(".css")) {
    const known = [...root.querySelectorAll("link")];
    const links = styles.map((name) => {
      const href = inSite(`explorables/${name}`)!;
      return known.find((link) => link.href === href) ?? h("link", { rel: "stylesheet", href });
    });
    for (const part of [...root.childNodes]) if (!links.includes(part as HTMLLinkElement)) part.remove();
    root.append(...links.filter((link) => !known.includes(link)), section);
    return;
  }
  root.replaceChildren(...styles.map((rules) => h("style", {}, rules)), section);
}
