// The fold that offers a figure's link, frame and picture: its script is loaded for those who open it.
import type { Figure } from "../host.ts";
import { scriptOfSite } from "../site.ts";
import { h } from "./dom.ts";

export function sharing(figure: Figure): HTMLElement {
  const offers = h("div", { class: "buttons" });
  const fold = h("details", { class: "sharing" }, h("summary", {}, "Share"), offers);
  const show = (): void => offers.replaceChildren(...window.shareFigure!(figure));
  const fail = (): void => offers.replaceChildren("This could not be loaded. Close it and open it again.");
  fold.addEventListener("toggle", () => {
    if (!fold.open || offers.querySelector("button")) return;
    if (window.shareFigure) show();
    else document.head.append(Object.assign(h("script", { src: scriptOfSite("share.js") }), { onload: show, onerror: fail }));
  });
  return fold;
}
