// What a script of its own does for cells and steps; it loads when a reader first asks for it.
import type { Action, Bar, CellsData } from "./cells.ts";
import type { Host } from "./code.ts";
import { load } from "./load.ts";
import type { Trace } from "./stepper.ts";

/** What live.ts offers, once its script has run. */
export interface LiveModule {
  chapter(data: CellsData, bars: Bar[], host: Host): Record<Action | "restore", (number: number) => void>;
  stepper(trace: Trace, code: string): HTMLElement;
}

declare global {
  interface Window {
    coursekitLive?: LiveModule;
  }
}

export async function loadLive(address: string): Promise<LiveModule | null> {
  return (await load(address)) ? (window.coursekitLive ?? null) : null;
}
