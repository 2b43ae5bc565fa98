import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { removeProcess, saveHeartbeat } from "../../../src/store/replicas/turns.ts";
import { engines } from "../../world/engines.ts";

const MAX_AGE_MS = 20_000;
const SECOND = 1_000;

it.each(engines())("on $name a process counts until its heartbeat is too old", async ({ open }) => {
  const { db, close } = await open();
  onTestFinished(close);
  const beats = (id: string) => saveHeartbeat(db, id, MAX_AGE_MS);
  /** So much time passes; negative: the database's clock is set back. */
  const passes = (ms: number) =>
    sql`update processes set seen_at = seen_at - ${ms}::float8 * interval '1 millisecond'`.execute(db);
  expect([await beats("a"), await beats("a"), await beats("b"), await beats("a")]).toEqual([1, 1, 2, 2]);
  await passes(19 * SECOND);
  expect(await beats("a")).toBe(2);
  await passes(2 * SECOND);
  expect(await beats("a")).toBe(1); // `b` was killed
  expect(await beats("b")).toBe(2);
  await passes(-3_600 * SECOND);
  expect(await beats("a")).toBe(1); // until `b` beats again
  expect(await beats("b")).toBe(2);
  await removeProcess(db, "b");
  expect(await beats("a")).toBe(1);
});
