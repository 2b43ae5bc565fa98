import { afterAll, describe, expect, it } from "vitest";
import type { TagReport } from "../../../src/report/model/report.ts";
import {
  listOpenPulls,
  type OpenPullFilter,
  sumOpenChanges,
  sumOpenTags,
} from "../../../src/store/history/open-pulls.ts";
import { listFigureRepositories } from "../../../src/store/history/readable.ts";
import {
  evaluatedSituation,
  finding,
  report,
  stage,
  tagLine,
  unknownStage,
} from "../../render/evaluation-builder.ts";
import { usualEngines } from "../../world/engines.ts";
import { day, Team } from "./team.ts";

const FINOPS = {
  groups: [{ teams: ["finops"], users: ["ada"], permission: null, count: 1 }],
  reviews: false,
};
const BLOCKED = evaluatedSituation("block", [finding("monthly-increase", { approve: FINOPS })]);
const APPROVALS = {
  live: [],
  lapsed: [],
  missing: [{ rule: "monthly-increase", groups: [{ group: 0, lacks: 1 }] }],
  offer: { commands: [], rules: ["monthly-increase"], opensGate: true, why: null },
};
const cost = (from: string, to: string) => report([stage("prod", [from, to])]);
const FIRST = { sort: "change", direction: "desc", limit: 50, offset: 0 } as const;

describe.each(usualEngines())("open pull requests, on $name", async ({ open }) => {
  const ALL = { repositoryIds: [1, 2, 3] };
  const numbers = async (filter: Partial<OpenPullFilter> = {}, page = {}) =>
    (await listOpenPulls(store.db, { ...ALL, ...filter }, { ...FIRST, ...page })).pulls.map(
      ({ number }) => number,
    );

  const store = await open();
  const team = new Team(store.db);
  await team.owns(1, "shop");
  await team.owns(2, "billing");
  await team.owns(3, "site", false);
  await team.owns(4, "elsewhere");
  await team.pushes({ number: 1, at: day(1), made: { report: cost("10", "110.10") } });
  await team.pushes({
    number: 2,
    at: day(2),
    author: "Bob",
    title: "100% _larger_",
    made: { report: cost("0", "900.20"), situation: BLOCKED, approvals: APPROVALS },
  });
  await team.pushes({ number: 3, at: day(3), made: { report: cost("50", "20") } });
  await team.pushes({
    number: 4,
    at: day(3),
    made: { report: report([unknownStage("prod")]), situation: BLOCKED },
  });
  await team.pushes({
    repositoryId: 2,
    number: 5,
    at: day(4),
    made: { report: report([stage("staging", ["0", "7"], { currency: "EUR", name: "Staging" })]) },
  });
  const hidden = { pull: { figures: false }, report: cost("0", "5000") };
  await team.pushes({ repositoryId: 3, number: 6, at: day(4), made: hidden });
  await team.pushes({ repositoryId: 4, number: 7, at: day(4), made: { report: cost("0", "1") } });
  await team.pushes({ number: 8, at: day(4), made: { report: cost("0", "1") } });
  await team.ends(8, "merged", day(5));
  afterAll(() => store.close());

  it("are those of readable repositories, by currency and change, unknown and hidden ones last", async () => {
    expect(await numbers()).toEqual([2, 1, 3, 5, 4, 6]);
    expect(await numbers({ repositoryIds: new Set([2]) })).toEqual([5]);
    expect(await numbers({ repositoryIds: [] })).toEqual([]);
  });

  it("have a page of their own and the number of all", async () => {
    const page = await listOpenPulls(store.db, ALL, { ...FIRST, sort: "opened", limit: 2, offset: 1 });
    expect(page.pulls.map(({ number }) => number)).toEqual([6, 4]);
    expect(page.total).toBe(6);
  });

  it("are found by outcome, stage, author, approver and text, which is no pattern", async () => {
    expect(await numbers({ outcomes: ["approval"] })).toEqual([2]);
    expect(await numbers({ outcomes: ["block", "approval"] })).toEqual([2, 4]);
    expect(await numbers({ stage: "Staging" })).toEqual([5]);
    expect(await numbers({ stage: "staging" })).toEqual([5]);
    expect(await numbers({ author: "bob" })).toEqual([2]);
    expect(await numbers({ approver: "acme/finops" })).toEqual([2]);
    expect(await numbers({ text: "100%" })).toEqual([2]);
    expect(await numbers({ text: "%" })).toEqual([2]);
    expect(await numbers({ text: "BILLING" })).toEqual([5]);
    expect(await numbers({ text: "#3" })).toEqual([3]);
    expect(await numbers({ isIncrease: true })).toEqual([2, 1, 5]);
  });

  it("say what is known of them, and no amount where figures are hidden", async () => {
    const { pulls } = await listOpenPulls(store.db, ALL, FIRST);
    const sums = (totals: (typeof pulls)[number]["totals"]) =>
      totals.map(({ change, currency }) => `${change} ${currency}`).join();
    expect(
      pulls.map(({ number, outcome, cost, totals, waitingFor, repository, author }) =>
        [number, repository, author, outcome, cost, sums(totals), waitingFor.join()].join(" | "),
      ),
    ).toEqual([
      "2 | acme/shop | Bob | approval | known | 900.2 USD | acme/finops,ada",
      "1 | acme/shop | alice | pass | known | 100.1 USD | ",
      "3 | acme/shop | alice | pass | known | -30 USD | ",
      "5 | acme/billing | alice | pass | known | 7 EUR | ",
      "4 | acme/shop | alice | block | unknown |  | ",
      "6 | acme/site | alice | pass | hidden |  | ",
    ]);
  });

  it("are summed up by outcome and currency; what is unknown or hidden is counted and in no sum", async () => {
    const sum = (change: string, currency: string, pulls: number) => ({ change, currency, pulls });
    expect(await sumOpenChanges(store.db, ALL)).toEqual([
      { outcome: "block", pulls: 1, unknown: 1, hidden: 0, sums: [] },
      { outcome: "approval", pulls: 1, unknown: 0, hidden: 0, sums: [sum("900.2", "USD", 1)] },
      { outcome: "pass", pulls: 4, unknown: 0, hidden: 1, sums: [sum("7", "EUR", 1), sum("70.1", "USD", 2)] },
    ]);
    expect(await sumOpenChanges(store.db, { ...ALL, text: "billing" })).toEqual([
      { outcome: "pass", pulls: 1, unknown: 0, hidden: 0, sums: [sum("7", "EUR", 1)] },
    ]);
  });

  it("show no figures once their repository's readers may not see any", async () => {
    const team = new Team(store.db);
    await team.owns(2, "billing", false);
    const { pulls } = await listOpenPulls(store.db, { repositoryIds: [2] }, FIRST);
    expect(pulls.map(({ totals }) => totals)).toEqual([[]]);
    expect(await sumOpenChanges(store.db, { repositoryIds: [2] })).toMatchObject([
      { sums: [], hidden: 1, unknown: 0 },
    ]);
    expect(await numbers({ repositoryIds: [2], isIncrease: true })).toEqual([]);
    await team.owns(2, "billing");
  });

  it("are found and summed by tag, also what has none or an unknown one, as long as readers may see figures", async () => {
    const team = new Team(store.db);
    await team.owns(20, "tagged");
    await team.owns(21, "secret");
    const web = (change: string, more = {}) => tagLine("value", change, { value: "web", ...more });
    const partly = { state: "partial", because: ["partly_estimated"] } as const;
    const push = (
      number: number,
      repositoryId: number,
      lines: readonly TagReport[],
      { at = day(1), figures = true } = {},
    ) =>
      team.pushes({
        repositoryId,
        number,
        at,
        facts: `${at}`,
        made: {
          pull: { figures },
          report: report([stage("prod", ["0", "9"])], { byTag: { key: "team", lines } }),
        },
      });
    await push(1, 20, [web("5.5"), tagLine("untagged", "3"), web("0", { value: "idle" })]);
    await push(2, 20, [web("700"), tagLine("unknown", "1")]);
    await push(2, 20, [web("-2"), web("4", { currency: "EUR" })], { at: day(2) });
    await push(3, 20, [web("100", partly), tagLine("value", "1", { value: "untagged" })]);
    await push(4, 21, [web("1")]);
    await push(5, 20, [web("90")], { figures: false });
    const here = { repositoryIds: [20, 21] };
    const found = (kind: "value" | "untagged" | "unknown", value: string | null = null) =>
      numbers({ ...here, tag: { kind, value } });
    const sums = async () =>
      (await sumOpenTags(store.db, here)).map(
        ({ key, kind, value, currency, change, pulls, unknown }) =>
          `${key} ${value ?? kind}: ${change} ${currency} of ${pulls}, ${unknown} unknown`,
      );
    expect(await found("value", "web")).toEqual([3, 2, 1, 4]);
    expect(await found("value", "idle")).toEqual([]);
    expect(await found("untagged")).toEqual([1]);
    expect(await found("unknown")).toEqual([]);
    expect(await sums()).toEqual([
      "team web: 4.5 USD of 4, 1 unknown",
      "team untagged: 1 USD of 1, 0 unknown",
      "team web: 4 EUR of 1, 0 unknown",
      "team untagged: 3 USD of 1, 0 unknown",
    ]);
    const listed = await listOpenPulls(store.db, { repositoryIds: [20], text: "#2" }, FIRST);
    expect(listed.pulls.map(({ tags }) => tags.map(({ value, change }) => [value, change]))).toEqual([
      [
        ["web", "-2"],
        ["web", "4"],
      ],
    ]);
    await team.owns(21, "secret", false);
    const withFigures = await listFigureRepositories(store.db, [20, 21]);
    expect(withFigures.map(({ repositoryId }) => repositoryId)).toEqual([20]);
    expect(await found("value", "web")).toEqual([3, 2, 1]);
    expect((await sums())[0]).toBe("team web: 3.5 USD of 3, 1 unknown");
    const secret = await listOpenPulls(store.db, { repositoryIds: [21] }, FIRST);
    expect(secret.pulls.map(({ tags }) => tags)).toEqual([[]]);
    const rows = await store.db
      .selectFrom("evaluation_tags")
      .select("value")
      .where("change", "=", "700")
      .execute();
    expect(rows).toEqual([]); // of an earlier evaluation there are none
  });

  it("wait for an evaluation after a push, and have no outcome before the first", async () => {
    const team = new Team(store.db);
    await team.owns(10, "new");
    await team.pushes({ repositoryId: 10, number: 1, at: day(1), made: { report: cost("0", "1") } });
    await store.db
      .updateTable("pulls")
      .set({ head_sha: "f".repeat(40) })
      .where("repository_id", "=", 10)
      .execute();
    const outcome = async () =>
      (await listOpenPulls(store.db, { repositoryIds: [10] }, FIRST)).pulls.map((pull) => pull.outcome);
    expect(await outcome()).toEqual(["pending"]);
    await store.db.deleteFrom("evaluations").where("repository_id", "=", 10).execute();
    expect(await outcome()).toEqual(["none"]);
    expect(await sumOpenChanges(store.db, { repositoryIds: [10] })).toMatchObject([
      { outcome: "none", unknown: 1 },
    ]);
  });
});
