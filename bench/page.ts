import { Hono } from "hono";
import { type Kysely, sql } from "kysely";
import { decimal } from "../src/kernel/money.ts";
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
import { evaluation } from "../test/render/evaluation-builder.ts";
import { type BenchEngine, openStore } from "./engines.ts";
import { change, STAGES, stageOf } from "./large-stages.ts";
import type { Prepared } from "./measure.ts";

const PULL = "http://tollgate.test/r/acme/shop/pull/1";
const GOALS = { embedded: "≤ 300 ms", PostgreSQL: "≤ 150 ms" } as const;

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
  return evaluation({ pull: { repositoryId: 1, number: 1, repository: "acme/shop" }, report });
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

async function readPage(pages: ReturnType<typeof openPages>, query: string): Promise<void> {
  const answer = await pages.request(PULL + query);
  await answer.text();
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status}`);
}

/** The plain SQL of one page of the resource table: the same rows, in the database alone. */
const readInSql = (db: Kysely<Tables>, offset: number) =>
  sql`select line ->> 'address', line ->> 'change' from evaluations,
      jsonb_array_elements(evaluation -> 'value' -> 'report' -> 'resources') as line
    where repository_id = 1 and number = 1
    order by (line ->> 'change')::numeric desc limit 100 offset ${offset}`.execute(db);

/** The page of a pull request with 10,000 resources: every view, with different orders, filters and places. */
export async function prepare(engine: BenchEngine): Promise<Prepared> {
  const store = await openStore(engine);
  await storeEvaluation(store.db);
  const pages = openPages(store.db);
  return {
    measures: [
      {
        what: `p95 of ${VIEWS.length} views, against plain SQL of a page of resources`,
        goal: GOALS[engine.name],
        rounds: 2 * VIEWS.length,
        warmUp: 1,
        share: 0.95,
        run: (round) => readPage(pages, VIEWS[round % VIEWS.length] ?? ""),
        floor: async (round) => void (await readInSql(store.db, (round % 20) * 100)),
      },
    ],
    close: () => store.close(),
  };
}
