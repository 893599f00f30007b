// Draws a figure as a picture.
//
// The picture is the figure's own HTML with its own styles in an SVG, so that what the browser draws
// is what the reader sees; PNG is that, drawn twice as fine as the screen.
import { h, s, set } from "./ui/dom.ts";

export type Format = "png" | "svg";

const MARGIN = 16; // px around the figure
const FINER = 2;
const LETTERS = 300; // ms
const VARIABLE = /--[\w-]+/g;
/** What has no place on a picture. */
const LEFT_OUT = ".buttons, .hidden";

/** Returns the picture of a figure's section, which has this style, as an address. */
export async function draw(section: HTMLElement, style: string, format: Format): Promise<string> {
  // Conditions hold as on this screen: the picture's own width is another one.
  const css = style.replace(/@media([^{]+)/g, (_, asked: string) => `@media ${matchMedia(asked).matches ? "all" : "not all"}`);
  const shown = [...section.children].filter((part) => !part.matches(LEFT_OUT));
  const bottom = Math.max(...shown.map((part) => part.getBoundingClientRect().bottom));
  const width = section.offsetWidth + 2 * MARGIN;
  const height = Math.ceil(bottom - section.getBoundingClientRect().top) + 2 * MARGIN;
  const { fontSize } = getComputedStyle(document.documentElement); // what a rem is
  const styles = [
    await fonts(),
    variables(css + section.outerHTML),
    css.replaceAll(":host", ".figure"),
    `.figure{background:var(--attn-paper);height:${height}px;margin:0!important;overflow:hidden;padding:${MARGIN}px}`,
    "section{border:0!important;padding:0!important}",
  ];
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  set(picture, { width, height, style: `font-size:${fontSize}` });
  const drawn = s("foreignObject", { width, height }, h("div", { class: "figure" }, frozen(section)));
  picture.append(s("style", {}, styles.join("\n")), drawn);
  const written = encodeURIComponent(new XMLSerializer().serializeToString(picture));
  const address = `data:image/svg+xml;charset=utf-8,${written}`;
  return format === "svg" ? address : png(address, width, height);
}

/** A copy that has as attributes what fields have as values, and as images what is drawn. */
function frozen(section: HTMLElement): Element {
  const copy = section.cloneNode(true) as HTMLElement;
  const twins = <K extends keyof HTMLElementTagNameMap>(tag: K) => {
    const copies = [...copy.querySelectorAll(tag)];
    return [...section.querySelectorAll(tag)].map((own, i) => [own, copies[i]!] as const);
  };
  for (const [own, twin] of twins("input")) {
    twin.setAttribute("value", own.value);
    twin.toggleAttribute("checked", own.checked);
  }
  for (const [own, twin] of twins("option")) twin.toggleAttribute("selected", own.selected);
  for (const [own, twin] of twins("canvas")) {
    const image = Object.assign(new Image(own.width, own.height), { src: own.toDataURL() });
    image.className = own.className;
    image.style.cssText = own.style.cssText;
    twin.replaceWith(image);
  }
  for (const part of copy.querySelectorAll(LEFT_OUT)) part.remove();
  return copy;
}

/** The page's values of the variables that a text names. */
function variables(text: string): string {
  const page = getComputedStyle(document.documentElement);
  const names = [...new Set(text.match(VARIABLE))].map((name) => [name, page.getPropertyValue(name)]);
  return `svg{${names.filter(([, value]) => value).map(([name, value]) => `${name}:${value}`).join(";")}}`;
}

/** The rules of the fonts in use, with the fonts in them; a page from a folder may not read those. */
async function fonts(): Promise<string> {
  const used = new Set([...document.fonts].filter((face) => face.status === "loaded").map(({ family }) => bare(family)));
  const rules = [...document.styleSheets].flatMap(faces).filter((rule) => used.has(bare(rule.style.getPropertyValue("font-family"))));
  return (await Promise.all(rules.map(inlined))).join("\n");
}

const bare = (family: string): string => family.replace(/["']/g, "");

function faces(sheet: CSSStyleSheet): CSSFontFaceRule[] {
  try {
    return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
  } catch {
    return []; // of another origin
  }
}

async function inlined(rule: CSSFontFaceRule): Promise<string> {
  const address = /url\(["']?([^"')]+)/.exec(rule.style.getPropertyValue("src"))?.[1];
  if (!address) return "";
  try {
    const answer = await fetch(new URL(address, rule.parentStyleSheet?.href ?? document.baseURI));
    const reader = new FileReader();
    const read = new Promise<string>((done) => reader.addEventListener("load", () => done(reader.result as string)));
    reader.readAsDataURL(await answer.blob());
    return rule.cssText.replace(address, await read);
  } catch {
    return "";
  }
}

async function png(address: string, width: number, height: number): Promise<string> {
  const image = Object.assign(new Image(), { src: address });
  await image.decode();
  await new Promise((done) => setTimeout(done, LETTERS)); // the picture's own fonts come later
  const canvas = Object.assign(document.createElement("canvas"), { width: width * FINER, height: height * FINER });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
