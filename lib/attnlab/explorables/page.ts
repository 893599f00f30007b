// What makes an explorable a custom element, for the pages of the book. The build joins it with
// each explorable's own module, so that a page loads those that it shows and no others.
export { define } from "./host.ts";
