// Renders formulas to HTML and MathML with KaTeX, all in one process.
// In (stdin): [{"tex": "...", "display": true}, …]. Out: ["<span …>", …]; the first fault ends it.
import { readFileSync } from "node:fs";
import katex from "katex";

const rendered = JSON.parse(readFileSync(0, "utf8")).map(({ tex, display }) => {
  try {
    return katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: "ignore" });
  } catch (error) {
    console.error(`${error.message} in the formula: ${tex}`);
    process.exit(1);
  }
});
process.stdout.write(JSON.stringify(rendered));
