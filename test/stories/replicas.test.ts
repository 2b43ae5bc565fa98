import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { type RunningBot, startBot } from "../../src/wiring/start.ts";
import { CHEAP, STRICT } from "../world/costs.ts";
import { freshPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { createWorld, type World } from "../world/world.ts";

const server = inject("postgresUrl");

/** What each process may have; fewer than it wants. */
const CONNECTIONS = 6;
const SPACING_MS = 300;
const PULLS = 4;

/** Counts the connections to a database again and again, without its own. */
async function countsConnections(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let [most, isDone] = [0, false];
  const counting = (async () => {
    while (!isDone) {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n, pg_sleep(0.02) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      most = Math.max(most, rows[0]?.n ?? 0);
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

describe.runIf(server)("two replicas and a worker on one PostgreSQL", () => {
  let world: World;
  let others: readonly RunningBot[] = [];
  beforeAll(async () => {
    const settings = {
      databaseConnections: CONNECTIONS,
      githubWriteSpacingMs: SPACING_MS,
      githubBatch: false, // each check is a request of its own
    };
    world = await createWorld({ policy: STRICT, databaseUrl: await freshPostgres(server ?? ""), settings });
    const log = pino({ level: "silent" });
    others = [
      await startBot({ ...world.settings, port: await findFreePort() }, { log }),
      await startBot({ ...world.settings, port: await findFreePort() }, { log, role: "worker" }),
    ];
  });
  afterAll(async () => {
    for (const bot of others) await bot.stop();
    await world.ends();
  });

  /** Pull requests whose plans end at the same time. */
  async function plansTogether(before: () => void = () => {}) {
    const pulls = Array.from({ length: PULLS }, () => world.opensPullRequest());
    await world.settles();
    world.github.requests.clear();
    before();
    await Promise.all(pulls.map(({ headSha: sha }) => world.ci.runs({ sha, cost: CHEAP, changes: [] })));
    return pulls;
  }
  const listWrites = () =>
    world.github.requests
      .list()
      .filter(({ method, path }) => method !== "GET" && /check-runs|comments/.test(path));

  it("make one check, one comment and one chain of decisions, write no more often than one, and keep to their connections", async () => {
    const counted = await countsConnections(world.settings.databaseUrl ?? "");
    const pulls = await plansTogether();
    await world.settles();
    expect(pulls.map((pull) => world.gate(pull))).toEqual(pulls.map(() => "success"));
    for (const pull of pulls) expect(world.comments(pull)).toHaveLength(1);
    const most = await counted.most();
    expect(most).toBeGreaterThan(others.length);
    expect(most).toBeLessThanOrEqual(CONNECTIONS * (others.length + 1));
    const { db } = world.bot.session.store;
    const decisions = await db.selectFrom("decisions").select("seq").orderBy("seq").execute();
    expect(decisions.map(({ seq }) => seq)).toEqual(decisions.map((_, index) => index + 1));
    const times = listWrites().map(({ at }) => at);
    expect(times.length).toBeGreaterThanOrEqual(2 * PULLS);
    const [first = 0, last = 0] = [times.at(0), times.at(-1)];
    // A write may start late, and none of the later ones earlier for it: one distance is left for the lateness of both ends.
    expect(last - first).toBeGreaterThan((times.length - 2) * SPACING_MS);
  });

  it("all pause when GitHub limits one of them, and write every check after it", async () => {
    const retryAfter = 3;
    const limit = { kind: "secondary-limit", retryAfter, match: { path: /check-runs/ } } as const;
    const pulls = await plansTogether(() => world.github.faults.add(limit));
    await eventually(() => expect(pulls.map((pull) => world.gate(pull))).toEqual(pulls.map(() => "success")));
    const limited = world.github.requests.list().filter(({ status }) => status === 403 || status === 429);
    expect(limited).toHaveLength(1);
    const limitedAt = limited[0]?.at ?? 0;
    const during = listWrites().filter(({ at }) => at > limitedAt && at < limitedAt + retryAfter * 900);
    expect(during).toEqual([]);
  });
});
