import { expect, test } from "vitest";
import { decimal } from "../../../src/kernel/money.ts";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import { appendRecord } from "../../../src/store/audit/decisions.ts";
import { PULL_VIEWS } from "../../../src/web/pages/pull/pull-subject.ts";
import { type Canary, findLeaks } from "../../world/canaries.ts";
import { createReader, servePages } from "../page-server.ts";
import { blockedEvaluation, component, finding, resource, row, stageNamed } from "./evaluations.ts";
import { evaluates, openPullStore } from "./pull-store.ts";

const canaries: Canary[] = [];

/** An amount that occurs nowhere else, in each form in which a page could write it. */
function canary(name: string): ReturnType<typeof decimal> {
  const whole = 713_019_265 + 1_000_009 * canaries.length;
  canaries.push({ name, secret: `${whole}` }, { name, secret: whole.toLocaleString("en-US") });
  return decimal(`${whole}.17`);
}

const line = (name: string) => ({
  before: canary(`${name} before`),
  after: canary(`${name} after`),
  change: canary(`${name} change`),
  percent: canary(`${name} percent`),
});
const money = (name: string) => ({ amount: canary(name), currency: "USD" });
const USD = { currency: "USD", state: "known", because: [] } as const;

/** An evaluation with an amount wherever there can be one. */
function richEvaluation(figures: boolean): Evaluation {
  canaries.length = 0;
  const sample = blockedEvaluation();
  const module = { ...USD, ...line("module"), module: "web", unattributed: false };
  const priced = resource("module.web.aws_instance.app", {
    ...line("resource"),
    components: [
      component("hours", {
        ...line("component"),
        quantity: { unit: "h", before: canary("quantity before"), after: canary("quantity after") },
      }),
    ],
    attributeChanges: [
      { name: "budget", before: { kind: "text", text: canary("attribute") }, after: { kind: "none" } },
    ],
    changedAttributes: ["budget"],
    tags: { after: { values: { team: `t${canary("tag of a resource")}` }, complete: true } },
  });
  const stage = stageNamed("production", {
    ...line("stage"),
    problems: [`the estimate of ${canary("problem")} failed`],
    modules: [{ ...line("module of a stage"), module: "web", currency: "USD" }],
    types: [{ ...line("type"), type: "aws_instance" }],
    estimatorFindings: {
      ...{ issues: 1, policies: 0, more: 0 },
      listed: [
        {
          ...{ kind: "finops" as const, policy: "types", address: "aws_instance.big", attribute: null },
          ...{ message: `spends ${canary("message")}`, saving: canary("issue"), file: null, line: null },
        },
      ],
    },
  });
  const total = { ...USD, ...line("total") };
  const saving = {
    ...{ recommendationId: "r", address: "aws_instance.big", workspace: "production" },
    ...{ resourceType: "aws_instance", change: "changed" as const, monthly: money("saving") },
  };
  const unit = {
    ...{ metric: "orders", name: "orders", perspective: null, asOf: null, currency: "USD" },
    ...{ before: canary("unit before"), after: canary("unit after") },
  };
  const anomaly = { id: "a", resource: "bucket", perspective: null, spend: money("spend") };
  const place = { stage: "default/payments/production", workspace: "production", currency: "USD" };
  const split = { drift: canary("drift"), own: canary("own change") };
  const [approval] = sample.approvals.live;
  if (approval === undefined) throw new Error("the sample has an approval");
  return blockedEvaluation({
    pull: { figures },
    report: {
      stages: [stage],
      totals: [total],
      modules: [module],
      resources: [priced],
      byTag: { key: "team", lines: [{ ...USD, ...line("tag"), kind: "value", value: `t${canary("tag")}` }] },
      resourceTypes: [{ ...USD, ...line("resource type"), type: "aws_instance", unattributed: false }],
      rows: [
        row("module.web.aws_instance.app", { changedAttributes: ["budget"] }),
        row("aws_instance.same", { cost: canary("kept") }),
      ],
      drift: [{ ...place, split }],
      lifetimes: [{ ...place, lifetimeMs: 3_600_000, amount: canary("lifetime") }],
      context: {
        ...sample.report.context,
        savings: { state: "known", value: { totals: [money("savings")], items: [saving], unmatched: 0 } },
        anomalies: { state: "known", value: { count: 1, impact: money("impact"), items: [anomaly] } },
        unitCosts: { state: "known", value: [unit] },
      },
    },
    findings: [
      finding({
        measured: { kind: "money", ...money("measured") },
        limit: { kind: "increase", amount: money("limit") },
      }),
      finding({
        rule: "percent",
        measured: { kind: "percent", percent: canary("measured percent") },
        limit: { kind: "percent", percent: canary("limit percent") },
      }),
    ],
    rest: {
      approvals: {
        ...sample.approvals,
        live: [{ ...approval, upTo: money("approved"), figures: canary("figures") }],
      },
      previous: { headSha: sample.pull.headSha, totals: [{ ...USD, ...line("previous") }] },
      lastKnown: [{ ...USD, ...line("last known") }],
      smallChange: { amount: money("small"), percent: null },
      afterMerge: {
        ...{ days: 7, compared: 1, workspaces: 1 },
        totals: [{ currency: "USD", estimated: canary("estimated"), actual: canary("actual") }],
        units: [{ ...unit, actual: canary("actual unit"), actualAsOf: "2026-03-01T00:00:00Z" }],
      },
    },
  });
}

/** Every page of a pull request with each of its tables as a file, as one text per address. */
async function readEverything(
  evaluation: Evaluation,
  readersMaySee: boolean,
): Promise<ReadonlyMap<string, string>> {
  const database = await openPullStore();
  const approvedUpTo = money("approved in the chain");
  for (const [digest, headSha] of [
    ["one", "1".repeat(40)],
    ["two", evaluation.pull.headSha],
  ] as const)
    await evaluates(
      database,
      { ...evaluation, pull: { ...evaluation.pull, headSha: headSha as typeof evaluation.pull.headSha } },
      { digest },
    ); // 40 digits
  const { repositoryId, number, headSha, baseRef } = evaluation.pull;
  await database.db.transaction().execute((trx) =>
    appendRecord(
      trx,
      {
        ...{
          kind: "approval",
          repositoryId,
          number,
          headSha,
          baseRef,
          turn: "approved",
          approval: "comment:1",
        },
        ...{
          approver: { id: 1, login: "grace" },
          rules: ["percent"],
          upTo: approvedUpTo,
          reason: "",
          why: null,
        },
      },
      new Date(),
    ),
  );
  await database.db.updateTable("repositories").set({ figures: readersMaySee }).execute();
  const page = `${await servePages(database, createReader([1]))}/r/acme/payments/pull/12`;
  const texts = new Map<string, string>();
  const queries = [...PULL_VIEWS, "resource"].flatMap((view) => {
    const query = `view=${view}&stage=default%2Fpayments%2Fproduction&resource=module.web.aws_instance.app`;
    const tables = ["", "approvals", "attributes", "savings", "tags"].flatMap((table) => [
      `&format=csv&table=${table}`,
      `&format=json&table=${table}`,
    ]);
    return ["", ...tables].map((rest) => (view === "resources" ? `view=resources${rest}` : query + rest));
  });
  const paths = [page, `${page}/evaluations/1`];
  for (const path of paths)
    for (const query of queries)
      texts.set(`${path.slice(page.length)}?${query}`, await (await fetch(`${path}?${query}`)).text());
  return texts;
}

test("where readers may not see figures, no page and no file of a pull request has one", async () => {
  const texts = await readEverything(richEvaluation(false), false);
  const leaks = [...texts].flatMap(([address, text]) =>
    findLeaks(text, canaries).map((name) => `${address}: ${name}`),
  );
  expect(leaks).toEqual([]);
  expect([...texts.values()].filter((text) => text.includes("Nothing here")).length).toBeLessThan(
    texts.size / 2,
  );
});

test("figures of an evaluation disappear when its repository's readers may not see figures any more", async () => {
  const texts = await readEverything(richEvaluation(true), false);
  const leaks = [...texts].flatMap(([address, text]) =>
    findLeaks(text, canaries).map((name) => `${address}: ${name}`),
  );
  expect(leaks).toEqual([]);
});

test("where readers may see figures, the pages have them: the test above would find one", async () => {
  const texts = [...(await readEverything(richEvaluation(true), true)).values()].join("\n");
  const shown = new Set(findLeaks(texts, canaries));
  for (const name of [
    "total change",
    "stage before",
    "resource after",
    "component change",
    "module change",
    "tag change",
    "tag of a resource",
    "measured",
    "limit",
    "approved",
    "saving",
    "issue",
    "message",
  ])
    expect(shown).toContain(name);
});
