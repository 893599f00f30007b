// Bundles the front end with esbuild:
//   the page's scripts as classic scripts (ES modules do not run from file://) into the assets,
//   one ES module per explorable (anywidget loads it in a notebook) into the package's _dist.
//
// node bundle.mjs ASSETS_FOLDER COURSEKIT_WEB_FOLDER [EXPLORABLES_FOLDER]
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const common = {
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  // A style sheet that a module imports is a string, which its host puts into the document.
  loader: { ".css": "text" },
  logLevel: "warning",
};

const bundle = (entry, outfile, format) =>
  build({ ...common, format, entryPoints: [entry], outfile });

/** The modules that stand in a folder of their own name: `pendulum/pendulum.ts`, or `.js`. */
function modules(folder) {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((e) => e.isDirectory());
  return folders.flatMap(({ name }) => source(join(folder, name), name) ?? []);
}

const source = (folder, name) =>
  [".ts", ".js"].map((suffix) => join(folder, name + suffix)).find(existsSync);

async function bundleExplorables(folder, assets) {
  const dist = join(folder, "_dist");
  const entryPoints = modules(folder);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  // By name, not by folder: `_dist/pendulum.js`.
  const options = { ...common, format: "esm", outdir: dist, entryNames: "[name]" };
  if (entryPoints.length > 0) await build({ ...options, entryPoints });
  const page = source(folder, "page");
  if (page) await bundle(page, join(assets, "explorables.js"), "iife");
  return entryPoints.length;
}

async function bundlePage(web, assets) {
  const scripts = { coursekit: "iife", editor: "iife", live: "iife", worker: "esm" };
  for (const [name, format] of Object.entries(scripts)) {
    await bundle(join(web, `${name}.ts`), join(assets, `${name}.js`), format);
  }
  const style = { entryPoints: [join(web, "coursekit.css")], outfile: join(assets, "coursekit.css") };
  await build({ ...common, loader: { ".css": "css" }, ...style });
}

const [assets, web, explorables] = process.argv.slice(2).map((path) => resolve(path));
if (!assets || !web) {
  console.error("usage: node bundle.mjs ASSETS_FOLDER COURSEKIT_WEB_FOLDER [EXPLORABLES_FOLDER]");
  process.exit(2);
}
mkdirSync(assets, { recursive: true });
try {
  await bundlePage(web, assets);
  const count = explorables ? await bundleExplorables(explorables, assets) : 0;
  console.log(`page scripts and ${count} explorables in ${assets}`);
} catch {
  process.exit(1); // esbuild has already printed file, line and reason
}
