import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { type Kysely, sql } from "kysely";
import { parseSha, type Sha } from "../src/kernel/ids.ts";
import { decimal } from "../src/kernel/money.ts";
import { decideCheck } from "../src/policy/decide-check.ts";
import { NO_APPROVALS } from "../src/policy/model/approval.ts";
import type { Evaluation } from "../src/policy/model/evaluation.ts";
import { createPageTexts } from "../src/render/page-sections.ts";
import { buildReport } from "../src/report/build.ts";
import { NO_FACTS } from "../src/report/model/context.ts";
import type { ComponentCost } from "../src/report/model/facts.ts";
import { enterLane } from "../src/store/database/lanes.ts";
import { saveEvaluation } from "../src/store/evaluations.ts";
import type { Tables } from "../src/store/tables/tables.ts";
import type { PageEnv } from "../src/web/page/page.ts";
import { createPullPages } from "../src/web/pages/pull/pull-page.ts";
import type { Reader } from "../src/web/reader.ts";
import { loadTemplates } from "../src/wiring/process/templates.ts";
import { type Figure, ms, quantile } from "./figures.ts";
import { change, STAGES, stageOf } from "./large-stages.ts";
import { type BenchEngine, benchEngines } from "./platform-engines.ts";

const COLD_ROUNDS = 8;
const PULL = "http://tollgate.test/r/acme/shop/pull/1";
const GOALS: Readonly<Record<string, string>> = { embedded: "≤ 200 ms", PostgreSQL: "≤ 100 ms" };

/** What readers of a large evaluation ask for, one after the other. */
const VIEWS = [
  "",
  ...["", "&sort=-change", "&sort=change", "&sort=resource", "&sort=-before", "&sort=type"].flatMap((order) =>
    [
      "",
      "&page=2",
      "&page=57",
      "&stage=stage-1",
      "&module=m7",
      "&type=aws_lb",
      "&action=deleted",
      "&q=m42",
    ].map((rest) => `?view=resources${order}${rest}`),
  ),
  "?view=resource&stage=o%2Fp%2Fstage-1&resource=module.m1.aws_db_instance.this%5B%221%22%5D",
  ...["", "&sort=-change", "&page=4", "&q=m1"].map((rest) => `?view=modules${rest}`),
  "?view=rules",
  "?view=facts",
  "?view=history",
];

const READER: Reader = {
  ...{ userId: 1, login: "ada", isAdmin: false },
  canRead: async () => true,
  listReadable: async () => new Set([1]),
};

const COMPONENTS: readonly ComponentCost[] = [
  {
    ...change(3),
    name: "Instance usage (Linux/UNIX, on-demand, m5.large)",
    quantity: { unit: "hours", before: decimal("730"), after: decimal("730") },
  },
  { ...change(5), name: "Storage (general purpose SSD, gp3)" },
];

/** A pull request with 10,000 priced resources, each with two price components, in four stages and 500 modules. */
function largeEvaluation(): Evaluation {
  const stages = Array.from({ length: STAGES }, (_, number) => stageOf(number, COMPONENTS));
  const report = buildReport({ ...NO_FACTS, stages }, { stages: [] });
  const situation = { kind: "evaluated", verdict: { kind: "pass", findings: [] } } as const;
  const headSha: Sha | null = parseSha("a".repeat(40));
  if (headSha === null) throw new Error("not a commit id");
  return {
    pull: {
      ...{ repositoryId: 1, number: 1, repository: "acme/shop", headSha, baseRef: "main" },
      ...{ figures: true, draft: false },
    },
    ...{ report, situation, check: decideCheck(situation, NO_APPROVALS), checkName: "tollgate: main" },
    context: {
      ...{ number: 1, author: "alice", labels: [], baseRef: "main", draft: false, paths: ["infra/main.tf"] },
      ...{ pathsComplete: true, nowMs: 0, budgetUse: null },
    },
    ...{ approvals: NO_APPROVALS, policySources: [], policyEdit: null, quiet: false, commentMode: "update" },
    ...{ foreignChecks: [], previous: null, sections: null },
  };
}

async function storeEvaluation(db: Kysely<Tables>): Promise<void> {
  const now = new Date();
  await db
    .insertInto("repositories")
    .values({
      ...{ repository_id: 1, installation_id: 1, owner_id: null, owner_login: "acme", name: "shop" },
      ...{ listed_at: null, figures: true, updated_at: now },
    })
    .execute();
  const fence = await enterLane(db, "pull/1/1", now);
  await saveEvaluation(db, { evaluation: largeEvaluation(), digest: "d", policyBlobs: "" }, { fence, now });
}

/** Pages that have read nothing yet. */
function openPages(db: Kysely<Tables>) {
  const deps = {
    db,
    clock: { now: () => Date.now(), monotonicMs: () => performance.now() },
    texts: createPageTexts(loadTemplates()),
    github: "https://github.com",
    publicUrl: "http://127.0.0.1:1",
  };
  const app = new Hono<PageEnv>();
  app.use(async (context, next) => {
    context.set("reader", READER);
    await next();
  });
  return app.route("/", createPullPages(deps));
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}

async function readPage(pages: ReturnType<typeof openPages>, query: string): Promise<number> {
  const answer = await pages.request(PULL + query);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status}`);
  return Buffer.byteLength(text);
}

/** The plain SQL of one page of the resource table: the same rows, in the database alone. */
const readInSql = (db: Kysely<Tables>, offset: number) =>
  sql`select line ->> 'address', line ->> 'change' from evaluations,
      jsonb_array_elements(evaluation -> 'value' -> 'report' -> 'resources') as line
    where repository_id = 1 and number = 1
    order by (line ->> 'change')::numeric desc limit 100 offset ${offset}`.execute(db);

async function measureEngine(engine: BenchEngine): Promise<readonly Figure[]> {
  const { store, close } = await engine.open();
  try {
    await storeEvaluation(store.db);
    const cold = await measureCold(store.db);
    const pages = openPages(store.db);
    await readPage(pages, "");
    const warm: number[] = [];
    const sizes: number[] = [];
    const floor: number[] = [];
    for (const query of [...VIEWS, ...VIEWS]) {
      const page = await timed(() => readPage(pages, query));
      warm.push(page.ms);
      sizes.push(page.value);
    }
    for (let offset = 0; offset < 2_000; offset += 100)
      floor.push((await timed(() => readInSql(store.db, offset))).ms);
    const goal = GOALS[engine.name] ?? "–";
    const what = (text: string): string => `${engine.name}: ${text}`;
    return [
      { what: what(`p95 of ${VIEWS.length} views`), value: ms(quantile(warm, 0.95)), goal },
      { what: what("p95 of a first view"), value: ms(quantile(cold.views, 0.95)), goal: "–" },
      {
        what: what("longest block of a first view"),
        value: ms(quantile(cold.blocks, 0.5)),
        goal: "≤ 50 ms",
      },
      { what: what("plain SQL of a page of resources, p95"), value: ms(quantile(floor, 0.95)), goal: "–" },
      {
        what: what("largest page"),
        value: `${(Math.max(...sizes) / 1_000).toFixed(1)} kB`,
        goal: "≤ 150 kB",
      },
    ];
  } finally {
    await close();
  }
}

/** The first view of a large evaluation by a process that has not read it, and for how long nothing else ran meanwhile. */
async function measureCold(db: Kysely<Tables>) {
  const views: number[] = [];
  const blocks: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 2 });
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const pages = openPages(db);
    delay.enable();
    await sleep(20);
    delay.reset();
    views.push((await timed(() => readPage(pages, "?view=resources&sort=-change"))).ms);
    await sleep(20);
    delay.disable();
    blocks.push(delay.max / 1e6);
  }
  return { views, blocks };
}

/** The page of a pull request with 10,000 resources: every view, with different orders, filters and places. */
export async function page(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const engine of await benchEngines()) figures.push(...(await measureEngine(engine)));
  return figures;
}
