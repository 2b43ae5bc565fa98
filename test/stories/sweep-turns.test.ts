import type { TimerOptions } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "../world/eventually.ts";
import { createWorld, type World } from "../world/world.ts";

/** A process asks for the sweep's turn every ten seconds, here every 100 ms. */
vi.mock(import("node:timers/promises"), async (original) => {
  const timers = await original();
  const soon = <T>(ms?: number, value?: T, options?: TimerOptions) =>
    timers.setTimeout(ms === undefined ? ms : ms / 100, value, options);
  return { ...timers, setTimeout: soon };
});

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.ends());

const db = () => world.bot.session.store.db;
const begun = async () =>
  (await db().selectFrom("turns").select("begun").where("work", "=", "sweep").executeTakeFirstOrThrow())
    .begun;
const sets = (times: { began_at?: Date; free_at?: Date }) =>
  db().updateTable("turns").set(times).where("work", "=", "sweep").execute();

test("a process sweeps once at its start, and again when the time has come", async () => {
  const longAgo = new Date(0);
  // As when the database answered late: the sweep seems to have begun before the process.
  await sets({ began_at: longAgo });
  await sleep(50_000);
  expect(await begun()).toBe(1);
  await sets({ free_at: longAgo });
  await eventually(async () => expect(await begun()).toBe(2), 5_000);
});
