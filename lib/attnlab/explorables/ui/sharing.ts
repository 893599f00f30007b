// The fold below a figure of a page that offers its link, picture and frame, and what follows such a
// link. Few readers ask for either: the script that does both, share.ts, is loaded for them.
import { h } from "./dom.ts";

/** What is shared: a figure, its section and that section's style, and what a reader has changed. */
export interface Shared {
  figure: HTMLElement;
  section: HTMLElement;
  style: string;
  changed(): Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    sharing?: { offer(shared: Shared): readonly Node[]; follow(): void };
  }
}

// In a page, scripts of figures stand in a folder beside the one that they share.
const script = document.currentScript as HTMLScriptElement | null;
const folder = script?.src.replace(/(explorables\/)?[^/]*$/, "");
let loading: Promise<void> | undefined;

function loaded(): Promise<void> {
  loading ??= new Promise<void>((done, failed) => {
    const own = h("script", { src: `${folder}share.js` });
    document.head.append(Object.assign(own, { onload: () => done(), onerror: failed }));
  }).catch((reason: unknown) => {
    loading = undefined; // there may be a network the next time
    throw reason;
  });
  return loading;
}

/** Brings the figure that the page's address names into its state, if it names one. */
export function followAddress(): void {
  if (location.hash.startsWith("#figure=")) loaded().then(() => window.sharing!.follow(), () => {});
}

/** Returns the fold. */
export function sharing(shared: () => Shared): HTMLElement {
  const offers = h("div", { class: "offers" });
  const fold = h("details", { class: "sharing" }, h("summary", {}, "Share"), offers);
  fold.addEventListener("toggle", () => {
    if (!fold.open || offers.querySelector("button")) return;
    loaded().then(
      () => offers.replaceChildren(...window.sharing!.offer(shared())),
      () => offers.replaceChildren("This could not be loaded. Close it and open it again."),
    );
  });
  return fold;
}
