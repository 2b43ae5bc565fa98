import { afterAll, describe, expect, it } from "vitest";
import { decimal } from "../../../src/kernel/money.ts";
import { saveAppliedRecommendations } from "../../../src/store/after-merge/applied-recommendations.ts";
import { recordMerge } from "../../../src/store/after-merge/merged-pulls.ts";
import { recordPlans } from "../../../src/store/after-merge/workspace-costs.ts";
import { setAfterMerge } from "../../../src/store/evaluations.ts";
import { listModuleRanges } from "../../../src/store/history/accuracy.ts";
import {
  listComparisons,
  listPartAccuracy,
  listSavings,
  sumSavings,
} from "../../../src/store/history/merged-changes.ts";
import { sumMergedPulls } from "../../../src/store/history/merged-pulls.ts";
import { listWaitingApprovals } from "../../../src/store/history/open-pulls.ts";
import { listBudgets, listEndingWaivers } from "../../../src/store/history/policies.ts";
import { savePolicy } from "../../../src/store/history/write-evaluation.ts";
import { policy } from "../../policy/policies.ts";
import { evaluatedSituation, finding, report, stage } from "../../render/evaluation-builder.ts";
import { usualEngines } from "../../world/engines.ts";
import { mergeOutcome } from "../merge-outcome.ts";
import { day, Team } from "./team.ts";

const POLICY = `
stages:
  - { match: { workspace: "prod*" }, name: production }
rules:
  - { id: jump, limit: { increase: 100 USD } }
budgets:
  - { id: shop-budget, scope: { stages: [production] }, amount: 1000 USD }
waivers:
  - { rule: jump, until: 2026-03-20, up_to: 300 USD, reason: "load test", owner: finops }
  - { rule: jump, until: 2026-12-31, up_to: 400 USD, reason: "later", owner: finops }
`;

const needs = (rules: readonly string[], teams: readonly string[]) => ({
  situation: evaluatedSituation(
    "block",
    rules.map((rule) =>
      finding(rule, {
        approve: { groups: [{ teams, users: [], permission: null, count: 1 }], reviews: false },
      }),
    ),
  ),
  approvals: {
    live: [],
    lapsed: [],
    missing: rules.map((rule) => ({ rule, groups: [{ group: 0, lacks: 1 }] })),
    offer: { commands: [], rules, opensGate: true, why: null },
  },
});

const TODAY = { day: "2026-03-10", yearStart: "01-01" };

const SPAN = { from: day(0), to: day(60) };

describe.each(usualEngines())("the overview, on $name", async ({ open }) => {
  let team: Team;
  let repositoryId = 200;
  const store = await open();
  team = new Team(store.db);
  afterAll(() => store.close());

  async function begins(): Promise<void> {
    repositoryId += 1;
    await team.owns(repositoryId, `r${repositoryId}`);
  }
  /** The figures of the repository are hidden from now on. */
  const becomesPublic = () => team.owns(repositoryId, `r${repositoryId}`, false);
  const pushes = (number: number, rest: Partial<Parameters<Team["pushes"]>[0]> = {}) =>
    team.pushes({ repositoryId, number, at: day(number), ...rest });
  const cost = (to: string, workspace = "prod") => report([stage(workspace, ["0", to])]);

  it("says which team has most approvals to give, since when, and for which change", async () => {
    await begins();
    const both = needs(["jump", "jump-2"], ["finops", "sre"]);
    await pushes(1, { made: { report: cost("600"), ...both } });
    await pushes(2, { made: { report: cost("20.5"), ...needs(["jump"], ["finops"]) } });
    await pushes(3, { made: { report: cost("7"), ...needs(["jump"], ["finops"]) } });
    await team.ends(3, "closed", day(4), repositoryId);
    const listed = await listWaitingApprovals(store.db, [repositoryId]);
    expect(listed).toEqual([
      {
        approver: "acme/finops",
        unknown: 0,
        hidden: 0,
        pulls: 2,
        oldestAt: day(1),
        sums: [{ currency: "USD", change: "620.5", pulls: 2 }],
      },
      {
        approver: "acme/sre",
        unknown: 0,
        hidden: 0,
        pulls: 1,
        oldestAt: day(1),
        sums: [{ currency: "USD", change: "600", pulls: 1 }],
      },
    ]);
    await becomesPublic();
    expect((await listWaitingApprovals(store.db, [repositoryId])).map(({ sums }) => sums)).toEqual([[], []]);
  });

  it("says of each budget what it is used for, what open pull requests would add, and what is unknown", async () => {
    await begins();
    await savePolicy(store.db, { policyBlobs: "b1", policy: policy(POLICY) }, day(1));
    const place = { org: "default", project: "payments" };
    const plan = (workspace: string, before: string, currency = "USD") => {
      return { ...place, workspace, before: decimal(before), currency, plannedMs: 1 };
    };
    await recordPlans(store.db, repositoryId, [
      plan("prod", "400"),
      plan("prod-eu", "50.25"),
      plan("staging", "9999"),
    ]);
    await pushes(1, { made: { report: cost("600") } });
    await pushes(2, { made: { report: report([stage("prod", ["400", "100"])]) } });
    const [budget] = await listBudgets(store.db, [repositoryId], TODAY);
    expect(budget).toMatchObject({
      rule: "shop-budget",
      baseRef: "main",
      limit: { amount: "1000", currency: "USD" },
      period: null,
      used: "450.25",
      forecast: "450.25",
      withOpen: "1050.25",
      pulls: 1,
      unknown: [],
    });
    await recordPlans(store.db, repositoryId, [plan("prod-us", "5", "EUR")]);
    expect(await listBudgets(store.db, [repositoryId], TODAY)).toMatchObject([
      { used: "450.25", unknown: ["prod-us"] },
    ]);
    await becomesPublic();
    expect(await listBudgets(store.db, [repositoryId], TODAY)).toEqual([]);
  });

  it("says of a budget for a period what was merged in it until today, until its end, and with open pull requests", async () => {
    await begins();
    const quarter = policy(`budgets:
  - { id: grown, period: quarter, scope: { workspaces: ["prod*"] }, amount: 1000 USD }
  - { id: plain, amount: 9 USD }
  - { id: month, period: month, amount: 1000 USD }`);
    await savePolicy(store.db, { policyBlobs: "b1", policy: quarter }, day(1));
    const place = { org: "default", project: "payments", stage: "s", plannedMs: 1 };
    const merges = async (number: number, when: string, workspace: string, change: string | null) => {
      const [before, after] = [decimal("0"), change === null ? null : decimal(change)];
      const stages = [{ ...place, workspace, currency: change && "USD", before, after, change: after }];
      const merge = {
        repositoryId,
        number,
        mergedMs: Date.parse(`${when}Z`),
        compareMs: null,
        outcome: mergeOutcome(),
      };
      await recordMerge(store.db, merge, stages);
    };
    await merges(11, "2026-01-31T23:59:59.999", "prod", "5000");
    await merges(12, "2026-02-01T00:00:00", "prod", "28");
    await merges(13, "2026-02-28T23:59:59.999", "prod-eu", "28");
    await merges(14, "2026-03-10T09:00:00", "prod", "-31");
    await merges(15, "2026-03-31T09:00:00", "prod", "31");
    await merges(16, "2026-02-15T09:00:00", "dev", "777");
    await pushes(1, { made: { report: cost("62") } });
    const list = (now: string, yearStart = "02-01") =>
      listBudgets(store.db, [repositoryId], { day: now, yearStart });
    const [grown, plain, month] = await list("2026-03-10");
    // February 28 + 1, of March ten days of 56, less one day of 31
    expect(grown).toMatchObject({
      rule: "grown",
      period: { from: "2026-02-01", to: "2026-04-30" },
      unknown: [],
    });
    expect([grown?.used, grown?.forecast, grown?.withOpen]).toEqual(["46.064516129", "120", "226"]);
    expect(plain).toMatchObject({ period: null, pulls: 1 });
    expect(month).toMatchObject({ used: "-1", forecast: "-21", period: { unit: "month", to: "2026-03-31" } });
    expect((await list("2026-05-01"))[0]).toMatchObject({ used: "0", forecast: "0", withOpen: "186" });
    expect((await list("2026-03-10", "01-01"))[0]?.period?.from).toBe("2026-01-01");
    await merges(17, "2026-03-09T09:00:00", "prod-us", null);
    expect((await list("2026-03-10"))[0]).toMatchObject({ used: "46.064516129", unknown: ["prod-us"] });
    await becomesPublic();
    expect(await list("2026-03-10")).toEqual([]);
  });

  it("names the waivers that end soon, once for all base branches, without their amount where figures are hidden", async () => {
    await begins();
    await savePolicy(store.db, { policyBlobs: "b1", policy: policy(POLICY) }, day(1));
    await pushes(1);
    await pushes(2, { made: { pull: { baseRef: "release" } } });
    const soon = { fromMs: day(1).getTime(), toMs: day(30).getTime() };
    const listed = await listEndingWaivers(store.db, [repositoryId], soon);
    expect(listed).toMatchObject([
      {
        rule: "jump",
        upTo: { amount: "300", currency: "USD" },
        baseRefs: ["main", "release"],
        owner: "finops",
        isHidden: false,
      },
    ]);
    expect(await listEndingWaivers(store.db, [repositoryId], { ...soon, fromMs: soon.toMs })).toEqual([]);
    await becomesPublic();
    expect(await listEndingWaivers(store.db, [repositoryId], soon)).toMatchObject([
      { upTo: null, isHidden: true },
    ]);
  });

  it("adds what was merged by week and stage; unknown changes are counted, not added", async () => {
    await begins();
    const changes = (name: string, change: string | null) => {
      const place = { org: "o", project: "p", workspace: `w-${name}`, stage: name, plannedMs: 1 };
      if (change === null) return { ...place, currency: null, before: null, after: null, change: null };
      const after = decimal(change);
      return { ...place, currency: "USD", before: decimal("0"), after, change: after };
    };
    const sumStages = async () =>
      (await sumMergedPulls(store.db, { repositoryIds: [repositoryId], span: SPAN })).filter(
        ({ part }) => part === "stage",
      );
    const merges = (number: number, at: Date, stages: readonly (readonly [string, string | null])[]) =>
      recordMerge(
        store.db,
        { repositoryId, number, mergedMs: at.getTime(), compareMs: null, outcome: mergeOutcome() },
        stages.map(([name, change]) => changes(name, change)),
      );
    await merges(1, day(0), [["prod", "10.10"]]);
    await merges(2, day(6), [
      ["prod", "-4.05"],
      ["staging", null],
    ]);
    await merges(3, day(7), [["prod", "0.2"]]);
    const rows = await sumStages();
    const week = new Date(day(0).getTime() - 43_200_000);
    const next = new Date(week.getTime() + 7 * 86_400_000);
    expect(
      rows.toSorted((a, b) => Number(a.week) - Number(b.week) || (String(a.name) < String(b.name) ? -1 : 1)),
    ).toMatchObject([
      { week, name: "prod", currency: "USD", change: "6.05", pulls: 2, unknown: 0 },
      { week, name: "staging", currency: null, change: "0", pulls: 1, unknown: 1 },
      { week: next, name: "prod", currency: "USD", change: "0.2", pulls: 1, unknown: 0 },
    ]);
    await becomesPublic();
    expect(await sumStages()).toEqual([]);
  });

  it("adds what recommendations save, per currency, and lists them", async () => {
    await begins();
    const place = { org: "o", project: "p", pipeline_execution_id: "e", pipeline_stage_id: "s" };
    const saving = (recommendation_id: string, savings: string) => {
      return { ...place, recommendation_id, savings, currency: "USD" };
    };
    const key = { repositoryId, number: 1 };
    await saveAppliedRecommendations(store.db, key, {
      found: [saving("a", "10.10"), saving("b", "0.9")],
      now: day(1),
    });
    await pushes(1, { title: "Smaller machines" });
    expect(await sumSavings(store.db, [repositoryId], SPAN)).toEqual([
      { currency: "USD", savings: "11", recommendations: 2, pulls: 1, marked: 0 },
    ]);
    const listed = await listSavings(store.db, [repositoryId], { ...SPAN, limit: 1 });
    expect(listed).toMatchObject([{ title: "Smaller machines", recommendationId: "a", savings: "10.10" }]);
    await becomesPublic();
    expect(await sumSavings(store.db, [repositoryId], SPAN)).toEqual([]);
  });

  it("compares estimates with what was paid, once per currency however often it is saved", async () => {
    await begins();
    await pushes(1, { title: "Three zones" });
    const total = (currency: string, estimated: string, actual: string) => {
      return { currency, before: decimal("10"), estimated: decimal(estimated), actual: decimal(actual) };
    };
    const afterMerge = {
      ...{ days: 14, compared: 1, workspaces: 2 },
      totals: [total("USD", "80", "100.5"), total("EUR", "0", "3")],
    };
    const key = { repositoryId, number: 1 };
    await setAfterMerge(store.db, key, { afterMerge, now: day(20) });
    await setAfterMerge(store.db, key, { afterMerge, now: day(20) });
    const listed = await listComparisons(store.db, [repositoryId], { ...SPAN, limit: 10 });
    expect(listed).toMatchObject([
      { currency: "EUR", before: "10", estimated: "0", actual: "3", title: "Three zones" },
      { currency: "USD", before: "10", estimated: "80", actual: "100.5", days: 14 },
    ]);
    const later = { from: day(21), to: day(22), limit: 10 };
    expect(await listComparisons(store.db, [repositoryId], later)).toEqual([]);
    await becomesPublic();
    expect(await listComparisons(store.db, [repositoryId], { ...SPAN, limit: 10 })).toEqual([]);
  });

  /** Compares pull request `number`: each part as `kind name currency estimated > actual`. */
  async function compares(number: number, ...parts: readonly string[]) {
    await pushes(number, {});
    const afterMerge = { ...{ days: 7, compared: 1, workspaces: 1 }, totals: [] };
    const read = parts.map((part) => {
      const [kind, name = "", currency = "", estimated = "", , actual = ""] = part.split(" ");
      const amounts = { estimated: decimal(estimated), actual: decimal(actual) };
      return { kind: kind as "module" | "resource_type", name, currency, ...amounts }; // the two that tests write
    });
    await setAfterMerge(store.db, { repositoryId, number }, { afterMerge, parts: read, now: day(20) });
  }

  const listAccuracy = () => listPartAccuracy(store.db, [repositoryId], SPAN.from);

  it("knows how the changes of modules and resource types came out, each currency by itself", async () => {
    await begins();
    await compares(1, "module web USD 100 > 130", "module web EUR 10 > 5", "resource_type aws_lb USD 5 > 5");
    await compares(4, "module db USD 7 > 8", "module db USD -7 > -7");
    await compares(5, "module db USD 7 > 8", "module db USD -6.99 > 90"); // a percentage of a cent says nothing
    await compares(2, "module web USD -50 > -60", "module web USD -50 > -50");
    await compares(3, "module web USD 50 > 60");
    await compares(3, "module web USD 50 > 60");
    const none = { over: 0, under: 0 };
    const repository = `acme/r${repositoryId}`;
    expect(await listAccuracy()).toEqual([
      {
        ...{ kind: "resource_type", name: "aws_lb", currency: "USD", repository: null, ...none },
        ...{ compared: 1, median_percent: "0", mean_percent: "0", bias_percent: "0" },
        ...{ low: "0", high: "0" },
      },
      {
        ...{ kind: "module", name: "web", currency: "EUR", repository, ...none, under: 1 },
        ...{ compared: 1, median_percent: "50", mean_percent: "50", bias_percent: "-50" },
        ...{ low: "-50", high: "-50" },
      },
      {
        ...{ kind: "module", name: "web", currency: "USD", repository, over: 2, under: 1 },
        ...{ compared: 3, median_percent: "20", mean_percent: "20", bias_percent: "13.3" },
        ...{ low: "-10", high: "30" },
      },
    ]);
    expect(await listPartAccuracy(store.db, [repositoryId], day(21))).toEqual([]);
    expect(await listPartAccuracy(store.db, [repositoryId + 1], SPAN.from)).toEqual([]);
    await becomesPublic();
    expect(await listAccuracy()).toEqual([]);
  });

  it("leaves the outer tenths out of a module's range, in whatever order comparisons were made", async () => {
    await begins();
    const misses = [300, -5, 0, 10, 20, -40, 8, 12, 15, 13.4, -5, 9];
    for (const [at, miss] of misses.entries()) await compares(at + 1, `module web USD -100 > ${miss - 100}`);
    await compares(13, "module web EUR 1 > 2", "module db USD 1 > 2", "resource_type web USD 1 > 5");
    const range = { low: "-5", high: "20", compared: 12 };
    expect(await listAccuracy()).toContainEqual(expect.objectContaining(range));
    const list = (...modules: readonly string[]) =>
      listModuleRanges(store.db, repositoryId, { modules, least: 12 });
    expect(await list("web", "db")).toEqual([{ module: "web", currency: "USD", ...range }]);
    expect(await list("db", "cache")).toEqual([]);
  });
});
