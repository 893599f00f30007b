// The files of the site whose page runs this; a notebook has none.

const script = document.currentScript as HTMLScriptElement | null;
// A figure's own script stands in a folder beside the one that all share.
const folder = script?.src ? new URL(script.src.includes("/explorables/") ? "../" : "./", script.src) : undefined;

/** The address of a file by its path from the folder of the site's scripts. */
export const inSite = (path: string): string | undefined => folder && new URL(path, folder).href;

/** A script's address, which changes with any script of the site. */
export const scriptOfSite = (name: string): string => `${inSite(name)}${new URL(script!.src).search}`;
