// Bundles the front end with esbuild:
//   the page's scripts as classic scripts (ES modules do not run from file://) into the assets,
//   the explorables for pages and for notebooks (explorables.mjs).
//
// node bundle.mjs ASSETS_FOLDER COURSEKIT_WEB_FOLDER [EXPLORABLES_FOLDER ELEMENT_PREFIX]
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { bundleExplorables } from "./explorables.mjs";

// A style sheet that a module imports is a string, which its host puts into the document: without
// comments and blanks.
const styleText = {
  name: "style-text",
  setup(making) {
    making.onLoad({ filter: /\.css$/ }, async ({ path }) => {
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

/** The page's scripts and style sheet, each under its name in the assets. */
async function bundlePage(web, assets) {
  const own = (name) => join(import.meta.dirname, `${name}.ts`);
  const names = "coursekit editor finale live parsons path sidebar transfer".split(" ");
  const scripts = Object.fromEntries(names.map((name) => [name, join(web, `${name}.ts`)]));
  const rest = { frame: own("frame/frame"), search: own("search/dialog"), keep: own("offline/keep") };
  const classic = { ...scripts, ...rest, "worker/sw": own("offline/worker") };
  const options = { ...common, outdir: assets };
  await build({ ...options, format: "iife", entryPoints: classic });
  await build({ ...options, format: "esm", entryPoints: [join(web, "worker.ts")] });
  await build({ ...options, plugins: [], entryPoints: [join(web, "coursekit.css")] });
}

const [assets, web, explorables] = process.argv.slice(2, 5).map((path) => resolve(path));
const prefix = process.argv[5];
try {
  await bundlePage(web, assets);
  const count = explorables ? await bundleExplorables(explorables, assets, prefix, common) : 0;
  console.log(`page scripts and ${count} explorables in ${assets}`);
} catch (error) {
  if (!error.errors) console.error(error.message); // else esbuild has printed file, line and reason
  process.exit(1);
}
