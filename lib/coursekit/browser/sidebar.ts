// For pages without exercises: how far the reader is, in the table of contents. Pages with some
// have it from coursekit.ts.
import { contentsProgress } from "./contents.ts";
import { browserStorage, Store } from "./store.ts";
import { listen } from "./tabs.ts";

const script = document.currentScript as HTMLScriptElement;
const store = new Store(browserStorage(), script.dataset["course"]);
contentsProgress(store);
listen(store);
