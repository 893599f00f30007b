// What a figure of a page offers: a link to its state, a frame for other pages, a picture.
// Few readers ask for it: their pages load this script then.
import { domToPng, domToSvg } from "modern-screenshot";
import type { Figure } from "./host.ts";
import { h } from "./ui/dom.ts";
import { button } from "./ui/fields.ts";

declare global {
  interface Window {
    shareFigure?: (figure: Figure) => Node[];
  }
}

const WIDTH = 740; // px, of a frame
const MARGIN = 16; // px around a picture
/** What has no place on a picture. */
const LEFT_OUT = ".buttons, .hidden";
// This script stands in the folder _static of the site.
const site = new URL("../", (document.currentScript as HTMLScriptElement).src);

window.shareFigure = (figure) => {
  const said = h("output");
  const copy = (text: string): void => {
    // On an insecure origin there is no clipboard: then the text is there to be copied by hand.
    const byHand = (): void => said.replaceChildren(h("code", { class: "answer" }, text));
    if (navigator.clipboard) void navigator.clipboard.writeText(text).then(() => said.replaceChildren("Copied."), byHand);
    else byHand();
  };
  const link = (): void => {
    history.replaceState(history.state, "", `#${figure.address}`);
    copy(location.href);
  };
  const embed = (): void => {
    const src = new URL(`${figure.dataset["embed"]}#${figure.address}`, site).href;
    const [height, title] = [figure.offsetHeight + 60, figure.shadowRoot!.querySelector("section")!.ariaLabel ?? ""];
    copy(h("iframe", { src, title, width: WIDTH, height, loading: "lazy", style: "border:0;max-width:100%" }).outerHTML);
  };
  const save = async (format: "png" | "svg"): Promise<void> => {
    said.replaceChildren("Drawing…");
    try {
      const href = await (format === "png" ? domToPng : domToSvg)(figure.shadowRoot!.querySelector("section")!, {
        backgroundColor: getComputedStyle(document.body).backgroundColor,
        filter: (node) => !(node instanceof Element && node.matches(LEFT_OUT)),
        scale: 2,
        style: { border: "0", padding: `${MARGIN}px` },
      });
      h("a", { href, download: `${figure.id.replace("figure=", "")}.${format}` }).click();
      said.replaceChildren("Saved.");
    } catch {
      said.replaceChildren("This browser could not draw the picture; a screenshot will do.");
    }
  };
  const isServed = location.protocol !== "file:"; // an address on this machine serves nobody else
  return [
    ...(isServed ? [button("Copy link", link), button("Copy embed code", embed)] : []),
    button("Save PNG", () => void save("png")),
    button("Save SVG", () => void save("svg")),
    said,
  ];
};
