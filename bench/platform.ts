import { once } from "node:events";
import { request } from "node:http";
import { sql } from "kysely";
import { maintainStore } from "../src/wiring/maintenance.ts";
import { ACCOUNT, type PlatformWorld, servePlatform } from "../test/platform-server/platform-world.ts";
import { type BenchEngine, openStore } from "./engines.ts";
import type { Prepared } from "./measure.ts";

const ROWS = 100_000;
const PAGE = 1_000;
const EXECUTIONS = "/api/orgs/acme/projects/pay/executions";
const CHANGES = `${EXECUTIONS}/run-1/stage-1/resource-changes`;

/** What the embedded platform takes for its large questions, beside plain SQL. */
export async function prepare(engine: BenchEngine): Promise<Prepared> {
  const store = await openStore(engine);
  const world = await servePlatform(store);
  await uploadRows(world);
  await maintainStore(store);
  // A server does this by itself, some time later.
  await sql`analyze`.execute(store.db);
  const measures = QUESTIONS.map(({ what, goal, ask, plain }) => ({
    ...{ what: `${what}, p99, against plain SQL`, goal, rounds: 200, warmUp: 20, share: 0.99 },
    run: async (index: number) => void (await call(world, "GET", `${CHANGES}/${ask(index)}`)),
    // Plain SQL without an index takes seconds a read: a few tell it.
    floor: async (index: number) =>
      index % 40 === 0 ? void (await plain(index).execute(store.db)) : Number.NaN,
  }));
  return {
    measures,
    close: async () => {
      await world.close();
      await store.close();
    },
  };
}

/** One stage with pages of its changes, and their counts. */
async function uploadRows(world: PlatformWorld): Promise<void> {
  const ids = { pipeline_execution_id: "run-1", pipeline_stage_id: "stage-1" };
  const stage = JSON.stringify({ pipeline: "deploy", workspace: "prod", ...ids });
  await call(world, "POST", EXECUTIONS, { body: stage, type: "application/json" });
  const type = "application/octet-stream";
  for (let page = 0; page < ROWS / PAGE; page += 1) {
    const rows = Array.from({ length: PAGE }, (_, index) => change(page * PAGE + index));
    await call(world, "POST", `${CHANGES}/planned_changes/${page + 1}`, { body: JSON.stringify(rows), type });
  }
  const byType = { added: ROWS * 0.8, changed: ROWS * 0.2, deleted: 0, unchanged: 0 };
  const none = { Drift: 0, Resources: 0, DataSources: 0, Outputs: 0 };
  const counts = { PlannedTotal: ROWS, PlannedByChangeType: byType, ...none };
  await call(world, "POST", `${CHANGES}/counts`, { body: JSON.stringify(counts), type });
}

const change = (index: number) => ({
  provider: ["aws", "azurerm", "google"][index % 3],
  type: `type_${index % 40}`,
  name: `thing-${index}`,
  module: `module.m${index % 200}`,
  change: index % 5 === 0 ? "changed" : "added",
  resource_address: `module.m${index % 200}.type_${index % 40}.thing-${index}`,
  changes: { size: { change: "changed", drift: false, old: index, new: index + 1, sensitive: false } },
});

/** One request over a connection of its own: a kept one may end just when a busy machine wants to use it again. */
async function call(
  { url, key }: PlatformWorld,
  method: string,
  path: string,
  sent?: { readonly body: string; readonly type: string },
): Promise<void> {
  const headers = {
    ...{ "x-api-key": key, "Platform-Account": ACCOUNT },
    ...(sent !== undefined && { "content-type": sent.type }),
  };
  const question = request(url + path, { method, headers, agent: false });
  question.end(sent?.body);
  const [answer] = await once(question, "response");
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk;
  if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}: ${text.slice(0, 300)}`);
}

/** As a table of one column for each value would be. */
const facet = sql`(select r.*, (r.row::json ->> 'provider') as provider, (r.row::json ->> 'type') as type,
  (r.row::json ->> 'module') as module, (r.row::json ->> 'change') as change,
  (r.row::json ->> 'resource_address') as resource_address from platform_rows r) as r`;
const mine = sql`r.account = ${ACCOUNT}`;

/** Questions to the platform, and the same in plain SQL. */
const QUESTIONS = [
  {
    what: "page of 100 rows",
    goal: "≤ 30 ms",
    ask: (index: number) => `planned_changes/rows?page_size=100&page=${1 + ((index * 37) % 1_000)}`,
    plain: (index: number) => sql`select r.row from ${facet} where ${mine} and r.category = 'planned_changes'
      order by r.page, r.position limit 100 offset ${((index * 37) % 1_000) * 100}`,
  },
  {
    what: "page of 25 rows, by type and search",
    goal: "≤ 30 ms",
    ask: (index: number) => `planned_changes/rows?type=type_${index % 40}&search=thing-${index % 10}`,
    plain: (index: number) => sql`select r.row, count(*) over () from ${facet}
      where ${mine} and r.category = 'planned_changes' and r.type = ${`type_${index % 40}`}
        and r.resource_address ilike ${`%thing-${index % 10}%`} order by r.page, r.position limit 25`,
  },
  {
    what: "filter counts, by provider",
    goal: "≤ 150 ms",
    ask: () => "filter-counts?category=planned_changes&provider=aws",
    plain:
      () => sql`select r.change, r.module, r.type, count(*) from ${facet} where ${mine} and r.provider = 'aws'
      group by grouping sets ((r.change), (r.module), (r.type))`,
  },
  {
    what: "filter counts, by search",
    goal: "≤ 150 ms",
    ask: (index: number) => `filter-counts?search=thing-${index % 1_000}`,
    plain: (index: number) => sql`select r.change, r.module, r.type, r.provider, count(*) from ${facet}
      where ${mine} and r.resource_address ilike ${`%thing-${index % 1_000}%`}
      group by grouping sets ((r.change), (r.module), (r.type), (r.provider))`,
  },
];
