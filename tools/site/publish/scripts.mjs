// Takes comments and spaces out of scripts; one that does not become smaller stays as it is.
// In (stdin): {name: source}. Out: {name: source}.
import { readFileSync } from "node:fs";
import { transform } from "esbuild";

// No format is set: what scripts call each other by keeps its name.
const options = { minify: true, target: "es2022", charset: "utf8", legalComments: "inline" };
const made = {};
for (const [name, source] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const { code } = await transform(source, options);
  made[name] = code.length < 0.9 * source.length ? code : source;
}
process.stdout.write(JSON.stringify(made));
