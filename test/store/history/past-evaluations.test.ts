import { afterAll, describe, expect, it } from "vitest";
import { decimal } from "../../../src/kernel/money.ts";
import { enterLane } from "../../../src/store/database/lanes.ts";
import { findEvaluation, saveDecision } from "../../../src/store/evaluations.ts";
import { findPullEvaluation, listTimeline } from "../../../src/store/history/pull-history.ts";
import { evaluatedSituation, evaluation, finding, report, stage } from "../../render/evaluation-builder.ts";
import { usualEngines } from "../../world/engines.ts";
import { day, shaOf, Team } from "./team.ts";

const cost = (to: string) => report([stage("prod", ["0", to])]);
const BLOCKED = evaluatedSituation("block", [
  finding("monthly-increase"),
  finding("no-jump", { outcome: "undecided" }),
]);

describe.each(usualEngines())("past evaluations, on $name", async ({ open }) => {
  let team: Team;
  let repositoryId = 100;
  const timeline = (number = 1, limit = 100) => listTimeline(store.db, { repositoryId, number }, limit);

  const store = await open();
  team = new Team(store.db);
  afterAll(() => store.close());

  /** Each test has a repository of its own. */
  async function begins(figures = true): Promise<void> {
    repositoryId += 1;
    await team.owns(repositoryId, `r${repositoryId}`, figures);
  }
  const pushes = (at: number, rest: Partial<Parameters<Team["pushes"]>[0]> = {}) =>
    team.pushes({ repositoryId, number: 1, at: day(at), ...rest });

  it("are kept with what they came to when another result follows", async () => {
    await begins();
    await pushes(1, { head: "a", made: { report: cost("600"), situation: BLOCKED } });
    await pushes(2, { head: "b", made: { report: cost("20.50") } });
    const [first, second] = await timeline();
    expect(first).toMatchObject({
      decision: "failure",
      verdict: "block",
      totals: [{ currency: "USD", before: "0", after: "600", change: "600", state: "known" }],
      rules: [
        { rule: "monthly-increase", effect: "blocked" },
        { rule: "no-jump", effect: "undecided" },
      ],
      begunAt: day(1),
      endedAt: day(2),
    });
    expect(second).toMatchObject({ decision: "success", begunAt: day(2), endedAt: null, rules: [] });
    expect(first?.headSha).not.toBe(second?.headSha);
    expect(await timeline(1, 1)).toEqual([second]);
  });

  it("are found by their id as they were stored, and the newest without one", async () => {
    await begins();
    const made = await pushes(1, { head: "a", made: { report: cost("600"), situation: BLOCKED } });
    const next = await pushes(2, { head: "b", made: { report: cost("20.50") } });
    const [first, second] = await timeline();
    const key = { repositoryId, number: 1 };
    const past = await findPullEvaluation(store.db, key, first?.evaluationId ?? 0);
    expect(past).toMatchObject({ begunAt: day(1), evaluatedAt: day(1), endedAt: day(2) });
    expect(past?.stored.evaluation).toEqual(made);
    const newest = await findPullEvaluation(store.db, key, null);
    expect(newest?.evaluationId).toBe(second?.evaluationId);
    expect(newest?.stored.evaluation).toEqual(next);
    expect(await findPullEvaluation(store.db, { ...key, number: 2 }, first?.evaluationId ?? 0)).toBeNull();
    expect(await findPullEvaluation(store.db, { ...key, number: 2 }, null)).toBeNull();
  });

  it("do not grow when an evaluation is repeated, which keeps its id and its first time", async () => {
    await begins();
    await pushes(1, { made: { report: cost("600"), situation: BLOCKED } });
    const [first] = await timeline();
    await pushes(2, { made: { report: cost("600"), situation: BLOCKED } });
    expect(await timeline()).toEqual([first]);
    const found = await findPullEvaluation(store.db, { repositoryId, number: 1 }, null);
    expect(found).toMatchObject({ begunAt: day(1), evaluatedAt: day(2) });
    const [outcome] = await store.db
      .selectFrom("rule_outcomes")
      .selectAll()
      .where("repository_id", "=", repositoryId)
      .execute();
    expect(outcome).toMatchObject({ evaluations: 1, last_at: day(1) });
  });

  it("do not grow when only the use of a budget changed, and lists show the newer figures", async () => {
    await begins();
    const used = (amount: string, outcome: "violated" | "undecided" = "violated") =>
      evaluatedSituation("block", [
        finding("budget", { outcome, measured: { kind: "money", amount: decimal(amount), currency: "USD" } }),
      ]);
    await pushes(1, { made: { report: cost("600"), situation: used("700") } });
    const [first] = await timeline();
    await pushes(2, { made: { report: cost("600"), situation: used("800") } });
    const [newest, ...others] = await timeline();
    expect(others).toEqual([]);
    expect(newest).toMatchObject({ begunAt: day(1), rules: [{ rule: "budget", effect: "blocked" }] });
    expect(newest?.evaluationId).not.toBe(first?.evaluationId);
    for (const table of ["evaluation_totals", "evaluation_stages", "evaluation_rules"] as const) {
      const left = await store.db
        .selectFrom(table)
        .select("evaluation_id")
        .where("evaluation_id", "=", first?.evaluationId ?? 0)
        .execute();
      expect(left).toEqual([]);
    }
    await pushes(3, { made: { report: cost("600"), situation: used("800", "undecided") } });
    expect(await timeline()).toHaveLength(2);
    await pushes(4, { made: { report: cost("700"), situation: used("800", "undecided") } });
    expect(await timeline()).toHaveLength(3);
  });

  it("have no amount in any table when readers may not see figures", async () => {
    await begins(false);
    const situation = evaluatedSituation("block", [finding("monthly-increase")]);
    await pushes(1, { made: { report: cost("600"), situation, pull: { figures: false } } });
    const [only] = await timeline();
    expect(only).toMatchObject({ cost: "hidden", totals: [], verdict: "block" });
    const own = store.db.selectFrom("evaluation_totals").where("evaluation_id", "=", only?.evaluationId ?? 0);
    expect(await own.selectAll().execute()).toEqual([]);
  });

  it("show no figures once the repository's readers may not see any, although nothing else changed", async () => {
    await begins();
    await pushes(1, { made: { report: cost("600") } });
    await team.owns(repositoryId, "now-public", false);
    await pushes(2, { made: { report: cost("600"), pull: { figures: false } } });
    const shown = await timeline();
    expect(shown.map(({ totals, cost }) => ({ totals, cost }))).toEqual([
      { totals: [], cost: "known" },
      { totals: [], cost: "hidden" },
    ]);
    const past = await findPullEvaluation(store.db, { repositoryId, number: 1 }, shown[0]?.evaluationId ?? 0);
    expect(past?.stored.evaluation.pull.figures).toBe(false);
  });

  it("are kept whatever long names the platform gave", async () => {
    await begins();
    // Long and without repetition: an index compresses what repeats, and takes at most 2,704 bytes.
    const long = Array.from({ length: 200 }, (_, index) => shaOf(`${index}`)).join("\u0000");
    const named = ["a", "b"].map((end) => stage(`${long}${end}`, ["0", "600"], { currency: long }));
    const situation = evaluatedSituation("block", [finding("monthly-increase", { subject: long })]);
    await pushes(1, { made: { report: report(named), situation } });
    const [only] = await timeline();
    expect(only).toMatchObject({ verdict: "block", totals: [{ after: "1200" }] });
    const stages = await store.db
      .selectFrom("evaluation_stages")
      .select("workspace")
      .where("evaluation_id", "=", only?.evaluationId ?? 0)
      .execute();
    expect(stages).toHaveLength(2);
  });

  it("come from one run of a lane: a superseded run changes nothing", async () => {
    await begins();
    await pushes(1, { made: { report: cost("600") } });
    const key = { repositoryId, number: 1 };
    const superseded = await enterLane(store.db, `pull:${repositoryId}:1`, day(2));
    const current = await enterLane(store.db, `pull:${repositoryId}:1`, day(2));
    const save = (fence: typeof current, to: string) =>
      saveDecision(
        store.db,
        { evaluation: evaluation({ pull: key, report: cost(to) }), digest: to, policyBlobs: "" },
        { fence, now: day(2), budgetVersion: null },
      );
    const saved = await Promise.all([save(superseded, "1"), save(current, "2"), save(superseded, "3")]);
    expect(saved.map(({ state }) => state)).toEqual(["superseded", "saved", "superseded"]);
    expect((await timeline()).map(({ totals }) => totals[0]?.after)).toEqual(["600", "2"]);
    expect((await findEvaluation(store.db, key))?.digest).toBe("2");
  });
});
