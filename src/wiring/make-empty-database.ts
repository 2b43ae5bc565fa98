import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import { openBoss } from "../jobs/queue/open.ts";
import { PARSERS, START_PARAMS } from "../store/engine-options.ts";
import { migrate } from "../store/migrate.ts";
import type { Tables } from "../store/tables.ts";

// `npm run generate`: needed again whenever the embedded database's version or a table changes; a test says so. An older one
// still works, as every start brings its tables up to date.
const lite = await PGlite.create({ parsers: PARSERS, startParams: [...START_PARAMS] });
const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: lite }) });
await migrate(db);
const quiet = { warn: () => {}, error: () => {} };
const boss = await openBoss({ db, engine: { kind: "pglite", lite }, close: () => db.destroy() }, quiet);
await boss.stop({ graceful: false });
await lite.query("checkpoint");
const image = await lite.dumpDataDir("gzip");
const file = join(import.meta.dirname, "..", "store", "empty-database.tar.gz");
writeFileSync(file, Buffer.from(await image.arrayBuffer()));
await lite.close();
