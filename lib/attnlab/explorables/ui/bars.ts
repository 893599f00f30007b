// A bar in a cell of a table: as high as its number, from 0 at the line to 1.
import { h } from "./dom.ts";

export interface Bar {
  element: HTMLElement;
  show(height: number, text: string): void;
}

export function bar(): Bar {
  const label = h("span");
  const element = h("span", { class: "bar" }, label);
  return {
    element,
    show(height, text) {
      element.style.setProperty("--high", height.toFixed(4));
      label.textContent = text;
    },
  };
}
