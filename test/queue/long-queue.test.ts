import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import { expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { boundWaits } from "../../src/queue/bounded-waits.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { engines } from "../world/engines.ts";

const QUEUED = 20_000;
const CHUNK = 2_000;
const WAITING = 2_000;
const COMPLETED = 40_000;

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

it.each(engines())(
  "on $name a delivery is accepted with the same one statement and plan behind 20,000 queued jobs as behind none",
  { timeout: 180_000 },
  async ({ open }) => {
    const store = await open();
    const boss = await openBoss(store, { warn: () => {}, error: () => {} });
    const queue = createQueue(boss, systemClock);
    const accept = () => queue.acceptDelivery(randomUUID(), { n: 1 });
    const seen = async () => {
      const [statement, ...more] = await statementsOf(boss, accept);
      if (statement === undefined) throw new Error("nothing was asked");
      return { text: statement.text, more, plan: await planOf(boss, statement) };
    };
    await accept();
    const behindNone = await seen();
    for (let first = 0; first < QUEUED; first += CHUNK) {
      const numbers = Array.from({ length: CHUNK }, (_, index) => first + index);
      await boss.insert(
        "delivery",
        numbers.map((n) => ({ data: { n } })),
      );
      await boss.insert(
        "lane",
        numbers.map((n) => ({ data: { lane: `pull:1:${n}` }, singletonKey: `pull:1:${n}` })),
      );
    }
    const behindMany = await seen();
    expect(behindMany.more).toEqual([]);
    expect(behindMany.text).toBe(behindNone.text);
    expect(behindMany.plan).toBe(behindNone.plan);
    await queue.stop();
    await store.close();
  },
);

it.each(engines())(
  "on $name the job of a lane is found by an index among thousands that wait, and those that wait by one among all that are completed",
  { timeout: 180_000 },
  async ({ name, open }) => {
    const store = await open();
    const boss = await openBoss(store, { warn: () => {}, error: () => {} });
    const queue = createQueue(boss, systemClock);
    const LATER = Date.now() + 3_600_000;
    await queue.setAlarm("pull:1:1", LATER);
    await queue.enqueue("pull:1:1", 60_000);
    for (const [name, state, jobs] of [
      ["alarm", "created", WAITING],
      ["lane", "created", WAITING],
      ["delivery", "completed", COMPLETED],
    ] as const)
      await boss
        .getDb()
        .executeSql(`insert into queue.job (id, name, state, policy, singleton_key, group_id, data, start_after)
        select gen_random_uuid(), '${name}', '${state}', queue.policy, 'filled:' || n, 'filled:' || n, '{"waitSeconds": 3600}', now() + interval '1 hour'
        from generate_series(1, ${jobs}) as n, queue.queue where queue.name = '${name}'`);
    await boss.getDb().executeSql("analyze queue.job_common");
    // On PostgreSQL, pg-boss takes a connection of its own for what names a lane: only the embedded database shows those statements.
    const named = await statementsOf(boss, async () => {
      await queue.setAlarm("pull:1:1", LATER);
      await queue.enqueue("pull:1:1", 60_000);
    });
    expect(named.length).toBeGreaterThanOrEqual(name === "embedded" ? 2 : 0);
    for (const statement of named)
      expect(await planOf(boss, statement)).toMatch(/job_unfinished.*Index Cond: [^"]*singleton_key/);
    const bounds = await statementsOf(boss, () => boundWaits(boss));
    expect(bounds).toHaveLength(3);
    for (const statement of bounds) expect(await planOf(boss, statement)).toContain("on job_unfinished");
    await boss.stop({ graceful: false });
    await store.close();
  },
);
