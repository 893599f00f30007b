// Bundles the explorables: one ES module each, which anywidget loads in a notebook, and for pages
// one classic script each beside one with what all of them use. A page loads its own explorables
// only, however many the course has.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";

/** Writes `_dist/NAME.js` for notebooks; `explorables.js` and `explorables/ELEMENT.js` for pages. */
export async function bundleExplorables(folder, assets, prefix, common) {
  const entryPoints = modules(folder);
  const [dist, own] = [join(folder, "_dist"), join(assets, "explorables")];
  for (const place of [dist, own, `${own}.js`]) rmSync(place, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  // By name, not by folder: `_dist/pendulum.js`.
  const notebook = { ...common, format: "esm", outdir: dist, entryNames: "[name]", metafile: true };
  const { metafile } = await build({ ...notebook, plugins: [...common.plugins, workers(common)], entryPoints });
  const page = source(folder, "page");
  const options = { ...common, format: "iife", plugins: [sheets(common, own), ...common.plugins] };
  const shared = sharedModules(metafile);
  const contents = sharedScript(page, shared, folder);
  await build({ ...options, stdin: { contents, resolveDir: folder }, outfile: `${own}.js` });
  const share = source(folder, "share"); // which pages load for readers who ask for what it offers
  if (share) await build({ ...options, entryPoints: [share], outfile: join(assets, "share.js") });
  const plugins = [...options.plugins, takenFrom([page, ...shared], folder), workers(common, own)];
  for (const entry of entryPoints) {
    const element = prefix + basename(entry).replace(/\.[jt]s$/, "").replaceAll("_", "-");
    const stdin = { contents: elementScript(page, entry, element), resolveDir: folder };
    await build({ ...options, stdin, plugins, outfile: join(own, `${element}.js`) });
  }
  return entryPoints.length;
}

/** The modules that stand in a folder of their own name: `pendulum/pendulum.ts`, or `.js`. */
function modules(folder) {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((e) => e.isDirectory());
  return folders.flatMap(({ name }) => source(join(folder, name), name) ?? []);
}

const source = (folder, name) =>
  [".ts", ".js"].map((suffix) => join(folder, name + suffix)).find(existsSync);

const elementScript = (page, entry, element) =>
  `import { define } from ${JSON.stringify(page)};
  import * as explorable from ${JSON.stringify(entry)};
  define(${JSON.stringify(element)}, explorable);`;

/** The modules that nearly every explorable uses. */
function sharedModules({ outputs }) {
  const used = Object.values(outputs).map(({ inputs }) => Object.keys(inputs).map((f) => resolve(f)));
  const countOf = (file) => used.filter((files) => files.includes(file)).length;
  const isCode = (file) => /\.[jt]s$/.test(file);
  return [...new Set(used.flat())].filter((file) => isCode(file) && countOf(file) >= 0.75 * used.length);
}

/** A script that puts modules, by their places, where the scripts of explorables find them. */
function sharedScript(page, files, folder) {
  const place = (file) => JSON.stringify(relative(folder, file));
  const names = files.map((file, i) => `import * as m${i} from ${JSON.stringify(file)};`);
  const places = files.map((file, i) => `${place(file)}: m${i}`);
  // By name, so that a page module without it fails here and not in a reader's browser.
  return `import { define } from ${JSON.stringify(page)};\n${names.join("\n")}
    window.explorables = { ${place(page)}: { define }, ${places.join(", ")} };`;
}

/** Takes these modules from the script that has them all. */
const takenFrom = (files, folder) => ({
  name: "shared",
  setup(bundling) {
    bundling.onResolve({ filter: /^[./]/ }, ({ path, resolveDir }) => {
      const file = resolve(resolveDir, path);
      return files.includes(file) ? { path: relative(folder, file), namespace: "shared" } : undefined;
    });
    bundling.onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => ({
      contents: `module.exports = window.explorables[${JSON.stringify(path)}];`,
      loader: "js",
    }));
  },
});

/** Builds a file beside the scripts, under a name that changes with what is in it; a module imports that name. */
async function named(options, entry, folder) {
  const own = { ...options, entryPoints: entry, outdir: folder, entryNames: "[name]-[hash]", metafile: true };
  const { metafile } = await build(own);
  return { contents: basename(Object.keys(metafile.outputs)[0]), loader: "text" };
}

/**
 * `import rules from "./pendulum.css"`: in a page the name of a file, which the still of a figure has
 * loaded before these run; in a notebook, which has no such files, its text.
 */
const sheets = (common, folder) => ({
  name: "sheets",
  setup(bundling) {
    bundling.onLoad({ filter: /\.css$/ }, ({ path }) =>
      path.endsWith("tokens.css") ? undefined : named({ ...common, plugins: [] }, [path], folder),
    );
  },
});

/** `import file from "./dig.ts?worker"`: the script of a worker, which pages load when they start it; notebooks have none. */
const workers = (common, folder) => ({
  name: "workers",
  setup(bundling) {
    bundling.onResolve({ filter: /\?worker$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(/\?worker$/, "")),
      namespace: "worker",
    }));
    bundling.onLoad({ filter: /.*/, namespace: "worker" }, ({ path }) => {
      if (!folder) return { contents: "", loader: "text" };
      const name = `${basename(dirname(path))}-${basename(path).replace(/\.[jt]s$/, "")}`;
      return named({ ...common, format: "iife" }, { [name]: path }, folder);
    });
  },
});
