// What a figure of a page offers: a link to its state, a frame for other pages, a picture.
import { follow, hashOf, nameFigures } from "./address.ts";
import { draw, type Format } from "./picture.ts";
import { h } from "./ui/dom.ts";
import { button } from "./ui/fields.ts";
import type { Shared } from "./ui/sharing.ts";

const LINE = 60; // px for what stands below an embedded figure

// This script stands in the folder _static of the site.
const site = new URL("../", (document.currentScript as HTMLScriptElement).src);

function offer({ figure, section, style, changed }: Shared): readonly Node[] {
  nameFigures();
  const said = h("output");
  const title = figure.dataset["title"] ?? "";
  const name = figure.dataset["explorable"] ?? "";

  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.replaceChildren("Copied.");
    } catch {
      // On an insecure origin there is no clipboard: then the text is there to be copied by hand.
      said.replaceChildren(h("code", { class: "answer" }, text));
    }
  };
  const link = (): void => {
    history.replaceState(history.state, "", `#${hashOf(figure.id, changed())}`);
    void copy(location.href);
  };
  const embed = (): void => {
    const address = `${new URL(`embed/${name}.html`, site).href}#${hashOf(`figure=${name}`, changed())}`;
    const height = Math.ceil(figure.getBoundingClientRect().height) + LINE;
    const frame = h("iframe", { src: address, title, width: 740, height, loading: "lazy", style: "border:0;max-width:100%" });
    void copy(frame.outerHTML);
  };
  const save = async (format: Format): Promise<void> => {
    said.replaceChildren("Drawing…");
    try {
      h("a", { href: await draw(section, style, format), download: `${name}.${format}` }).click();
      said.replaceChildren(`Saved as ${name}.${format}.`);
    } catch {
      said.replaceChildren("This browser could not draw the picture; a screenshot will do.");
    }
  };
  const isServed = location.protocol !== "file:";
  return [
    button("Copy link", link),
    ...(isServed && title ? [button("Copy embed code", embed)] : []),
    button("Save PNG", () => void save("png")),
    button("Save SVG", () => void save("svg")),
    said,
  ];
}

window.sharing = { offer, follow };
