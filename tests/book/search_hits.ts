// Prints, as JSON, what the site's search finds for each query, and the nearest query that pages have words for:
// node search_hits.ts INDEX_SCRIPT < QUERIES
import { readFileSync } from "node:fs";
import { searchOf, type Index } from "../../tools/site/search/ranking.ts";

const script = readFileSync(process.argv[2]!, "utf8");
const index = JSON.parse(script.slice(script.indexOf("=") + 1).replace(/;\s*$/, "")) as Index;
const search = searchOf(index);
const queries = JSON.parse(readFileSync(0, "utf8")) as string[];
console.log(JSON.stringify(Object.fromEntries(queries.map((query) => [query, { found: search.find(query), nearest: search.nearest(query) }]))));
