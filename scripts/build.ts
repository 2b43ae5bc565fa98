import { bundle } from "./bundle.ts";
import { TARGETS } from "./targets.ts";

// `node scripts/build.ts package` or `action`.
const [name = ""] = process.argv.slice(2);
const target = Object.entries(TARGETS).find(([known]) => known === name)?.[1];
if (target === undefined)
  throw new Error(`build: expected ${Object.keys(TARGETS).join(" or ")}, found ${JSON.stringify(name)}`);
await bundle(target);
