import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { expect, inject, it } from "vitest";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { startBot } from "../../src/wiring/start.ts";
import { freshPostgres } from "../world/engines.ts";
import { createWorld } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const COST = { before: "10", after: "25", change: "15" };
const server = inject("postgresUrl");

/** What each process may have; fewer than it wants. */
const CONNECTIONS = 6;

/** Counts the connections to a database every few milliseconds, without its own. */
async function countsConnections(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let [most, isDone] = [0, false];
  const counting = (async () => {
    while (!isDone) {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      most = Math.max(most, rows[0]?.n ?? 0);
      await sleep(20);
    }
  })();
  return {
    most: async (): Promise<number> => {
      isDone = true;
      await counting;
      await client.end();
      return most;
    },
  };
}

it.runIf(server)(
  "several replicas and workers on one PostgreSQL make one check and one comment each",
  { timeout: 90_000 },
  async () => {
    const databaseUrl = await freshPostgres(server ?? "");
    const settings = { databaseConnections: CONNECTIONS };
    const world = await createWorld({ policy: POLICY, databaseUrl, settings });
    const log = pino({ level: "silent" });
    const others = [
      await startBot({ ...world.settings, port: await findFreePort() }, { log }),
      await startBot({ ...world.settings, port: await findFreePort() }, { log, role: "worker" }),
    ];
    const counted = await countsConnections(databaseUrl);
    const pulls = Array.from({ length: 8 }, () => world.opensPullRequest());
    await Promise.all(
      pulls.map(({ headSha }) => world.ci.runs({ sha: headSha, cost: COST, changes: [], bind: "status" })),
    );
    await world.settles();
    for (const pull of pulls) {
      expect(world.gate(pull)).toBe("success");
      expect(world.comments(pull)).toHaveLength(1);
    }
    const most = await counted.most();
    expect(most).toBeGreaterThan(others.length);
    expect(most).toBeLessThanOrEqual(CONNECTIONS * (others.length + 1));
    const decisions = await world.bot.session.store.db
      .selectFrom("decisions")
      .select("seq")
      .orderBy("seq")
      .execute();
    expect(decisions.map(({ seq }) => seq)).toEqual(decisions.map((_, index) => index + 1));
    for (const bot of others) await bot.stop();
    await world.ends();
  },
);
