import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, expect, inject, it } from "vitest";
import { readSettings } from "../../src/settings/read.ts";
import { findLastEntry } from "../../src/store/database/lanes.ts";
import type { Store, StoreLocation } from "../../src/store/open.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { createLog } from "../../src/wiring/process/log.ts";
import { openSession } from "../../src/wiring/process/store-session.ts";
import { freshPostgres } from "../world/engines.ts";
import { copyOf, newDirectory, openDirectory, recordDecisions } from "./data-directory.ts";

const server = inject("postgresUrl");
const embedded = async (): Promise<StoreLocation> => ({ kind: "directory", directory: newDirectory() });
const places = [{ name: "embedded", place: embedded }];
if (server !== null)
  places.push({
    name: "postgres",
    place: async () => ({ kind: "postgres", url: await freshPostgres(server), maxConnections: 2 }),
  });
/** What the statements find is the same on both engines; a database is copied faster than a directory is begun. */
const usual = inject("isDeep") ? places : places.slice(-1);

const open = (location: StoreLocation): Promise<Store> =>
  openDatabase(location, (error) => {
    throw error;
  });

const FINAL = "alter table decisions disable trigger decisions_append_only";

const LOST: readonly [string, readonly string[], RegExp][] = [
  [
    "has no list of migrations",
    ["drop table tollgate_migrations"],
    /evaluations is there, and tollgate_migrations does not say/,
  ],
  [
    "has an empty list of migrations",
    ["delete from tollgate_migrations"],
    /tollgate_migrations does not say/,
  ],
  ["lost its decisions", ["drop table decisions"], /decisions is missing, and tollgate_migrations says/],
  [
    "lost the newest decision",
    [FINAL, "delete from decisions where seq = 3"],
    /2 decisions are there, and decision_head counts 3/,
  ],
  ["lost a decision", [FINAL, "delete from decisions where seq = 2"], /decision 2 of 3 is missing/],
  [
    "lost all decisions",
    [FINAL, "delete from decisions"],
    /0 decisions are there, and decision_head counts 3/,
  ],
  [
    "lost the head of the chain",
    ["delete from decision_head"],
    /decision_head, which names the newest decision, is empty/,
  ],
  [
    "has the head of another chain",
    ["update decision_head set seq = 0, hash = repeat('0', 64)"],
    /3 decisions are there, and decision_head counts 0/,
  ],
  [
    "has a decision that was changed",
    [FINAL, "update decisions set record = replace(record, 'pass', 'warn') where seq = 2"],
    /decision 2 was changed/,
  ],
  [
    "has a decision with another hash",
    [FINAL, "update decisions set hash = repeat('1', 64) where seq = 2"],
    /decision 3 of 3 is missing or does not follow/,
  ],
];

it.each(places)(
  "a database on $name that lost a decision is refused; with all three it is opened again",
  async ({ place }) => {
    const location = await place();
    const first = await open(location);
    await recordDecisions(first);
    await first.close();
    const again = await open(location);
    expect(await again.db.selectFrom("decisions").select("seq").orderBy("seq").execute()).toHaveLength(3);
    for (const statement of [FINAL, "delete from decisions where seq = 2"])
      await sql.raw(statement).execute(again.db);
    await again.close();
    await expect(open(location)).rejects.toMatchObject({ code: "database_damaged" });
  },
);

it.each(usual.flatMap(({ name, place }) => LOST.map((row) => [...row, name, place] as const)))(
  "a database that %s is refused and stays as it is",
  async (...[, statements, message, , place]) => {
    const location = await place();
    const store = await open(location);
    await recordDecisions(store);
    for (const statement of statements) await sql.raw(statement).execute(store.db);
    await store.close();
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(open(location)).rejects.toMatchObject({
        code: "database_damaged",
        message: expect.stringMatching(message),
        hint: expect.stringContaining("docs/operations/backup.md"),
      });
  },
);

it.each(usual)(
  "a database that a newer version wrote and reduced is refused with what it does not know, on $name",
  async ({ place }) => {
    const location = await place();
    const store = await open(location);
    await sql`insert into tollgate_migrations (name, executed_at) values ('9999-contract-9998-later', '2030-01-01')`.execute(
      store.db,
    );
    await store.close();
    await expect(open(location)).rejects.toMatchObject({
      code: "database_version",
      message: expect.stringContaining("9999-contract-9998-later"),
      hint: expect.stringContaining("docs/operations/backup.md"),
    });
  },
);

/** A closed directory with decisions, and the files of some of its tables. */
let whole: string;
const files = new Map<string, string>();
beforeAll(async () => {
  whole = newDirectory();
  const store = await openDirectory(whole);
  await recordDecisions(store);
  for (const table of ["decisions", "decision_head", "tollgate_migrations", "lanes"]) {
    const { rows } = await sql<{ path: string }>`select pg_relation_filepath(${table}) as path`.execute(
      store.db,
    );
    files.set(table, join("pg", rows[0]?.path ?? ""));
  }
  await store.close();
});

/** A copy of the directory with one file damaged. */
function damaged(table: string, damage: (path: string) => void): string {
  const directory = copyOf(whole);
  damage(join(directory, files.get(table) ?? ""));
  return directory;
}

const blank = (path: string): void => writeFileSync(path, Buffer.alloc(readFileSync(path).length));
const scribble = (path: string): void => writeFileSync(path, Buffer.alloc(readFileSync(path).length, 0x5a));

it.each([
  ["decisions", "cut off", truncateSync],
  ["decision_head", "blank", blank],
  ["tollgate_migrations", "cut off", truncateSync],
] as const)("a data directory whose file of %s is %s is refused", async (table, _how, damage) => {
  await expect(openDirectory(damaged(table, damage))).rejects.toMatchObject({ code: "database_damaged" });
});

it("a table that turns out to be unreadable later is a coded error, and the store remembers it", async () => {
  const directory = damaged("lanes", scribble);
  const reported: unknown[] = [];
  const store = await openDatabase({ kind: "directory", directory }, () => {}, {
    onDamage: (damage) => reported.push(damage.code),
  });
  expect(store.damage.seen).toBeNull();
  const unreadable = {
    code: "database_damaged",
    message: expect.stringContaining("invalid page in block 0"),
  };
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(findLastEntry(store.db, "pull:1:1")).rejects.toMatchObject(unreadable);
  await expect(store.db.selectFrom("lanes").selectAll().execute()).rejects.toMatchObject(unreadable);
  expect(store.damage.seen).toMatchObject(unreadable);
  expect(reported).toEqual(["database_damaged"]);
  await store.close();
});

it("a session whose database is damaged says so to health, and in the log once", async () => {
  const directory = damaged("lanes", scribble);
  const lines: string[] = [];
  const log = createLog("error", { destination: { write: (line) => lines.push(line) } });
  const session = await openSession(readSettings({ TOLLGATE_DATA: directory }), log);
  expect(await session.findFault()).toBeNull();
  for (let attempt = 0; attempt < 3; attempt++)
    await findLastEntry(session.store.db, "pull:1:1").catch((error: unknown) => error);
  expect(await session.findFault()).toBe("it is damaged");
  expect(lines.filter((line) => line.includes("database_damaged"))).toHaveLength(1);
  expect(lines.join()).toContain("docs/operations/backup.md");
  await session.close();
});
