import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { openEmbedded } from "../world/engines.ts";

/** Jobs of each queue and state that the queue is filled with. */
const FILLED = [
  ["delivery", "created", 20_000],
  ["delivery", "completed", 40_000],
  ["lane", "created", 2_000],
  ["alarm", "created", 2_000],
] as const;

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What the queue asks the database for `work`, and not what pg-boss asks meanwhile by its own timers. */
async function statementsOf(boss: PgBoss, work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const db = boss.getDb();
  const ask = db.executeSql.bind(db);
  const asked: Statement[] = [];
  const asking = new AsyncLocalStorage<true>();
  db.executeSql = (text, values) => {
    if (asking.getStore()) asked.push({ text, values: values ?? [] });
    return ask(text, values);
  };
  await asking.run(true, work);
  db.executeSql = ask;
  return asked;
}

/** How the database would carry it out: its steps and the indexes they use, without estimates. */
async function planOf(boss: PgBoss, { text, values }: Statement): Promise<string> {
  const literals = values.map((value) => `'${String(value).replaceAll("'", "''")}'`);
  const filled = text.replaceAll(/\$(\d+)/g, (_, place) => literals[Number(place) - 1] ?? "null");
  const { rows } = await boss.getDb().executeSql(`explain (costs off) ${filled}`);
  return JSON.stringify(rows).replaceAll(randomText(values), "…");
}

/** Ids differ from one delivery to the next. */
const randomText = (values: readonly unknown[]): string =>
  /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(JSON.stringify(values))?.[0] ?? "none";

it("behind thousands of jobs a delivery is accepted by the same plan as behind none", async () => {
  const store = await openEmbedded();
  const boss = await openBoss(store, { warn: () => {}, error: () => {} });
  onTestFinished(async () => {
    await boss.stop({ graceful: false });
    await store.close();
  });
  const queue = createQueue(boss, systemClock);
  const planAcceptance = async () => {
    const [statement] = await statementsOf(boss, () => queue.acceptDelivery(randomUUID(), { n: 1 }));
    if (statement === undefined) throw new Error("nothing was asked");
    return planOf(boss, statement);
  };
  await queue.acceptDelivery(randomUUID(), { n: 1 }); // pg-boss asks for its queue once
  const behindNone = await planAcceptance();
  for (const [name, state, jobs] of FILLED)
    await boss
      .getDb()
      .executeSql(`insert into queue.job (id, name, state, policy, singleton_key, group_id, data, start_after)
        select gen_random_uuid(), '${name}', '${state}', queue.policy, 'filled:' || n, 'filled:' || n, '{"waitSeconds": 3600}', now() + interval '1 hour'
        from generate_series(1, ${jobs}) as n, queue.queue where queue.name = '${name}'`);
  await boss.getDb().executeSql("analyze queue.job_common");
  expect(await planAcceptance()).toEqual(behindNone);
});
