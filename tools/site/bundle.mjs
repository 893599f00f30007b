// Bundles the front end with esbuild:
//   the page's scripts as classic scripts (ES modules do not run from file://) into the assets,
//   the explorables for pages and for notebooks (explorables.mjs).
//
// node bundle.mjs ASSETS_FOLDER COURSEKIT_WEB_FOLDER [EXPLORABLES_FOLDER ELEMENT_PREFIX]
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readFile } from "node:fs/promises";
import { build } from "esbuild";
import { bundleExplorables } from "./explorables.mjs";

// A style sheet that a module imports is a string, which its host puts into the document: without
// comments and blanks. Colours are read from the text of the tokens, which stays as it is written.
const styleText = {
  name: "style-text",
  setup(making) {
    making.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      if (path.endsWith("tokens.css")) return { contents: await readFile(path, "utf8"), loader: "text" };
      const options = { bundle: true, minifyWhitespace: true, charset: "utf8", logLevel: "warning" };
      const { outputFiles } = await build({ ...options, entryPoints: [path], write: false });
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};

const common = {
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  plugins: [styleText],
  logLevel: "warning",
};

const bundle = (entry, outfile, format) =>
  build({ ...common, format, entryPoints: [entry], outfile });

const PAGE_SCRIPTS = "coursekit editor finale live parsons path sidebar transfer".split(" ");

async function bundlePage(web, assets) {
  for (const name of PAGE_SCRIPTS) {
    await bundle(join(web, `${name}.ts`), join(assets, `${name}.js`), "iife");
  }
  await bundle(join(web, "worker.ts"), join(assets, "worker.js"), "esm");
  await bundle(join(import.meta.dirname, "frame", "frame.ts"), join(assets, "frame.js"), "iife");
  await bundle(join(import.meta.dirname, "search", "dialog.ts"), join(assets, "search.js"), "iife");
  const offline = join(import.meta.dirname, "offline");
  await bundle(join(offline, "keep.ts"), join(assets, "keep.js"), "iife");
  await bundle(join(offline, "worker.ts"), join(assets, "worker", "sw.js"), "iife");
  const style = { entryPoints: [join(web, "coursekit.css")], outfile: join(assets, "coursekit.css") };
  await build({ ...common, plugins: [], ...style });
}

const [assets, web, explorables] = process.argv.slice(2, 5).map((path) => resolve(path));
const prefix = process.argv[5];
if (!assets || !web || (explorables && !prefix)) {
  const folders = "ASSETS_FOLDER COURSEKIT_WEB_FOLDER [EXPLORABLES_FOLDER ELEMENT_PREFIX]";
  console.error(`usage: node bundle.mjs ${folders}`);
  process.exit(2);
}
mkdirSync(assets, { recursive: true });
try {
  await bundlePage(web, assets);
  const count = explorables ? await bundleExplorables(explorables, assets, prefix, common) : 0;
  console.log(`page scripts and ${count} explorables in ${assets}`);
} catch (error) {
  if (!error.errors) console.error(error.message); // else esbuild has printed file, line and reason
  process.exit(1);
}
