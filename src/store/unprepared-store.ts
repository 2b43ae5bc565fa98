import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import { DamageWatch } from "./damage/damage.ts";
import { PARSERS, START_PARAMS } from "./engine-options.ts";
import { migrateDatabase } from "./migrate.ts";
import type { MigrationList } from "./migrations/migration-list.ts";
import type { Store } from "./open.ts";
import type { Tables } from "./tables/tables.ts";

/** A store in memory that was initialised without the prepared database. */
export interface UnpreparedStore extends Store {
  /** All its files as a gzipped tar. */
  image(): Promise<Buffer>;
}

/**
 * Initialises a database and migrates its tables. `empty-database.tar.gz` is built from it and compared with
 * it.
 */
export async function openUnprepared(migrations: MigrationList): Promise<UnpreparedStore> {
  const lite = await PGlite.create({ parsers: PARSERS, startParams: [...START_PARAMS] });
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: lite }) });
  await migrateDatabase(db, migrations);
  return {
    db,
    engine: { kind: "pglite", lite },
    damage: new DamageWatch(() => {}),
    image: async () => {
      await lite.query("checkpoint");
      return Buffer.from(await (await lite.dumpDataDir("gzip")).arrayBuffer());
    },
    close: () => db.destroy(),
  };
}
