// Makes a zip of a chapter's notebook and the library in the reader's browser: one for each chapter
// on the host would hold the same library over and over.
import { downloadZip } from "client-zip";

/** What `zips.json` beside the notebooks says of one chapter. */
interface Contents {
  name: string;
  /** Paths below the folder of the notebooks, and what else lies beside them. */
  files: string[];
  texts: Record<string, string>;
}

const FAILED = "It could not be fetched and is not kept in this browser: try again once you are connected";

/** Hand the reader the zip of a chapter; `link` says how that goes. `folder` has the notebooks. */
export async function save(link: HTMLElement, folder: string, chapter: string): Promise<void> {
  if (link.ariaBusy === "true") return;
  const label = link.lastElementChild as HTMLElement;
  const before = (label.dataset.label ??= label.textContent ?? "");
  label.role = "status";
  label.textContent = "Fetching …";
  link.ariaBusy = "true";
  try {
    await hand(folder, chapter);
    label.textContent = before;
  } catch {
    label.textContent = FAILED;
  }
  link.ariaBusy = "false";
}

async function hand(folder: string, chapter: string): Promise<void> {
  const zips = (await (await fetched(`${folder}zips.json`)).json()) as Record<string, Contents>;
  const contents = zips[chapter];
  if (!contents) throw new Error(`zips.json does not have ${chapter}`);
  const { name, files, texts } = contents;
  const inputs = await Promise.all(files.map((file) => fetched(folder + encodeURI(file))));
  const fromSite = inputs.map((input, at) => ({ name: `${name}/${files[at]}`, input }));
  const written = Object.entries(texts).map(([file, input]) => ({ name: `${name}/${file}`, input }));
  const zip = downloadZip([...written, ...fromSite]);
  const address = URL.createObjectURL(await zip.blob());
  Object.assign(document.createElement("a"), { href: address, download: `${name}.zip` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: status ${response.status}`);
  return response;
}
