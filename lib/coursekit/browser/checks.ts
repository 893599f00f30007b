// What the code exercises of the page are checked with: of no use until one of them is. With the
// first all of it comes, so that none is missing later, when the site may not answer.
import { load, notLoaded } from "./load.ts";
import { Problem } from "./python.ts";
import type { CheckCode, CodeData } from "./types.ts";

declare global {
  interface Window {
    /** By the name of their file: coursekit.page.deferred. */
    coursekitChecks?: Record<string, CheckCode>;
  }
}

const nameOf = ({ id, digest }: CodeData) => `${id}-${digest}.js`;

export class Checks {
  readonly #file: (name: string) => string;
  readonly #addresses: string[] = [];

  /** `file` is the address of a file beside the page's script. */
  constructor(file: (name: string) => string) {
    this.#file = file;
  }

  #address(data: CodeData): string {
    return this.#file(`coursekit-checks/${nameOf(data)}`);
  }

  add(data: CodeData): void {
    this.#addresses.push(this.#address(data));
  }

  /** Throws a `Problem` if the site does not answer. */
  async of(data: CodeData): Promise<CheckCode> {
    for (const address of this.#addresses) void load(address);
    if (await load(this.#address(data))) return window.coursekitChecks![nameOf(data)]!;
    throw new Problem(notLoaded("The checks of this exercise", "press the button again"));
  }
}
