// Renders formulas to MathML with KaTeX, all in one process.
// In (stdin): [{"tex": "...", "display": true}, …]. Out: ["<math …>", …]; the first fault ends it.
import { readFileSync } from "node:fs";
import katex from "katex";

const rendered = JSON.parse(readFileSync(0, "utf8")).map(({ tex, display }) => {
  try {
    const options = { displayMode: display, output: "mathml", throwOnError: true, strict: "ignore" };
    return katex.renderToString(tex, options).match(/<math.*<\/math>/s)[0];
  } catch (error) {
    console.error(`${error.message} in the formula: ${tex}`);
    process.exit(1);
  }
});
process.stdout.write(JSON.stringify(rendered));
