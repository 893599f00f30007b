// One style sheet of many: bundled by esbuild (which rebases addresses), then purged of every rule
// and variable that no page and no script uses.
// In (stdin): {"files": [paths in order], "words": "names that pages and scripts use"}. Out: CSS.
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { PurgeCSS } from "purgecss";

const { files, words } = JSON.parse(readFileSync(0, "utf8"));
const bundled = await build({
  stdin: { contents: files.map((f) => `@import ${JSON.stringify(f)};`).join("\n"), loader: "css", resolveDir: "/" },
  bundle: true,
  minify: true,
  write: false,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "error",
});
const [purged] = await new PurgeCSS().purge({
  content: [{ raw: words, extension: "html" }],
  css: [{ raw: bundled.outputFiles[0].text }],
  fontFace: false,
  keyframes: false,
  variables: true,
  safelist: {
    // Scripts name data attributes in another way: `dataset.theme`.
    standard: [/^data-/, /^:is/, /^:where/, /^:has/, /^:not/],
    variables: words.split(" ").filter((word) => word.startsWith("--")),
  },
});
process.stdout.write(purged.css);
