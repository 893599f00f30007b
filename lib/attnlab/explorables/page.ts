// What makes an explorable a custom element, for the pages of the book. The build joins it with
// each explorable's own module, so that a page loads those that it shows and no others.
import { followAddress } from "./ui/sharing.ts";

export { define } from "./host.ts";

addEventListener("hashchange", followAddress);
// Deferred scripts run before this event, each figure's own as well.
addEventListener("DOMContentLoaded", followAddress);
