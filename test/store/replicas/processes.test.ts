import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { forgetProcess, saveProcess } from "../../../src/store/replicas/processes.ts";
import { engines } from "../../world/engines.ts";

const LIFE_MS = 20_000;
const SECOND = 1_000;

it.each(engines())("on $name a process counts while it says that it lives", async ({ open }) => {
  const { db, close } = await open();
  onTestFinished(close);
  const says = (id: string) => saveProcess(db, id, LIFE_MS);
  /** So much time passes; negative: the database's clock is set back. */
  const passes = (ms: number) =>
    sql`update processes set seen_at = seen_at - ${ms}::float8 * interval '1 millisecond'`.execute(db);
  expect([await says("a"), await says("a"), await says("b"), await says("a")]).toEqual([1, 1, 2, 2]);
  await passes(19 * SECOND);
  expect(await says("a")).toBe(2);
  await passes(2 * SECOND);
  expect(await says("a")).toBe(1); // `b` was killed
  expect(await says("b")).toBe(2);
  await passes(-3_600 * SECOND);
  expect(await says("a")).toBe(1); // until `b` says so again
  expect(await says("b")).toBe(2);
  await forgetProcess(db, "b");
  expect(await says("a")).toBe(1);
});
