import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { boundWaits, createSteadyClock } from "../../src/queue/bounded-waits.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { engines } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";

const MINUTES = 60_000;

it.each(engines())(
  "on $name no job waits longer than its pause after the clock is set back by hours",
  async ({ open }) => {
    const store = await open();
    const boss = await openBoss(store, { warn: () => {}, error: () => {} });
    const queue = createQueue(boss, systemClock);
    await queue.acceptDelivery(randomUUID(), { n: 1 });
    await queue.enqueueComment("pull:1:1");
    await queue.enqueue("pull:1:1", 30_000);
    await queue.setAlarm("pull:1:1", Date.now() + 10 * MINUTES);
    await queue.setAlarm("pull:1:1", Date.now() + 20 * MINUTES);
    // To the database it makes no difference whether its clock goes back or everything that it wrote goes forth.
    await sql`update queue.job set created_on = created_on + interval '5 hours', start_after = start_after + interval '5 hours'`.execute(
      store.db,
    );
    await boundWaits(boss);
    const { rows } = await sql<{ name: string; seconds: number }>`
      select name, round(extract(epoch from start_after - now()) / 10)::int * 10 as seconds from queue.job order by name`.execute(
      store.db,
    );
    expect(rows).toEqual([
      { name: "alarm", seconds: 1_200 },
      { name: "comment", seconds: 0 },
      { name: "delivery", seconds: 0 },
      { name: "lane", seconds: 30 },
    ]);
    const seen: number[] = [];
    await queue.workDeliveries(async (event) => void seen.push(z.object({ n: z.number() }).parse(event).n));
    await eventually(() => expect(seen).toEqual([1]));
    await queue.stop();
    await store.close();
  },
);

it("the queue's clock is monotonic while the machine's clock is set", () => {
  const machine = { setMs: 0, passedMs: 0 };
  const clock = createSteadyClock({
    now: () => 1_000_000 + machine.setMs + machine.passedMs,
    monotonicMs: () => machine.passedMs,
  });
  expect(clock.now()).toBe(1_000_000);
  machine.setMs = -5 * 3_600_000;
  machine.passedMs += 500;
  expect(clock.now()).toBe(1_000_500);
});
