import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { enterLane, lastEntered } from "../../src/store/lanes.ts";
import { openStore } from "../../src/store/open.ts";
import { engines } from "../world/engines.ts";

describe.each(engines())("a store on $name", ({ open }) => {
  it("has its tables and reads a 64-bit integer as a number", async () => {
    const store = await open();
    const head = await store.db.selectFrom("decision_head").selectAll().executeTakeFirstOrThrow();
    expect(head).toEqual({ id: 1, seq: 0, hash: "0".repeat(64) });
    await store.close();
  });
});

it("a data directory that was left half-filled by a process that died is filled anew, a complete one is kept", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tollgate half "));
  mkdirSync(join(directory, "pg"));
  writeFileSync(join(directory, "pg", "PG_VERSION"), "18\n");
  const fail = (error: Error): never => {
    throw error;
  };
  const first = await openStore({ kind: "directory", directory }, fail);
  await enterLane(first.db, "pull:1:1", new Date());
  await first.close();
  const again = await openStore({ kind: "directory", directory }, fail);
  expect(await lastEntered(again.db, "pull:1:1")).not.toBeNull();
  await again.close();
});
