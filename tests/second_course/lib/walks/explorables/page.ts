// The figure as an element of the page, which needs no kernel.
import { render } from "./spread/spread.ts";

class SpreadElement extends HTMLElement {
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

customElements.define("walks-spread", SpreadElement);
