import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import { createDamageWatch } from "./damage.ts";
import { PARSERS, START_PARAMS } from "./embedded.ts";
import type { MigrationList } from "./migrate.ts";
import { migrateDatabase } from "./migrate.ts";
import type { Store } from "./open.ts";
import type { Tables } from "./tables/tables.ts";

/** A store in memory that was initialised without the prepared database. */
export interface UnpreparedStore extends Store {
  /** All its files as a gzipped tar. */
  image(): Promise<Buffer>;
}

/** PostgreSQL copies new databases from these. Nothing creates one here, and they are half of all files. */
const TEMPLATES: readonly string[] = ["template0", "template1"];

/** Files of the log have 1 MB instead of 16 MB: each new database begins with some of them. */
const SMALL_LOG_FILES: readonly string[] = ["--wal-segsize=1"];

/** So that the checkpoint before the image keeps no files of the log for later. */
const FEW_LOG_FILES: readonly string[] = ["-c", "min_wal_size=2MB", "-c", "max_wal_size=2MB"];

/** Initialises a database and migrates its tables. `empty-database.tar.gz` is built from it and compared with it. */
export async function openUnprepared(migrations: MigrationList): Promise<UnpreparedStore> {
  const lite = await PGlite.create({
    parsers: PARSERS,
    startParams: [...START_PARAMS, ...FEW_LOG_FILES],
    initDbStartParams: [...SMALL_LOG_FILES],
  });
  for (const name of TEMPLATES) {
    await lite.exec(`alter database ${name} with is_template false`);
    await lite.exec(`drop database ${name}`);
  }
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: lite }) });
  await migrateDatabase(db, migrations);
  return {
    db,
    engine: { kind: "pglite", lite },
    damage: createDamageWatch(() => {}),
    image: async () => {
      await lite.query("checkpoint");
      return Buffer.from(await (await lite.dumpDataDir("gzip")).arrayBuffer());
    },
    close: () => db.destroy(),
  };
}
