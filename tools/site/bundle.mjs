// Bundles the front end with esbuild:
//   one ES module per explorable (anywidget loads it in a notebook) into the package's _dist,
//   the page's scripts as classic scripts (ES modules do not run from file://) into the assets.
//
// node tools/site/bundle.mjs ASSETS_FOLDER
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const lib = resolve(dirname(fileURLToPath(import.meta.url)), "../../lib");
const explorables = join(lib, "attnlab/explorables");
const web = join(lib, "coursekit/web");

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

/** The folders that hold a module of their own name: `soft_lookup/soft_lookup.ts`. */
export function explorableNames() {
  if (!existsSync(explorables)) return [];
  return readdirSync(explorables, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => existsSync(join(explorables, name, `${name}.ts`)));
}

async function bundleExplorables(assets) {
  const dist = join(explorables, "_dist");
  const names = explorableNames();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const entryPoints = Object.fromEntries(names.map((n) => [n, join(explorables, n, `${n}.ts`)]));
  if (names.length > 0) await build({ ...common, format: "esm", entryPoints, outdir: dist });
  const page = join(explorables, "page.ts");
  if (existsSync(page)) await bundle(page, join(assets, "explorables.js"), "iife");
  return names;
}

const bundle = (entry, outfile, format) =>
  build({ ...common, format, entryPoints: [entry], outfile });

async function bundlePage(assets) {
  const scripts = { coursekit: "iife", editor: "iife", worker: "esm" };
  for (const [name, format] of Object.entries(scripts)) {
    const entry = join(web, `${name}.ts`);
    if (existsSync(entry)) await bundle(entry, join(assets, `${name}.js`), format);
  }
  const style = join(web, "coursekit.css");
  const loader = { ".css": "css" };
  if (existsSync(style)) {
    await build({ ...common, loader, entryPoints: [style], outfile: join(assets, "coursekit.css") });
  }
}

const [assets] = process.argv.slice(2);
if (!assets) {
  console.error("usage: node bundle.mjs ASSETS_FOLDER");
  process.exit(2);
}
mkdirSync(assets, { recursive: true });
try {
  const names = await bundleExplorables(resolve(assets));
  await bundlePage(resolve(assets));
  console.log(`${names.length} explorables, page scripts in ${assets}`);
} catch {
  process.exit(1); // esbuild has already printed file, line and reason
}
