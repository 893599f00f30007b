// The figure as an element of the page, which needs no kernel.
import type { Model } from "./spread/spread.ts";

type Render = (host: { model: Model; el: HTMLElement }) => void;

export function define(name: string, { render }: { render: Render }): void {
  class Figure extends HTMLElement {
    connectedCallback(): void {
      let steps = Number(this.getAttribute("steps"));
      const model = {
        get: () => steps,
        set: (_: string, value: number) => {
          steps = value;
        },
        save_changes: () => {},
      };
      render({ model, el: this });
    }
  }
  customElements.define(name, Figure);
}
