import { expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { recordMerge } from "../../src/store/after-merge/merged-pulls.ts";
import { recordPlans } from "../../src/store/after-merge/workspace-costs.ts";
import { setAfterMerge } from "../../src/store/evaluations.ts";
import { savePolicy } from "../../src/store/history/write-evaluation.ts";
import { policy } from "../policy/policies.ts";
import { unknownStage } from "../render/evaluation-builder.ts";
import { mergeOutcome } from "../store/merge-outcome.ts";
import { createReader, servePages } from "./page-server.ts";
import { daysAgo, fetchAs, minutesAgo, NOW_MS, readRows, readText } from "./page-text.ts";
import { evaluatePull, installRepository, mergePull, openStoreWith, raise } from "./stored-pulls.ts";

const openStore = () =>
  openStoreWith({ id: 1, name: "acme/shop" }, { id: 2, name: "acme/website", figures: false });

test("an overview says which team is waited for, once per pull request", async () => {
  const { db, ...database } = await openStore();
  const pull = { repositoryId: 1, verdict: "approval" } as const;
  await evaluatePull(db, { ...pull, number: 1, stages: [raise("600")] }, minutesAgo(9));
  await evaluatePull(db, { ...pull, number: 2, stages: [raise("700.5")] }, minutesAgo(8));
  await evaluatePull(
    db,
    { ...pull, number: 3, team: "platform", stages: [unknownStage("prod")] },
    minutesAgo(7),
  );
  const hidden = { repositoryId: 2, number: 4, figures: false, stages: [raise("777")] };
  await evaluatePull(db, { ...pull, ...hidden }, minutesAgo(6));
  const { body } = await fetchAs({ db, ...database }, [1, 2], "/o/acme");
  expect(readText(body)).toContain("acme/finops 3 +$1,300.50 1 not shown 9 minutes ago");
  expect(readText(body)).toContain("acme/platform 1 1 not fully known 7 minutes ago");
  expect(body).toContain("/o/acme?approver=acme%2Ffinops");
  expect(await readRows({ db, ...database }, [1, 2], "/o/acme?format=json&table=approvals")).toEqual([
    {
      approver: "acme/finops",
      pulls: 3,
      oldest_at: minutesAgo(9).toISOString(),
      change: "1300.5",
      currency: "USD",
    },
    {
      approver: "acme/platform",
      pulls: 1,
      oldest_at: minutesAgo(7).toISOString(),
      change: null,
      currency: null,
    },
  ]);
});

test("merged changes are summed per week and stage, without unknown and hidden ones", async () => {
  const database = await openStore();
  const merge = (number: number, amount: string, days: number, repositoryId = 1) =>
    mergePull(database.db, { repositoryId, number, stages: [raise(amount)] }, daysAgo(days));
  await merge(1, "10.05", 2); // the Monday of this week
  await merge(2, "0.1", 3); // the Sunday before
  await merge(3, "-2", 9);
  await merge(4, "5000", 91);
  await merge(5, "777", 2, 2);
  await mergePull(database.db, { repositoryId: 1, number: 6, stages: [unknownStage("prod")] }, daysAgo(1));
  const row = { stage: "prod", changes: 1, currency: "USD" };
  expect(await readRows(database, [1, 2], "/o/acme/merged?format=json&table=weeks&period=90")).toEqual([
    { ...row, week: "2026-03-23", change: "10.05" },
    { ...row, week: "2026-03-16", change: "-1.9", changes: 2 },
  ]);
  const { body } = await fetchAs(database, [1, 2], "/o/acme");
  expect(readText(body)).toContain("1 merged change is unknown, and not in this sum.");
  expect(body).toContain('href="/o/acme/merged?period=90"');
  expect(body).toContain('aria-label="Merged monthly change per week in USD, by stage: +$8.15 in all."');
  const none = (await fetchAs(database, [1, 2], "/o/acme?author=nobody")).body;
  expect(readText(none)).toContain("Nothing with a cost was merged in this time.");
  expect(readText(none)).toContain("stage and author also what was merged");
  expect(none).toContain('href="/o/acme/merged?period=90&amp;author=nobody"');
  expect(body).not.toContain("777");
  const other = await readRows(
    database,
    [1],
    "/r/acme/shop/merged?format=json&table=weeks&period=90&stage=staging",
  );
  expect(other).toEqual([]);
  const year = await readRows(database, [1], "/r/acme/shop/merged?format=json&table=stages&period=365");
  expect(year.map(({ change }) => change)).toEqual(["5008.15"]);
});

test("budgets show their use, and what open pull requests would add", async () => {
  const database = await openStore();
  const { db } = database;
  const budgets = policy(
    "budgets: [{ id: prod-only, amount: 1000 USD, scope: { workspaces: [prod] } }, { id: all, amount: 2000 USD }]",
  );
  await savePolicy(db, { policyBlobs: "b1", policy: budgets }, daysAgo(1));
  const plan = { org: "default", project: "payments", currency: "USD", plannedMs: NOW_MS };
  await recordPlans(db, 1, [
    { ...plan, workspace: "prod", before: decimal("850.5") },
    { ...plan, workspace: "eu", before: decimal("100") },
  ]);
  const pull = { repositoryId: 1, policyBlobs: "b1" };
  await evaluatePull(db, { ...pull, number: 1, stages: [raise("200")] }, minutesAgo(9));
  await evaluatePull(db, { ...pull, number: 2, stages: [raise("-50")] }, minutesAgo(8));
  await evaluatePull(db, { ...pull, number: 3, stages: [raise("5000")], verdict: "block" }, minutesAgo(7));
  const rows = await readRows(database, [1], "/r/acme/shop?format=json&table=budgets");
  const row = { repository: "acme/shop", currency: "USD", unknown: "" };
  const monthly = { period: null, period_start: null, period_end: null };
  const prod = { used: "850.5", forecast: "850.5", with_open: "1050.5", limit: "1000" };
  const all = { used: "950.5", forecast: "950.5", with_open: "1150.5", limit: "2000" };
  expect(rows).toEqual([
    { ...row, ...monthly, budget: "prod-only", percent_used: "85.05", ...prod },
    { ...row, ...monthly, budget: "all", percent_used: "47.525", ...all },
  ]);
  const { body } = await fetchAs(database, [1], "/r/acme/shop");
  expect(readText(body)).toContain("85% 105% with open pull requests $850.50 $1,050.50 $1,000.00");
  expect(body).toContain('<svg class="bar-of danger"');
  await evaluatePull(db, { ...pull, number: 4, stages: [raise("1", "eu", "EUR")] }, minutesAgo(6));
  const mixed = await readRows(database, [1], "/r/acme/shop?format=json&table=budgets");
  expect(mixed.map(({ budget, with_open }) => [budget, with_open])).toEqual([
    ["prod-only", "1050.5"],
    ["all", "1150.5"],
  ]);
  const text = readText((await fetchAs(database, [1], "/r/acme/shop")).body);
  expect(text).toContain("all without eu at least 48% at least 58% with open pull requests at least $950.50");
  await installRepository(db, { id: 1, name: "acme/shop", figures: false });
  expect(await readRows(database, [1], "/r/acme/shop?format=json&table=budgets")).toEqual([]);
});

test("a budget for a period shows what was used until today, by its end and with open pull requests", async () => {
  const database = await openStore();
  const { db } = database;
  const budgets = policy("budgets: [{ id: growth, amount: 1000 USD, period: year }]");
  await savePolicy(db, { policyBlobs: "b1", policy: budgets }, daysAgo(1));
  const year = new Date(NOW_MS).getUTCFullYear();
  const change = { before: decimal("0"), after: decimal("62"), change: decimal("62") };
  const place = { org: "default", project: "payments", workspace: "prod", stage: "prod", plannedMs: 1 };
  const merge = { repositoryId: 1, number: 9, mergedMs: NOW_MS, compareMs: null, outcome: mergeOutcome() };
  await recordMerge(db, merge, [{ ...place, currency: "USD", ...change }]);
  await evaluatePull(
    db,
    { repositoryId: 1, policyBlobs: "b1", number: 1, stages: [raise("200")] },
    minutesAgo(9),
  );
  const [row] = await readRows(database, [1], "/r/acme/shop?format=json&table=budgets");
  expect(row).toMatchObject({ period: "year", period_start: `${year}-01-01`, period_end: `${year}-12-31` });
  const text = readText((await fetchAs(database, [1], "/r/acme/shop")).body);
  expect(text).toMatch(
    /growth year to 31 Dec \d+ \d+% \d+% with open pull requests \$[\d.]+ \$[\d.,]+ by the end \$[\d.,]+ \$1,000.00/,
  );
});

test("waivers in force show when they end and who owns them", async () => {
  const database = await openStore();
  const waiver = (until: string, reason: string) =>
    `{ rule: growth, up_to: 900 USD, until: ${until}, reason: ${reason}, owner: ada }`;
  const waivers = `rules: [{ id: growth, limit: { increase: 500 USD } }]
waivers: [${waiver("2026-12-31", "later")}, ${waiver("2026-03-29", "soon")}, ${waiver("2026-03-24", "over")}]`;
  await savePolicy(database.db, { policyBlobs: "b1", policy: policy(waivers) }, daysAgo(1));
  await evaluatePull(database.db, { repositoryId: 1, number: 1, policyBlobs: "b1" }, minutesAgo(9));
  const rows = await readRows(database, [1], "/r/acme/shop?format=json&table=waivers");
  expect(rows.map(({ reason, until }) => [reason, until])).toEqual([
    ["soon", "2026-03-30T00:00:00.000Z"],
    ["later", "2027-01-01T00:00:00.000Z"],
  ]);
  const text = readText((await fetchAs(database, [1], "/r/acme/shop")).body);
  expect(text).toContain("growth soon ada in 5 days last day 29 Mar 2026");
});

test("estimates are compared with what was paid, and realised savings are summed", async () => {
  const database = await openStore();
  const { db } = database;
  for (const repositoryId of [1, 2]) {
    const pull = { repositoryId, number: 5, title: "Resize", figures: repositoryId === 1 };
    await evaluatePull(db, pull, daysAgo(9));
    const [before, estimated, actual] = [decimal("90"), decimal("100"), decimal("125.5")];
    const totals = [{ currency: "USD", before, estimated, actual }];
    const afterMerge = { days: 7, compared: 1, workspaces: 1, totals };
    const change = { currency: "USD", estimated: decimal("10"), actual: decimal("35.5") };
    const parts = [{ kind: "module" as const, name: "web", ...change }];
    await setAfterMerge(db, { repositoryId, number: 5 }, { afterMerge, parts, now: daysAgo(1) });
    const place = { org: "o", project: "p", pipeline_execution_id: "e", pipeline_stage_id: "s" };
    const found = {
      ...place,
      savings: "34.5",
      currency: "USD",
      state: "marked",
      updated_at: daysAgo(1),
    } as const;
    await db
      .insertInto("applied_recommendations")
      .values(
        ["a", "b"].map((id) => ({ repository_id: repositoryId, number: 5, recommendation_id: id, ...found })),
      )
      .execute();
  }
  const row = { repository: "acme/shop", number: 5, title: "Resize", currency: "USD" };
  const at = daysAgo(1).toISOString();
  expect(await readRows(database, [1, 2], "/o/acme?format=json&table=estimates")).toEqual([
    {
      ...{ ...row, before: "90", estimated: "100", actual: "125.5", compared_at: at },
      ...{ estimated_change: "10", actual_change: "35.5", off_by: "25.5" },
      ...{ off_by_percent: "255", off_by_percent_of_whole: "25.5" },
    },
  ]);
  expect(await readRows(database, [1, 2], "/o/acme?format=json&table=accuracy")).toEqual([
    {
      ...{
        name: "web",
        kind: "module",
        repository: "acme/shop",
        currency: "USD",
        compared: 1,
        over: 1,
        under: 0,
      },
      ...{ bias_percent: "255", mean_percent: "255", median_percent: "255", low: "255", high: "255" },
    },
  ]);
  expect(await readRows(database, [2], "/o/acme?format=json&table=accuracy")).toEqual([]);
  expect(await readRows(database, [1, 2], "/o/acme?format=json&table=savings")).toEqual([
    { ...row, recommendation: "a", state: "marked", savings: "34.5", applied_at: at },
    { ...row, recommendation: "b", state: "marked", savings: "34.5", applied_at: at },
  ]);
  const { body } = await fetchAs(database, [1, 2], "/o/acme");
  const text = readText(body);
  expect(text).toContain("+$10.00 +$35.50 +$25.50 +255% +25.5%");
  expect(text).toContain("web module of acme/shop 1 +255% 1 over, 0 under 255% mean 255%");
  expect(body).toContain(
    'aria-label="Estimated and actual monthly change of the newest compared merges in USD.',
  );
  expect(text).toContain("Realised savings $69.00 a month");
});

test("an organisation's overview lists its repositories, where most waits first", async () => {
  const database = await openStore();
  for (let id = 10; id < 24; id += 1) await installRepository(database.db, { id, name: `acme/r${id}` });
  const ids = Array.from({ length: 14 }, (_, index) => index + 10);
  await evaluatePull(database.db, { repositoryId: 23, number: 1, verdict: "block" }, minutesAgo(9));
  await evaluatePull(database.db, { repositoryId: 22, number: 1 }, minutesAgo(9));
  const { body } = await fetchAs(database, ids, "/o/acme");
  const names = [...body.matchAll(/href="\/r\/acme\/(r\d+)"/g)].map(([, name]) => name);
  expect(names.slice(0, 2)).toEqual(["r23", "r10"]);
  expect(readText(body)).toContain("Page 1 of 2 · 14 rows");
  const rows = await readRows(database, ids, "/o/acme?format=json&table=repositories");
  expect(rows.find(({ repository }) => repository === "acme/r23")).toEqual({
    repository: "acme/r23",
    block: 1,
    approval: 0,
    undecided: 0,
    open: 1,
  });
});

test.each([
  [
    {
      state: "known",
      value: { recommendations: 3, monthly: { amount: decimal("120.5"), currency: "USD" }, isPartial: true },
    },
    "The platform counts 3 recommendations as applied in the last 90 days, in the cloud accounts that are granted here. Saved per month: at least $120.50 .",
  ],
  [
    { state: "known", value: { recommendations: 1, monthly: null, isPartial: true } },
    "The platform counts 1 recommendation as applied in the last 90 days, in the cloud accounts that are granted here. Saved per month: unknown .",
  ],
  [{ state: "unknown", reason: "timed_out" }, "granted here: unknown: the platform did not answer in time."],
  [{ state: "unknown", reason: "not_granted" }, null],
] as const)("what the platform counts as applied is shown as it is known: %j", async (fact, words) => {
  const database = await openStore();
  const url = await servePages(database, createReader([1]), NOW_MS, { readAppliedSavings: async () => fact });
  const text = readText(await (await fetch(`${url}/r/acme/shop`)).text());
  if (words === null) expect(text).not.toContain("granted here");
  else expect(text).toContain(words);
});
