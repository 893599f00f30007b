// What a script of its own does for cells and steps; it loads when a reader first asks for it.
import type { Host } from "./host.ts";
import { load } from "./load.ts";
import type { Trace } from "./stepper.ts";
import type { CellsData } from "./types.ts";

export type Action = "run" | "edit";

/** A cell that shows its code, with its bar. */
export interface Bar {
  /** Under which name the reader's code is kept. */
  id: string;
  /** Its place among all cells. */
  number: number;
  cell: HTMLElement;
  input: HTMLElement;
  bar: HTMLElement;
  /** Null where the cell cannot run here. */
  buttons: Record<Action, HTMLButtonElement> | null;
}

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
