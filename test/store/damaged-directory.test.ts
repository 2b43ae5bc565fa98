import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyOf, isRecorded, newDirectory, openDirectory, recordedDirectory } from "./data-directory.ts";

const whole = await recordedDirectory();

/** What the lock, and a PostgreSQL that is started, make for themselves; it holds no data. */
const OF_A_START = /lock\.sqlite|postmaster\.pid|pg_internal\.init/;

/** Every file with its size. */
const filesOf = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => !OF_A_START.test(name))
    .map((name) => `${name} ${lstatSync(join(directory, name)).size}`)
    .sort();

/** Damages a data directory; returns the one to open, where it is another. */
type Damage = (directory: string) => string | undefined;

const remove =
  (...names: readonly string[]): Damage =>
  (directory) => {
    for (const name of names) rmSync(join(directory, name), { recursive: true });
    return undefined;
  };

/** Damages the files of a data directory that `find` names. */
const spoil =
  (find: (directory: string) => readonly string[], change: (path: string) => void): Damage =>
  (directory) => {
    for (const path of find(directory)) change(path);
    return undefined;
  };

const named =
  (...names: readonly string[]) =>
  (directory: string): readonly string[] =>
    names.map((name) => join(directory, name));

const logFiles = (directory: string): readonly string[] =>
  readdirSync(join(directory, "pg", "pg_wal"))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => join(directory, "pg", "pg_wal", name));

const DAMAGES: readonly (readonly [name: string, code: string, message: RegExp, damage: Damage])[] = [
  ["lost its database", "database_damaged", /it lacks pg; it holds .*pg\.complete/, remove("pg")],
  [
    "lost its database and the mark, and was left by a process that was killed",
    "database_damaged",
    /it lacks pg; it holds lock\.sqlite, running\.json/,
    (directory) => {
      remove("pg", "pg.complete")(directory);
      writeFileSync(join(directory, "running.json"), "{}");
      return undefined;
    },
  ],
  [
    "lost all but the lock",
    "database_damaged",
    /it lacks pg; it holds lock\.sqlite$/,
    remove("pg", "pg.complete"),
  ],
  ["lost the version", "database_damaged", /it lacks pg\/PG_VERSION/, remove("pg/PG_VERSION")],
  ["lost the control file", "database_damaged", /global\/pg_control/, remove("pg/global/pg_control")],
  [
    "has an empty control file",
    "database_damaged",
    /could not read file "global\/pg_control"/,
    spoil(named("pg/global/pg_control"), (path) => truncateSync(path)),
  ],
  [
    "was copied without its empty directories",
    "database_damaged",
    /it lacks pg\/pg_notify, pg\/pg_tblspc/,
    spoil(named("pg/pg_notify", "pg/pg_tblspc"), rmdirSync),
  ],
  ["lost its tables", "database_damaged", /it lacks pg\/base/, remove("pg/base")],
  [
    "lost what was committed",
    "database_damaged",
    /could not access status of transaction/,
    remove("pg/pg_xact/0000"),
  ],
  [
    "lost its log",
    "database_damaged",
    /could not locate a valid checkpoint record/,
    spoil(logFiles, (path) => rmSync(path)),
  ],
  [
    "has a log that is cut off",
    "database_damaged",
    /could not locate a valid checkpoint record/,
    spoil(logFiles, (path) => truncateSync(path, 100)),
  ],
  [
    "was made with another PostgreSQL",
    "database_version",
    /PG_VERSION says "17", .* version 18/,
    spoil(named("pg/PG_VERSION"), (path) => writeFileSync(path, "17\n")),
  ],
  [
    "holds other files",
    "data_directory_unusable",
    /holds no database, but other files: diary\.txt/,
    () => {
      const other = newDirectory();
      writeFileSync(join(other, "diary.txt"), "");
      return other;
    },
  ],
  [
    "is the database itself",
    "data_directory_unusable",
    /holds no database, but other files/,
    (directory) => join(directory, "pg"),
  ],
  [
    "is a file",
    "data_directory_unusable",
    /is a file, not a directory/,
    (directory) => join(directory, "pg.complete"),
  ],
  [
    "is a link that leads nowhere",
    "data_directory_unusable",
    /is a link that leads nowhere/,
    (directory) => {
      symlinkSync(join(directory, "gone"), join(directory, "link"));
      return join(directory, "link");
    },
  ],
  [
    "has a lock with other content",
    "data_directory_unusable",
    /the lock file .*lock\.sqlite cannot be used/,
    spoil(named("lock.sqlite"), (path) => writeFileSync(path, "12345 another host\n".repeat(100))),
  ],
];

it.each(DAMAGES)(
  "a data directory that %s is refused and stays as it is",
  async (...[, code, message, damage]) => {
    const copy = copyOf(whole);
    const directory = damage(copy) ?? copy;
    const before = filesOf(copy);
    await expect(openDirectory(directory)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/TOLLGATE_DATA|lock|Tollgate that made/),
    });
    expect(filesOf(copy)).toEqual(before);
  },
);

describe("a data directory with its database is opened", () => {
  it("under another name", async () => {
    const moved = join(newDirectory(), "moved");
    renameSync(copyOf(whole), moved);
    expect(await isRecorded(moved)).toBe(true);
  });

  it("through a link", async () => {
    const link = join(newDirectory(), "link");
    symlinkSync(copyOf(whole), link);
    expect(await isRecorded(link)).toBe(true);
  });

  it("without the mark and the lock, which are there again then", async () => {
    const copy = copyOf(whole);
    remove("pg.complete", "lock.sqlite")(copy);
    expect(await isRecorded(copy)).toBe(true);
    expect(readdirSync(copy).sort()).toEqual(["lock.sqlite", "pg", "pg.complete"]);
  });
});

it.each([
  ["is missing", (directory: string) => join(directory, "a", "b")],
  [
    "holds a .env file and what a file system keeps",
    (directory: string) => {
      writeFileSync(join(directory, ".env"), "");
      mkdirSync(join(directory, "lost+found"));
      return directory;
    },
  ],
])("a database is begun in a data directory that %s", async (_name, prepare) => {
  const store = await openDirectory(prepare(newDirectory()));
  expect(await store.db.selectFrom("lanes").selectAll().execute()).toEqual([]);
  await store.close();
});
