import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PGlite } from "@electric-sql/pglite";
import { expect, it, onTestFinished, vi } from "vitest";
import { lockDirectory } from "../../src/store/directory/lock.ts";
import { openStore } from "../../src/store/open.ts";
import { schema } from "../../src/wiring/database/schema.ts";

const LOCK_MODULE = join(import.meta.dirname, "../../src/store/directory/lock.ts");

/** Another process that takes the lock and says so. */
async function holder(directory: string) {
  const script = join(mkdtempSync(join(tmpdir(), "tollgate-holder-")), "hold.mjs");
  writeFileSync(
    script,
    `const { lockDirectory } = await import(${JSON.stringify(LOCK_MODULE)});
     lockDirectory(${JSON.stringify(directory)});
     process.send("locked");
     setInterval(() => {}, 1000);`,
  );
  const child = fork(script);
  await once(child, "message");
  return child;
}

it("a data directory belongs to one process, until that process ends in whatever way", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tollgate data "));
  const other = await holder(directory);
  expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ code: "data_directory_in_use" }));
  other.kill("SIGKILL");
  await once(other, "exit");
  const lock = lockDirectory(directory);
  lock.markUsed();
  expect(() => lockDirectory(directory)).toThrow(/used by another Tollgate/);
  lock.release();
  lockDirectory(directory).release();
});

it("a database is closed again when its directory's lock cannot be written", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tollgate data "));
  const close = vi.spyOn(PGlite.prototype, "close");
  onTestFinished(() => close.mockRestore());
  const { exec } = DatabaseSync.prototype;
  const full = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (
    this: DatabaseSync,
    text,
  ) {
    if (text.includes("user_version")) throw new Error("database or disk is full");
    exec.call(this, text);
  });
  onTestFinished(() => full.mockRestore());
  await expect(openStore({ kind: "directory", directory }, schema, () => {})).rejects.toMatchObject({
    code: "data_directory_unusable",
  });
  expect(close).toHaveBeenCalledTimes(1);
});
