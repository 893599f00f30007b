// What a script of its own does for a finale: few pages have one.
import type { Host } from "./host.ts";
import { load } from "./load.ts";

export interface FinaleModule {
  start(section: HTMLElement, host: Host): void;
}

declare global {
  interface Window {
    coursekitFinale?: FinaleModule;
  }
}

/** Brings the finale of a page to life, if it has one. */
export async function startFinale(host: Host): Promise<void> {
  const section = document.querySelector<HTMLElement>("section.ck-finale");
  if (section && (await load(host.file("finale.js")))) window.coursekitFinale!.start(section, host);
}
