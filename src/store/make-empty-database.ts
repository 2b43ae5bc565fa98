import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { START_PARAMS } from "./engine-options.ts";

// `npm run generate`: needed again whenever the embedded database's version changes; a test says so.
const lite = await PGlite.create({ startParams: [...START_PARAMS] });
const image = await lite.dumpDataDir("gzip");
writeFileSync(join(import.meta.dirname, "empty-database.tar.gz"), Buffer.from(await image.arrayBuffer()));
await lite.close();
