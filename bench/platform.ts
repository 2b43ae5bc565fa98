import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { importFile } from "../src/wiring/import/file.ts";
import { connectForImport } from "../src/wiring/import/send-files.ts";
import { maintainStore } from "../src/wiring/maintenance.ts";
import { ACCOUNT, type PlatformWorld, servePlatform } from "../test/platform-server/platform-world.ts";
import { type Figure, median, ms, quantile, ratio } from "./figures.ts";
import { call } from "./platform-call.ts";
import { type BenchEngine, benchEngines } from "./platform-engines.ts";

const ROWS = 100_000;
const PAGE = 1_000;
const READS = 200;
const WARM = 20;
const STAGE = "/api/orgs/acme/projects/pay/executions/run-1/stage-1";
const COST = "/gateway/ccm/api/recommendation/overview";

const change = (index: number) => ({
  provider: ["aws", "azurerm", "google"][index % 3],
  type: `type_${index % 40}`,
  name: `thing-${index}`,
  module: `module.m${index % 200}`,
  change: index % 5 === 0 ? "changed" : "added",
  resource_address: `module.m${index % 200}.type_${index % 40}.thing-${index}`,
  changes: { size: { change: "changed", drift: false, old: index, new: index + 1, sensitive: false } },
});

/** Uploads pages of one stage and their counts; the processor's seconds of each page and of the counts. */
async function uploadRows(
  world: PlatformWorld,
  {
    execution,
    pages,
    perPage,
  }: { readonly execution: string; readonly pages: number; readonly perPage: number },
): Promise<{ readonly page: number; readonly counts: number }> {
  const ids = { pipeline_execution_id: execution, pipeline_stage_id: "stage-1" };
  const json = { pipeline: "deploy", workspace: "prod", ...ids };
  await call(world, ["POST", "/api/orgs/acme/projects/pay/executions"], { json });
  const changed = `/api/orgs/acme/projects/pay/executions/${execution}/stage-1/resource-changes`;
  const times: number[] = [];
  for (let page = 0; page < pages; page += 1) {
    const elements = Array.from({ length: perPage }, (_, index) => change(page * perPage + index));
    const bytes = JSON.stringify(elements);
    times.push(await cpuOf(() => call(world, ["POST", `${changed}/planned_changes/${page + 1}`], { bytes })));
  }
  const rows = pages * perPage;
  const byType = { added: rows * 0.8, changed: rows * 0.2, deleted: 0, unchanged: 0 };
  const none = { Drift: 0, Resources: 0, DataSources: 0, Outputs: 0 };
  const bytes = JSON.stringify({ PlannedTotal: rows, PlannedByChangeType: byType, ...none });
  return {
    page: median(times),
    counts: await cpuOf(() => call(world, ["POST", `${changed}/counts`], { bytes })),
  };
}

/** Processor seconds of this process: client, server and an embedded database. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const recommendation = (index: number) => ({
  id: `rec-${index}`,
  resourceType: ["EC2_INSTANCE", "EBS_VOLUME", "WORKLOAD", "NODE_POOL"][index % 4],
  cloudProvider: "CLOUD_1",
  cloudAccountId: `account-${index % 50}`,
  targetRegion: `region-${index % 20}`,
  resourceName: `thing-${index}`,
  resourceId: `i-${index}`,
  monthlySaving: ((index * 7_919) % 100_000) / 10,
  monthlyCost: ((index * 104_729) % 1_000_000) / 10,
  tags: { team: `team-${index % 30}` },
});

async function* lines(): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < ROWS; index += 1)
    yield Buffer.from(`${JSON.stringify(recommendation(index))}\n`);
}

interface Imported {
  readonly seconds: number;
  /** Above what was in use before, in MB; client, server and an embedded database in one process. */
  readonly peakMb: number;
  /** How long another reader waited at most, in ms. */
  readonly longestMs: number;
}

async function importRecommendations(world: PlatformWorld): Promise<Imported> {
  const reachable = { url: world.url, token: world.key, account: ACCOUNT, close: async () => {} };
  const client = connectForImport(reachable);
  const before = process.memoryUsage().rss;
  const seen = { rss: before, longestMs: 0, done: false };
  const watching = (async () => {
    while (!seen.done) {
      seen.longestMs = Math.max(seen.longestMs, await timed(() => countAll(world)));
      seen.rss = Math.max(seen.rss, process.memoryUsage().rss);
      await sleep(20);
    }
  })();
  const upload = randomUUID().replaceAll("-", "");
  const started = performance.now();
  const { rows, problems } = await importFile(
    client,
    { kind: "recommendations", upload, bytes: lines() },
    { tries: 1, pauseMs: 0, sleep },
  );
  const seconds = (performance.now() - started) / 1_000;
  seen.done = true;
  await watching;
  await client.close();
  if (rows !== ROWS) throw new Error(`imported ${rows} rows: ${JSON.stringify(problems[0])}`);
  return { seconds, peakMb: (seen.rss - before) / 1e6, longestMs: seen.longestMs };
}

const countAll = (world: PlatformWorld) =>
  call(world, ["GET", "/api/orgs/acme/projects/pay/settings/disabled"]);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** p99 of reads one after the other, once they are warm. */
/** Plain SQL without an index takes seconds a read: a few tell it. */
const FLOOR_READS = 5;

async function medianOf(reads: number, read: (index: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < reads; index += 1) times.push(await timed(() => read(index)));
  return median(times);
}

async function p99(read: (index: number) => Promise<unknown>): Promise<number> {
  for (let index = 0; index < WARM; index += 1) await read(index);
  const times: number[] = [];
  for (let index = 0; index < READS; index += 1) times.push(await timed(() => read(index)));
  return quantile(times, 0.99);
}

const changes = `${STAGE}/resource-changes`;
/** A question to the platform, the same question in plain SQL, and the goal. */
interface Question {
  readonly what: string;
  readonly goal: string;
  ask(world: PlatformWorld, index: number): Promise<unknown>;
  plain(world: PlatformWorld, index: number): Promise<unknown>;
}

/** As a table of one column for each value would be. */
const facet = sql`(select r.*, (r.row::json ->> 'provider') as provider, (r.row::json ->> 'type') as type,
  (r.row::json ->> 'module') as module, (r.row::json ->> 'change') as change,
  (r.row::json ->> 'resource_address') as resource_address from platform_rows r) as r`;
const mine = sql`r.account = ${ACCOUNT}`;
const listBody = (index: number) => ({
  json: { filterType: "CCMRecommendation", minSaving: 0, offset: (index * 37) % 1_000, limit: 20 },
});
const cost = (operation: string) => `${COST}/${operation}?accountIdentifier=${ACCOUNT}`;

const QUESTIONS: readonly Question[] = [
  {
    what: "page of 100 rows",
    goal: "≤ 20 ms",
    ask: (world, index) =>
      call(world, [
        "GET",
        `${changes}/planned_changes/rows?page_size=100&page=${1 + ((index * 37) % 1_000)}`,
      ]),
    plain: ({ store }, index) =>
      sql`select r.row from ${facet} where ${mine} and r.category = 'planned_changes'
        order by r.page, r.position limit 100 offset ${((index * 37) % 1_000) * 100}`.execute(store.db),
  },
  {
    what: "page of 25 rows, by type and search",
    goal: "≤ 20 ms",
    ask: (world, index) =>
      call(world, [
        "GET",
        `${changes}/planned_changes/rows?type=type_${index % 40}&search=thing-${index % 10}`,
      ]),
    plain: ({ store }, index) =>
      sql`select r.row, count(*) over () from ${facet} where ${mine} and r.category = 'planned_changes'
        and r.type = ${`type_${index % 40}`} and r.resource_address ilike ${`%thing-${index % 10}%`}
        order by r.page, r.position limit 25`.execute(store.db),
  },
  {
    what: "filter counts, by provider",
    goal: "≤ 100 ms",
    ask: (world) => call(world, ["GET", `${changes}/filter-counts?category=planned_changes&provider=aws`]),
    plain: ({ store }) =>
      sql`select r.change, r.module, r.type, count(*) from ${facet} where ${mine} and r.provider = 'aws'
        group by grouping sets ((r.change), (r.module), (r.type))`.execute(store.db),
  },
  {
    what: "filter counts, by search",
    goal: "≤ 100 ms",
    ask: (world, index) => call(world, ["GET", `${changes}/filter-counts?search=thing-${index % 1_000}`]),
    plain: ({ store }, index) =>
      sql`select r.change, r.module, r.type, r.provider, count(*) from ${facet}
        where ${mine} and r.resource_address ilike ${`%thing-${index % 1_000}%`}
        group by grouping sets ((r.change), (r.module), (r.type), (r.provider))`.execute(store.db),
  },
  {
    what: "20 recommendations, highest saving first",
    goal: "–",
    ask: (world, index) => call(world, ["POST", cost("list")], listBody(index)),
    plain: ({ store }, index) =>
      sql`select * from platform_recommendations
        where account = ${ACCOUNT} and saving >= 0
        order by saving desc nulls last, id limit 20 offset ${(index * 37) % 1_000}`.execute(store.db),
  },
  {
    what: "count of recommendations by filter",
    goal: "–",
    ask: (world, index) => call(world, ["POST", cost("count")], listBody(index)),
    plain: ({ store }) =>
      sql`select count(*) from platform_recommendations where account = ${ACCOUNT} and saving >= 0`.execute(
        store.db,
      ),
  },
];

async function onEngine({ name, open }: BenchEngine): Promise<readonly Figure[]> {
  const { store, close } = await open();
  const world = await servePlatform(store);
  const imported = await importRecommendations(world);
  const large = await uploadRows(world, { execution: "run-2", pages: 5, perPage: 10_000 });
  await uploadRows(world, { execution: "run-1", pages: ROWS / PAGE, perPage: PAGE });
  await maintainStore(store);
  // A server does this by itself, some time later.
  await sql`analyze`.execute(store.db);
  const answers: Figure[] = [];
  for (const { what, goal, ask, plain } of QUESTIONS) {
    const ours = await p99((index) => ask(world, index));
    const floor = await medianOf(FLOOR_READS, (index) => plain(world, index));
    answers.push({ what: `${what}, p99 (${name})`, value: ms(ours), goal });
    answers.push({
      what: `… against plain SQL (median ${ms(floor)})`,
      value: ratio(ours / floor),
      goal: "–",
    });
  }
  await world.close();
  await close();
  return [
    {
      what: `import of ${ROWS} recommendations (${name})`,
      value: `${imported.seconds.toFixed(1)} s`,
      goal: "–",
    },
    {
      what: "… memory above idle, client and server together",
      value: `${Math.round(imported.peakMb)} MB`,
      goal: "–",
    },
    { what: "… longest wait of another reader meanwhile", value: ms(imported.longestMs), goal: "–" },
    {
      what: `upload of a page of 10,000 rows, processor (${name})`,
      value: `${large.page.toFixed(2)} s`,
      goal: "≤ 1.5 s",
    },
    {
      what: `counts of 50,000 rows, processor (${name})`,
      value: `${large.counts.toFixed(2)} s`,
      goal: "≤ 3 s",
    },
    ...answers,
  ];
}

/** What the embedded platform takes for its large questions, beside plain SQL, on each engine. */
export async function platform(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const engine of await benchEngines()) figures.push(...(await onEngine(engine)));
  return figures;
}
