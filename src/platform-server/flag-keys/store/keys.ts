import { type Kysely, type Selectable, sql } from "kysely";
import { transact } from "../../../store/database/transaction.ts";
import { bigint, defineTable, type TablesOf, text } from "../../../store/tables/define-table.ts";
import { projectColumns, toProjectKey } from "../../../store/tables/project-key.ts";
import { countFound } from "../../area/count-found.ts";

export type FlagKeyRow = Selectable<FlagTables["platform_flag_keys"]>;
export type FlagKeyKey = EnvironmentKey & Pick<FlagKeyRow, "identifier">;

const pickEnvironmentKey = (key: EnvironmentKey): EnvironmentKey => ({
  ...toProjectKey(key),
  environment: key.environment,
});
const pickRowKey = (key: FlagKeyKey): FlagKeyKey => ({
  ...pickEnvironmentKey(key),
  identifier: key.identifier,
});

/** Stores a new key. False, without a change: its identifier is taken in the environment. */
export function addFlagKey(db: Kysely<FlagTables>, row: FlagKeyRow): Promise<boolean> {
  return write(db, row, (trx) =>
    trx
      .insertInto("platform_flag_keys")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["account", "org", "project", "environment", "identifier"]).doNothing(),
      )
      .returning("identifier")
      .executeTakeFirst(),
  );
}

export async function findFlagKey(db: Kysely<FlagTables>, key: FlagKeyKey): Promise<FlagKeyRow | null> {
  const row = await db
    .selectFrom("platform_flag_keys")
    .selectAll()
    .where((eb) => eb.and(pickRowKey(key)))
    .executeTakeFirst();
  return row ?? null;
}

export interface FlagKeyPage {
  readonly rows: FlagKeyRow[];
  /** Number of keys of the environment. */
  readonly total: number;
  /** Number of writes of its keys so far. */
  readonly version: number;
}

/** Returns one page of an environment's keys by identifier. `offset` in keys. */
export async function listFlagKeys(
  db: Kysely<FlagTables>,
  environment: EnvironmentKey,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<FlagKeyPage> {
  const keys = db.selectFrom("platform_flag_keys").where((eb) => eb.and(pickEnvironmentKey(environment)));
  const total = await countFound(keys);
  const known = await db
    .selectFrom("platform_flag_environments")
    .select("version")
    .where((eb) => eb.and(pickEnvironmentKey(environment)))
    .executeTakeFirst();
  const rows =
    offset >= total
      ? []
      : await keys.selectAll().orderBy(sql`identifier collate "C"`).limit(limit).offset(offset).execute();
  return { rows, total, version: known?.version ?? 0 };
}

/** Changes the given members of a key; false: there is no such key. */
export function changeFlagKey(
  db: Kysely<FlagTables>,
  key: FlagKeyKey,
  changes: Partial<Pick<FlagKeyRow, "name" | "description" | "expires_s">>,
): Promise<boolean> {
  return write(db, key, (trx) =>
    trx
      .updateTable("platform_flag_keys")
      // Without a change there is still the question whether it is there.
      .set({ identifier: key.identifier, ...changes })
      .where((eb) => eb.and(pickRowKey(key)))
      .returning("identifier")
      .executeTakeFirst(),
  );
}

/** Deletes a key; false: there is no such key. */
export function deleteFlagKey(db: Kysely<FlagTables>, key: FlagKeyKey): Promise<boolean> {
  return write(db, key, (trx) =>
    trx
      .deleteFrom("platform_flag_keys")
      .where((eb) => eb.and(pickRowKey(key)))
      .returning("identifier")
      .executeTakeFirst(),
  );
}

/** Returns the key with this hash, of any account: the key alone identifies its account. */
export async function findFlagKeyByHash(
  db: Kysely<FlagTables>,
  secret_hash: string,
): Promise<FlagKeyRow | null> {
  const row = await db
    .selectFrom("platform_flag_keys")
    .selectAll()
    .where("secret_hash", "=", secret_hash)
    .executeTakeFirst();
  return row ?? null;
}

export async function setFlagKeyUsed(db: Kysely<FlagTables>, key: FlagKeyKey, usedS: number): Promise<void> {
  await db
    .updateTable("platform_flag_keys")
    .set({ last_used_s: usedS })
    .where((eb) => eb.and(pickRowKey(key)))
    .execute();
}

/** Writes a key and counts that in its environment; false, and nothing is counted, when no row was written. */
const write = (
  db: Kysely<FlagTables>,
  environment: EnvironmentKey,
  statement: (trx: Kysely<FlagTables>) => Promise<object | undefined>,
): Promise<boolean> =>
  transact(db, async (trx) => {
    if ((await statement(trx)) === undefined) return false;
    await trx
      .insertInto("platform_flag_environments")
      .values({ ...pickEnvironmentKey(environment), version: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(["account", "org", "project", "environment"])
          .doUpdateSet({ version: sql<number>`platform_flag_environments.version + 1` }),
      )
      .execute();
    return true;
  });

const environmentColumns = { ...projectColumns, environment: text() };

/** An environment of a project, which feature-flag keys belong to. */
export type EnvironmentKey = Readonly<Selectable<typeof environmentColumns>>;

export const flagTables = {
  platform_flag_environments: defineTable({
    columns: {
      ...environmentColumns,
      /** Increases with each write of one of its keys. */
      version: bigint(),
    },
    primaryKey: ["account", "org", "project", "environment"],
  }),
  platform_flag_keys: defineTable({
    columns: {
      ...environmentColumns,
      identifier: text(),
      name: text(),
      description: text().nullable(),
      type: text<"server" | "client">(),
      /** Identifies the record; it grants no access. */
      record_id: text(),
      /** SHA-256 of the key in hex; the key itself is not stored. */
      secret_hash: text(),
      /** The key's last four characters, by which users recognise it. */
      last_four: text(),
      /** Unix time of expiry, in seconds; 0: never. */
      expires_s: bigint(),
      /** Unix time of the last use, in seconds; null: never used. */
      last_used_s: bigint().nullable(),
      created_ms: bigint(),
    },
    primaryKey: ["account", "org", "project", "environment", "identifier"],
    constraints: ["unique (secret_hash)"],
  }),
};

export type FlagTables = TablesOf<typeof flagTables>;
