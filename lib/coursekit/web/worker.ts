// Runs in a module worker: loads the site's own Pyodide, NumPy and the course's wheel, then
// answers one request after another.
import type { PyodideInterface } from "pyodide";
import { faultOf, type FromWorker, refused, type ToWorker, UNREACHABLE } from "./python.ts";

interface Manifest {
  numpy: string | null;
  wheel: string;
  missing: string;
  /** How many bytes come before Python runs. */
  bytes: number;
  /** Data files of the packages, by their paths, with their sizes. */
  files: Record<string, number>;
  /** Data that the site was built with: the folder of the packages where code looks for it. */
  data: { folder: string; files: Record<string, number> };
}

type Answer = (request: string) => string;

interface InPage {
  answer: Answer;
  keep_file: (path: string, data: unknown) => void;
}

interface Running {
  answer: Answer;
  keep: (path: string, data: Uint8Array) => void;
}

const folder = new URL("pyodide/", self.location.href).href;
const say = (message: FromWorker) => self.postMessage(message);
const progress = (text: string, share?: number) => say({ type: "progress", text, share });
const LOADING = "Loading Python (about 17 MB, the first time only) …";
/** The part of the bar that is for what comes over the network; starting takes the rest. */
const NETWORK = 0.7;

async function manifest(): Promise<Manifest> {
  const response = await fetch(`${folder}manifest.json`);
  if (!response.ok) throw new Error(refused(`answers ${response.status} for`, response.url));
  return (await response.json()) as Manifest;
}

async function load(): Promise<Running> {
  progress(LOADING, 0);
  const { numpy, wheel, missing, bytes, files, data } = await manifest();
  if (numpy === null) throw new Error(missing);
  watch(bytes);
  // A plain string would be bundled; this address is known only where the site stands.
  const address = `${folder}pyodide.js`;
  const fail = async () => Promise.reject(new Error(await faultOf(address)));
  const { loadPyodide } = (await import(address).catch(fail)) as typeof import("pyodide");
  const quiet = () => {};
  // The wheels come while Python starts.
  const packages = [numpy, wheel].map((name) => folder + name);
  const python = await loadPyodide({ indexURL: folder, packages, stdout: quiet, stderr: quiet });
  progress("Starting …", 0.9);
  findPlaces(files, data);
  lendFiles(python);
  return begin(python);
}

interface Place {
  address: string;
  /** How many arrive; of data that was made when the site was built. */
  bytes?: number;
}

/** Where data files are fetched from, by their paths in Python's folder of packages. */
const places = new Map<string, Place>();
let dataFolder = "";

function findPlaces(files: Manifest["files"], data: Manifest["data"]): void {
  for (const path of Object.keys(files)) places.set(path, { address: `${folder}files/${encodeURI(path)}` });
  for (const [name, bytes] of Object.entries(data.files)) {
    const address = new URL(`data/${encodeURI(name)}`, self.location.href).href;
    places.set(`${data.folder}/${name}`, { address, bytes });
  }
  dataFolder = data.folder;
}

/** A part of Emscripten's file system that Pyodide's types leave out. */
interface LazyFiles {
  mkdirTree(folder: string): void;
  createLazyFile(folder: string, name: string, address: string, read: boolean, write: boolean): void;
}

/** Puts files where packages look for them; one is fetched when code first reads it. */
function lendFiles(python: PyodideInterface): void {
  const packages = python.runPython("import sysconfig; sysconfig.get_path('purelib')") as string;
  const files = python.FS as unknown as LazyFiles;
  for (const [path, { address }] of places) {
    const name = path.split("/").at(-1)!;
    const place = `${packages}/${path.slice(0, -name.length - 1)}`;
    files.mkdirTree(place);
    files.createLazyFile(place, name, address, true, false);
  }
}

function begin(python: PyodideInterface): Running {
  const { answer, keep_file } = python.pyimport("coursekit.web.in_page") as InPage;
  return { answer, keep: (path, data) => keep_file(path, python.toPy(data)) };
}

/** The data files that this interpreter has. */
const kept = new Set<string>();

async function fetchFiles(paths: string[]): Promise<void> {
  const { keep } = await loading;
  // What the site was built without is left out, and the code does without it.
  const isThere = (path: string) => places.has(path) || !path.startsWith(`${dataFolder}/`);
  const wanted = paths.filter((path) => !kept.has(path) && isThere(path));
  for (const [at, path] of wanted.entries()) {
    const { address, bytes } = places.get(path) ?? { address: `${folder}files/${path}` };
    const which = wanted.length > 1 ? ` (${at + 1} of ${wanted.length})` : "";
    progress(`Fetching ${path.split("/").at(-1)}${which} …`, at / wanted.length);
    const content = new Uint8Array(await (await fetch(address)).arrayBuffer());
    if (bytes !== undefined && content.length !== bytes) {
      throw new Error(`${path} came with ${content.length} bytes; expected ${bytes}. Reload the page.`);
    }
    keep(path, content);
    kept.add(path);
  }
}

/** What to show for an error: the reader can mend the network; our own messages stay as they are. */
function sentence(error: unknown): string {
  if (!navigator.onLine || error instanceof TypeError) return UNREACHABLE;
  const text = error instanceof Error ? error.message : String(error);
  const last = text.trim().split("\n").at(-1) ?? "";
  const own = error instanceof Error && error.name === "Error" && !/Error\b/.test(last);
  return own ? text : `Python could not be started here: ${last}`;
}

const failed = (error: unknown) => say({ type: "failed", message: sentence(error) });

/** Where a file does not arrive or does not compile, Pyodide logs it and waits for ever: fail here. */
function watch(bytes: number): void {
  let arrived = 0;
  let told = 0;
  const count = (more: number) => {
    arrived += more;
    const percent = Math.floor((100 * arrived) / bytes);
    if (percent > told && arrived < bytes) progress(LOADING, (NETWORK * percent) / 100);
    if (told < 100 && arrived >= bytes) progress("Starting …", NETWORK);
    told = percent;
  };
  const { fetch } = self;
  const { instantiateStreaming } = WebAssembly;
  self.fetch = (...request) => {
    const answer = fetch(...request).then((response) => {
      if (response.ok) return response;
      throw new Error(refused(`answers ${response.status} for`, response.url));
    });
    // A body can break off as well: a copy of it is read to its end.
    answer.then((response) => readThrough(response.clone(), count)).catch(failed);
    return answer;
  };
  WebAssembly.instantiateStreaming = (source, ...imports) => {
    const made = Promise.resolve(source).then((response) => instantiateStreaming(typed(response), ...imports));
    made.catch(failed);
    return made;
  };
}

/** Hosts that do not know the file send it under a type that browsers do not compile. */
function typed(response: Response): Response {
  const type = "application/wasm";
  if (response.headers.get("Content-Type") === type) return response;
  return new Response(response.body, { headers: { "Content-Type": type } });
}

async function readThrough({ body }: Response, count: (bytes: number) => void): Promise<void> {
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    count(part.value.length);
  }
}

const loading = load();
loading.then(() => say({ type: "ready" }), failed);

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "files") {
    await fetchFiles(data.paths).then(() => say({ type: "files" }), failed);
    return;
  }
  const { answer } = await loading;
  try {
    say({ type: "reply", reply: JSON.parse(answer(JSON.stringify(data.request))) });
  } catch (error) {
    // in_page.answer never raises: what arrives here is the end of this interpreter.
    say({ type: "broken", message: String(error) });
  }
};
