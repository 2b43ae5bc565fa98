import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { reserveWrite } from "../src/store/replicas/shared-installations.ts";
import { openDatabase } from "../src/wiring/database/schema.ts";
import { findFreePort } from "../src/wiring/process/free-port.ts";
import { type RunningBot, startBot } from "../src/wiring/start.ts";
import { CHEAP } from "../test/world/costs.ts";
import { emptyPostgres } from "../test/world/engines.ts";
import { createWorld, type World } from "../test/world/world.ts";
import { type Figure, median, ms, quantile } from "./figures.ts";
import { startPostgres } from "./postgres.ts";

const SPACING_MS = 1_000;
const PULLS = 6;
const STATEMENTS = 500;
const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;

/** What the agreement on the start of a write costs, and how often replicas write together that share one installation. */
export async function replicas(): Promise<readonly Figure[]> {
  const postgres = await startPostgres();
  if (postgres === null) return [];
  const figures = [await reservation(postgres.url)];
  for (const count of [2, 4]) figures.push(await writes(postgres.url, count));
  await postgres.stop();
  return figures;
}

async function reservation(server: string): Promise<Figure> {
  const store = await openDatabase({ kind: "postgres", url: await emptyPostgres(server) }, () => {});
  const times: Record<"ours" | "floor", number[]> = { ours: [], floor: [] };
  const time = async (into: number[], work: () => Promise<unknown>): Promise<void> => {
    const began = performance.now();
    await work();
    into.push(performance.now() - began);
  };
  for (let index = 0; index < STATEMENTS; index++) {
    await time(times.ours, () =>
      reserveWrite(store.db, { installationId: index % 10, spacingMs: SPACING_MS, isUrgent: true }),
    );
    await time(times.floor, () => sql`select 1`.execute(store.db));
  }
  await store.close();
  return {
    what: "start of a write agreed on in PostgreSQL, median",
    value: `${ms(median(times.ours))} (p95 ${ms(quantile(times.ours, 0.95))})`,
    goal: "≤ 2 ms on the way of a gate",
    floor: `${ms(median(times.floor))} (a select)`,
  };
}

async function writes(server: string, count: number): Promise<Figure> {
  const settings = { githubWriteSpacingMs: SPACING_MS, githubBatch: false };
  const world = await createWorld({ policy: POLICY, databaseUrl: await emptyPostgres(server), settings });
  const others: RunningBot[] = [];
  while (others.length < count - 1)
    others.push(
      await startBot({ ...world.settings, port: await findFreePort() }, { log: pino({ level: "silent" }) }),
    );
  const pulls = Array.from({ length: PULLS }, () => world.opensPullRequest());
  await world.settles();
  world.github.requests.clear();
  await Promise.all(pulls.map(({ headSha: sha }) => world.ci.runs({ sha, cost: CHEAP, changes: [] })));
  while (!pulls.every((pull) => world.gate(pull) === "success" && world.comments(pull).length === 1))
    await sleep(100);
  const times = listWriteTimes(world);
  for (const bot of others) await bot.stop();
  await world.ends();
  const seconds = ((times.at(-1) ?? 0) - (times.at(0) ?? 0)) / 1_000;
  return {
    what: `writes of ${count} replicas to one installation, per second`,
    value: `${((times.length - 1) / seconds).toFixed(2)}/s (${times.length} writes)`,
    goal: `≤ ${1_000 / SPACING_MS}/s`,
  };
}

const listWriteTimes = ({ github }: World): readonly number[] =>
  github.requests
    .list()
    .filter(({ method, path }) => method !== "GET" && /check-runs|comments/.test(path))
    .map(({ at }) => at);
