import { describe, expect, inject, it, onTestFinished } from "vitest";
import { enterLane } from "../../src/store/database/lanes.ts";
import {
  FIRST_MIGRATION,
  isCompatible,
  listPendingMigrations,
  type MigrationList,
  migrateDatabase,
} from "../../src/store/migrate.ts";
import { openDatabase, schema } from "../../src/wiring/database/schema.ts";
import { emptyPostgres, usualEngine } from "../world/engines.ts";

const server = inject("postgresUrl");

it.runIf(server)("six replicas that start at once bring one database up to date together", async () => {
  const url = await emptyPostgres(server ?? "");
  const open = () => openDatabase({ kind: "postgres", url, maxConnections: 2 }, () => {});
  const stores = await Promise.all(Array.from({ length: 6 }, open));
  for (const store of stores) {
    const heads = await store.db.selectFrom("decision_head").selectAll().execute();
    expect(heads).toHaveLength(1);
    await store.close();
  }
});

describe("a second migration", () => {
  const first = schema.migrations;
  const second = { ...first, "0002-notes": ["alter table lanes add column note text"] };
  const now = new Date();
  const open = async (migrations: MigrationList) => {
    const store = await usualEngine().open();
    onTestFinished(() => store.close());
    await migrateDatabase(store.db, migrations);
    return store.db;
  };

  it("is executed once, after the first one, and the version before starts and works on its tables", async () => {
    const db = await open(first);
    expect(await enterLane(db, "pull:1:1", now)).toMatchObject({ token: 1 });
    expect(await listPendingMigrations(db, second)).toEqual(["0002-notes"]);
    for (const version of [second, second, first]) await migrateDatabase(db, version);
    expect(await listPendingMigrations(db, second)).toEqual([]);
    expect(await enterLane(db, "pull:1:1", now)).toMatchObject({ token: 2 });
  });

  it("that fails changes nothing and is named", async () => {
    const db = await open(first);
    const statements = ["alter table lanes add column note text", "alter table lanes add column note text"];
    const broken = { ...first, "0002-broken": statements };
    await expect(migrateDatabase(db, broken)).rejects.toMatchObject({
      code: "migration_failed",
      message: expect.stringContaining("(0002-broken)"),
    });
    await migrateDatabase(db, second);
  });

  it("that removes what a version needs makes that version refuse the database", async () => {
    const db = await open({
      ...second,
      "0003-contract-0002-turns": ["drop table turns"],
    });
    await migrateDatabase(db, second);
    await expect(migrateDatabase(db, first)).rejects.toMatchObject({ code: "database_version" });
  });
});

describe("a migration that a version does not know", () => {
  const known = ["0001-tables", "0027-replicas"];
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

it("every migration says by its name whether it removes anything", () => {
  const names = Object.keys(schema.migrations);
  expect(names[0]).toBe(FIRST_MIGRATION);
  for (const name of names) expect(isCompatible(name, names), name).toBe(true);
});
