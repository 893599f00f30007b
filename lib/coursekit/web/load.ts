// Scripts that a page loads when they are first needed.
import type { Host } from "./code.ts";
import type { Bar, CellsData } from "./cells.ts";
import { h } from "./dom.ts";
import type { Trace } from "./stepper.ts";

/** What live.ts offers, once its script has run. */
export interface LiveModule {
  chapter(data: CellsData, bars: Bar[], host: Host): { run(number: number): void; edit(number: number): void };
  stepper(trace: Trace, code: string): HTMLElement;
}

declare global {
  interface Window {
    coursekitLive?: LiveModule;
  }
}

const loading = new Map<string, Promise<void>>();

/** Loads a script once; a failure is forgotten, so that the next press tries again. */
export function loadScript(address: string): Promise<void> {
  const known = loading.get(address);
  if (known) return known;
  const made = new Promise<void>((resolve, reject) => {
    const element = h("script", { src: address });
    element.onload = () => resolve();
    element.onerror = () => {
      loading.delete(address);
      element.remove();
      reject(new Error(address));
    };
    document.head.append(element);
  });
  loading.set(address, made);
  return made;
}

export async function loadLive(address: string): Promise<LiveModule | null> {
  await loadScript(address).catch(() => {});
  return window.coursekitLive ?? null;
}
