import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { type RunningBot, startBot } from "../../src/wiring/start.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { emptyPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { hasPgBouncer, type RunningPgBouncer, startPgBouncer } from "../world/pgbouncer.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;
/** Fewer than one process asks for, so that transactions of several clients take turns on each. */
const SERVER_CONNECTIONS = 4;
const server = inject("postgresUrl");

describe.runIf(server !== null && hasPgBouncer())("behind PgBouncer in transaction mode", () => {
  let direct: string;
  let proxy: RunningPgBouncer;
  let world: World;
  let other: RunningBot;
  const logged: string[] = [];

  beforeAll(async () => {
    direct = await emptyPostgres(server ?? "");
    proxy = await startPgBouncer(direct, SERVER_CONNECTIONS);
    const log = pino({ level: "warn" }, { write: (line: string) => logged.push(line) });
    world = await createWorld({ policy: POLICY, databaseUrl: proxy.url, log });
    const settings = { ...world.settings, databaseListenUrl: direct, port: await findFreePort() };
    other = await startBot(settings, { log });
  }, 60_000);
  afterAll(async () => {
    await other.stop();
    await world.ends();
    proxy.stop();
  });

  it("two replicas bring an empty database up to date, and evaluate pull requests", {
    timeout: 60_000,
  }, async () => {
    const pulls = Array.from({ length: 6 }, (_, index) => ({
      ...world.opensPullRequest({ branch: `change-${index}` }),
      cost: index % 2 === 0 ? CHEAP : EXPENSIVE,
    }));
    await Promise.all(pulls.map(({ headSha: sha, cost }) => world.ci.runs({ sha, cost, changes: [] })));
    await world.settles();
    expect(pulls.map((pull) => world.gate(pull))).toEqual(
      pulls.map(({ cost }) => (cost === CHEAP ? "success" : "failure")),
    );
    for (const pull of pulls) expect(world.comments(pull)).toHaveLength(1);
  });

  it("a process without a direct address says that it cannot listen, one with an address listens", () => {
    const warnings = logged.filter((line) => line.includes("DATABASE_LISTEN_URL"));
    expect(warnings).toHaveLength(2); // of one process: the queue's, and that of changes
    const { engine } = other.session.store;
    expect(engine.kind === "postgres" && engine.listener.isListening()).toBe(true);
  });

  it("no lock and no setting stays behind on a connection that the proxy shares", async () => {
    const client = new pg.Client({ connectionString: direct });
    await client.connect();
    const listLocks = async () => {
      const { rows } =
        await client.query(`select pg_locks.* from pg_locks join pg_database on pg_database.oid = database
        where locktype = 'advisory' and datname = current_database()`);
      return rows;
    };
    await eventually(async () => expect(await listLocks()).toEqual([])); // a transaction that is under way may have one
    await client.end();
    await world.restarts();
    await world.settles();
  });
});
