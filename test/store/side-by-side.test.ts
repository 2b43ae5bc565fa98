import { type Kysely, sql } from "kysely";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { enterLane } from "../../src/store/database/lanes.ts";
import { migrateDatabase } from "../../src/store/migrate.ts";
import { isCompatible } from "../../src/store/migrations/compatible.ts";
import { createSqlMigration, type MigrationList } from "../../src/store/migrations/migration-list.ts";
import { openStore, type Store } from "../../src/store/open.ts";
import type { Tables } from "../../src/store/tables/tables.ts";
import { openUnprepared } from "../../src/store/unprepared-store.ts";
import { schema } from "../../src/wiring/database/schema.ts";
import { emptyPostgres } from "../world/engines.ts";

/** The first migration that runs beside the version before it. */
const FIRST_EXPANSION = "0027";
const server = inject("postgresUrl");
const { migrations, preparedDatabase } = schema;

const pick = (isWanted: (name: string) => boolean): MigrationList =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => isWanted(name)));
const EARLIER = pick((name) => name < FIRST_EXPANSION);
const EXPANSIONS = pick((name) => !name.includes("-contract-"));

interface MigratedStore {
  readonly store: Store;
  /** Opens the same database as a process that has these migrations; PostgreSQL only. */
  beside(migrations: MigrationList): Promise<Store>;
}

/** A new database with these migrations. */
async function openWith(some: MigrationList): Promise<MigratedStore> {
  const keep = <T extends Store>(store: T): T => {
    onTestFinished(() => store.close());
    return store;
  };
  if (server === null) {
    const store = keep(await openUnprepared(some));
    return { store, beside: async (list) => migrateDatabase(store.db, list).then(() => store) };
  }
  const location = { kind: "postgres", url: await emptyPostgres(server), maxConnections: 2 } as const;
  const beside = async (list: MigrationList) =>
    keep(await openStore(location, { migrations: list, preparedDatabase }, () => {}));
  return { store: await beside(some), beside };
}

/** Whether a statement of an earlier version can still be executed: its columns are there, and it states what is required. */
async function readShape(db: Kysely<Tables>) {
  const { rows: columns } = await sql<{ name: string; type: string; required: boolean }>`
    select table_name || '.' || column_name as name, data_type as type,
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' as required
    from information_schema.columns where table_schema = current_schema()`.execute(db);
  const { rows: rules } = await sql<{ name: string }>`
    select conrelid::regclass || ' ' || pg_get_constraintdef(oid) as name from pg_constraint
    where connamespace = current_schema()::regnamespace and contype <> 'n'
    union all select tablename || ' ' || indexdef from pg_indexes
    where schemaname = current_schema() and indexdef like 'CREATE UNIQUE%'`.execute(db);
  return { columns: new Map(columns.map(({ name, ...column }) => [name, column])), rules };
}
type Shape = Awaited<ReturnType<typeof readShape>>;

const tableOf = (name: string): string => name.split(/[. ]/)[0] ?? "";

/** What keeps statements that fit `before` from being executed on `after`. */
function listObstacles(before: Shape, after: Shape): readonly string[] {
  const tables = new Set([...before.columns.keys()].map(tableOf));
  const changed = [...before.columns].flatMap(([name, { type, required }]) => {
    const now = after.columns.get(name);
    if (now === undefined) return [`${name} is gone`];
    if (now.type !== type) return [`${name} has another type`];
    return now.required && !required ? [`${name} is required`] : [];
  });
  const added = [...after.columns].flatMap(([name, { required }]) =>
    required && tables.has(tableOf(name)) && !before.columns.has(name) ? [`${name} is new and required`] : [],
  );
  const known = new Set(before.rules.map(({ name }) => name));
  const stricter = after.rules
    .filter(({ name }) => tables.has(tableOf(name)) && !known.has(name))
    .map(({ name }) => `new rule: ${name}`);
  return [...changed, ...added, ...stricter];
}

describe("while a new version runs beside the one before it,", { timeout: 60_000 }, () => {
  it("every statement of the earlier version can be executed on the tables of the new one", async () => {
    const { store, beside } = await openWith(EARLIER);
    const before = await readShape(store.db);
    const after = await readShape((await beside(EXPANSIONS)).db);
    expect(before.columns.size).toBeGreaterThan(100);
    expect(after.columns.size).toBeGreaterThan(before.columns.size);
    expect(listObstacles(before, after)).toEqual([]);
  });

  it.each([
    ["drops a table", "drop table merge_groups", "merge_groups.base_ref is gone"],
    ["renames a column", "alter table lanes rename token to fence", "lanes.token is gone"],
    ["changes a type", "alter table lanes alter token type text", "lanes.token has another type"],
    ["adds a required column", "alter table lanes add column x text not null", "lanes.x is new and required"],
    ["requires a value", "alter table pulls alter merge_sha set not null", "pulls.merge_sha is required"],
    [
      "adds a rule",
      "alter table lanes add constraint few check (token < 9)",
      "new rule: lanes CHECK ((token < 9))",
    ],
  ])("a migration that %s is found", async (_what, statement, obstacle) => {
    const { store, beside } = await openWith(EARLIER);
    const before = await readShape(store.db);
    const later = await beside({ ...EARLIER, "9000-later": createSqlMigration([statement]) });
    expect(listObstacles(before, await readShape(later.db))).toContain(obstacle);
  });

  it("a process of the earlier version starts on the new one's database and works", async () => {
    const { store, beside } = await openWith(migrations);
    const earlier = await beside(EARLIER);
    const now = new Date();
    expect(await enterLane(earlier.db, "pull:1:1", now)).toMatchObject({ token: 1 });
    expect(await enterLane(store.db, "pull:1:1", now)).toMatchObject({ token: 2 });
  });

  it("a version starts after what it no longer needs was removed, and the one before that is refused", async () => {
    const removed = createSqlMigration(["drop table turns"]);
    const newest = { ...migrations, "9001-contract-0027-turns": removed };
    const { beside } = await openWith(newest);
    await beside(migrations);
    await expect(beside(EARLIER)).rejects.toMatchObject({ code: "database_version" });
  });
});

describe("a migration that a version does not know", () => {
  const known = ["0001-core", "0027-replicas"];
  it.each([
    ["0028-more-columns", true],
    ["0030-contract-0027-old-columns", true],
    ["0030-contract-0028-old-columns", false],
    ["V2__other_program", false],
    ["2024-10-12T00:00-another", false],
  ])("%s is compatible: %s", (name, expected) => {
    expect(isCompatible(name, known)).toBe(expected);
  });
});

it("every migration from now on says by its name whether it removes anything", () => {
  for (const name of Object.keys(migrations).filter((one) => one >= FIRST_EXPANSION))
    expect(isCompatible(name, Object.keys(migrations)), name).toBe(true);
});
