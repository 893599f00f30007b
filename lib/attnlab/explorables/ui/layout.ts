// How the parts of a figure stand together.
import { h } from "./dom.ts";

/** Panels side by side, one below the other where there is little room. */
export const panels = (...each: Node[]): HTMLElement => h("div", { class: "panels" }, ...each);

export const panel = (...parts: Node[]): HTMLElement => h("div", { class: "panel" }, ...parts);

export const titled = (title: string, ...parts: Node[]): HTMLElement =>
  panel(h("p", { class: "title" }, title), ...parts);

/** What few readers want to see, behind its title. */
export const fold = (title: string, ...parts: Node[]): HTMLElement =>
  h("details", {}, h("summary", {}, title), ...parts);
