// Loads a script of the site once, when it is first needed: pages that never need it stay light.
// Script elements also load from file://, which modules and `fetch` do not.

const loading = new Map<string, Promise<boolean>>();

/** Whether the script has run. One that did not come is asked for again the next time. */
export function load(address: string): Promise<boolean> {
  const begun = loading.get(address);
  if (begun) return begun;
  const outcome = new Promise<boolean>((resolve) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve(true);
    script.onerror = () => {
      script.remove();
      loading.delete(address);
      resolve(false);
    };
    document.head.append(script);
  });
  loading.set(address, outcome);
  return outcome;
}

/** What could not be loaded, and what to do: the button, or the page, tries again. */
export const notLoaded = (what: string, then: string) =>
  `${what} could not be loaded: the site does not answer. Check the connection and ${then}.`;
