import { writeFileSync } from "node:fs";
import { bundle } from "./bundle.ts";
import { formatSbom } from "./sbom.ts";
import { ROOT, TARGETS } from "./targets.ts";

// `node scripts/build.ts package` or `action`.
const [name = ""] = process.argv.slice(2);
const target = Object.entries(TARGETS).find(([known]) => known === name)?.[1];
if (target === undefined)
  throw new Error(`build: expected ${Object.keys(TARGETS).join(" or ")}, found ${JSON.stringify(name)}`);
const packages = await bundle(target);
// Not for the Action: what a workflow downloads each time stays small.
if (target === TARGETS.package) writeFileSync(`${ROOT}dist/sbom.cdx.json`, formatSbom(packages));
