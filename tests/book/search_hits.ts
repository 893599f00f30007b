// Prints, as JSON, what the site's search finds for each query: node search_hits.ts INDEX_SCRIPT < QUERIES
import { readFileSync } from "node:fs";
import { searchOf, type Index } from "../../tools/site/search/engine.ts";

const script = readFileSync(process.argv[2]!, "utf8");
const find = searchOf(JSON.parse(script.slice(script.indexOf("=") + 1).replace(/;\s*$/, "")) as Index);
const queries = JSON.parse(readFileSync(0, "utf8")) as string[];
console.log(JSON.stringify(Object.fromEntries(queries.map((query) => [query, find(query)]))));
