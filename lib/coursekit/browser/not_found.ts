// The page for what is not found: names the nearest page, and puts the address's words into the
// search field. Where the address leads is the reader's choice: nothing is opened by itself.
import { nearest, wordsOf } from "./nearest.ts";

const typed = wordsOf(location.pathname);
const links = [...document.querySelectorAll<HTMLAnchorElement>(".not-found-list a")];
const name = nearest(typed, links.map((link) => wordsOf(link.pathname)));
const meant = links.find((link) => wordsOf(link.pathname) === name);
const line = document.querySelector<HTMLElement>("#nearest");
const target = line?.querySelector("a");
if (meant && line && target) {
  target.href = meant.href;
  target.textContent = meant.textContent;
  line.hidden = false;
}
const field = document.querySelector<HTMLInputElement>(".not-found-search input");
if (field) field.value = typed.replaceAll("-", " ");
