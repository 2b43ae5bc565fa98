import { afterAll, describe, expect, it } from "vitest";
import type { Finding } from "../../../src/policy/model/finding.ts";
import { countWeeks, listViolations, readRuleStatistics } from "../../../src/store/history/rule-outcomes.ts";
import { evaluatedSituation, finding, passed, report, stage } from "../../render/evaluation-builder.ts";
import { usualEngines } from "../../world/engines.ts";
import { day, Team } from "./team.ts";

const SPAN = { from: day(0), to: day(100) };
const DAY_MS = 86_400_000;
const NONE = { undecided: 0, approved: 0, waived: 0, overridden: 0, open: 0 };

describe.each(usualEngines())("the statistics of a rule, on $name", async ({ open }) => {
  let team: Team;
  let repositoryId = 300;
  const store = await open();
  team = new Team(store.db);
  afterAll(() => store.close());

  async function begins(): Promise<void> {
    repositoryId += 1;
    await team.owns(repositoryId, `r${repositoryId}`);
  }
  const pushes = (number: number, at: number, findings: readonly Finding[], to = "600") =>
    team.pushes({
      repositoryId,
      number,
      at: day(at),
      head: `${at}`,
      made: { report: report([stage("prod", ["0", to])]), situation: evaluatedSituation("block", findings) },
    });
  const ends = (number: number, as: "merged" | "closed", at: number) =>
    team.ends(number, as, day(at), repositoryId);
  const statistics = async (span = SPAN) =>
    (await readRuleStatistics(store.db, { repositoryIds: [repositoryId], span })).rules;

  it("count what it blocked, and how and after which time each block ended", async () => {
    await begins();
    await pushes(1, 1, [finding("jump")]);
    await pushes(1, 3, [passed("jump")], "20");
    await pushes(2, 1, [finding("jump")]);
    await pushes(2, 5, [finding("jump", { approved: true })]);
    await pushes(3, 1, [finding("jump", { waiver: { owner: "o", reason: "r", untilMs: 1 } })]);
    await pushes(4, 1, [finding("jump")]);
    await ends(4, "merged", 9);
    await pushes(5, 1, [finding("jump")]);
    await ends(5, "closed", 2);
    await pushes(6, 1, [finding("jump")]);
    await pushes(7, 1, [passed("jump")]);
    const [jump, ...others] = await statistics();
    expect(others).toEqual([]);
    expect(jump).toEqual({
      ...{ rule: "jump", enforce: "block", repositories: 1, pulls: 7, evaluations: 9, notApplicable: 0 },
      ...{ violated: 6, blocked: 5, undecided: 0, approved: 1, waived: 1 },
      ...{ overridden: 1, open: 1 },
      medianResolutionMs: 3 * DAY_MS,
      prevented: { amounts: [{ currency: "USD", change: "600", pulls: 1 }], unknown: 0, hidden: 0 },
      warned: 0,
    });
  });

  it("count a block again as open when the pull request is blocked again, and its end from the first block", async () => {
    await begins();
    await pushes(1, 1, [finding("jump")]);
    await pushes(1, 2, [passed("jump")], "20");
    await pushes(1, 3, [finding("jump")], "700.5");
    expect(await statistics()).toMatchObject([{ ...NONE, blocked: 1, open: 1, medianResolutionMs: null }]);
    await pushes(1, 4, [passed("jump")], "20");
    expect(await statistics()).toMatchObject([{ ...NONE, blocked: 1, medianResolutionMs: 3 * DAY_MS }]);
  });

  it("count a block as open again when the pull request is opened again as it was, and then how it ended", async () => {
    await begins();
    const made = { situation: evaluatedSituation("block", [finding("jump")]) };
    const opens = (at: number) => team.pushes({ repositoryId, number: 1, at: day(at), made });
    await opens(1);
    await ends(1, "closed", 2);
    expect(await statistics()).toMatchObject([{ ...NONE, blocked: 1 }]);
    await opens(3);
    expect(await statistics()).toMatchObject([{ ...NONE, blocked: 1, open: 1, medianResolutionMs: null }]);
    await ends(1, "merged", 5);
    expect(await statistics()).toMatchObject([
      { ...NONE, overridden: 1, medianResolutionMs: 4 * DAY_MS, evaluations: 1 },
    ]);
  });

  it("leave out verdicts outside the span of time, drafts, and rules that did not apply", async () => {
    await begins();
    await pushes(1, 1, [finding("jump", { outcome: "not_applicable", measured: null })]);
    const draft = {
      kind: "draft",
      missing: [],
      verdict: { kind: "block", findings: [finding("jump")] },
    } as const;
    await team.pushes({ repositoryId, number: 2, at: day(1), made: { situation: draft } });
    expect(await statistics()).toMatchObject([{ pulls: 0, notApplicable: 1, violated: 0 }]);
    expect(await statistics({ from: day(2), to: day(3) })).toEqual([]);
    expect(await statistics({ from: day(0), to: day(1) })).toEqual([]);
    expect(await (await readRuleStatistics(store.db, { repositoryIds: [], span: SPAN })).rules).toEqual([]);
  });

  it("tell no amount where readers may not see figures", async () => {
    await begins();
    await pushes(1, 1, [finding("jump")]);
    await team.owns(repositoryId, `r${repositoryId}`, false);
    expect(await statistics()).toMatchObject([{ blocked: 1, prevented: { amounts: [], hidden: 0 } }]);
    await ends(1, "closed", 2);
    expect(await statistics()).toMatchObject([{ prevented: { amounts: [], unknown: 0, hidden: 1 } }]);
  });

  it("say what was prevented: the largest change while it blocked minus what was merged, once in all", async () => {
    await begins();
    const both = [finding("jump"), finding("total")];
    await pushes(1, 1, [finding("jump")], "900.5");
    await pushes(1, 2, both, "600");
    await pushes(1, 3, [finding("jump", { approved: true }), passed("total")], "200");
    await ends(1, "merged", 4);
    await pushes(2, 1, [finding("jump")], "50");
    await pushes(2, 2, [passed("jump")], "70"); // merged with more than was blocked
    await ends(2, "merged", 3);
    await pushes(3, 1, [finding("jump", { enforce: "warn" })], "5000");
    await ends(3, "closed", 2);
    await pushes(4, 1, both, "7"); // still open
    const { rules, prevented } = await readRuleStatistics(store.db, {
      repositoryIds: [repositoryId],
      span: SPAN,
    });
    const usd = (change: string) => ({
      amounts: [{ currency: "USD", change, pulls: 1 }],
      unknown: 0,
      hidden: 0,
    });
    expect(rules.map((one) => [one.rule, one.prevented])).toEqual([
      ["jump", usd("700.5")],
      ["total", usd("400")],
    ]);
    expect(prevented).toEqual(usd("700.5"));
  });

  it("give a rule that only warns its time from the first violation until it passed", async () => {
    await begins();
    const warning = finding("jump", { enforce: "warn" });
    await pushes(1, 1, [warning]);
    await pushes(1, 2, [passed("jump")]);
    await pushes(1, 3, [warning]);
    expect(await statistics()).toMatchObject([{ violated: 1, warned: 1, medianResolutionMs: null }]);
    await pushes(1, 6, [passed("jump")]);
    await pushes(2, 1, [warning]);
    await ends(2, "merged", 2);
    expect(await statistics()).toMatchObject([
      { ...NONE, violated: 2, warned: 2, blocked: 0, medianResolutionMs: 5 * DAY_MS },
    ]);
  });

  it("list the pull requests that violated it, by week and one by one", async () => {
    await begins();
    await pushes(1, 1, [finding("jump")], "600");
    await pushes(1, 3, [passed("jump")], "20");
    await pushes(2, 8, [finding("jump", { enforce: "warn" })], "70");
    await pushes(3, 8, [passed("jump")], "5");
    const selection = { repositoryIds: [repositoryId], span: { from: day(0), to: day(15) }, rule: "jump" };
    expect(await countWeeks(store.db, selection)).toMatchObject([
      { violated: 1, blocked: 1 },
      { violated: 1, blocked: 0 },
      { violated: 0, blocked: 0 },
    ]);
    expect(await listViolations(store.db, selection, 10)).toMatchObject([
      { number: 2, effect: "warned", resolution: null, state: "open", totals: [{ change: "70" }] },
      { number: 1, resolution: "changed", resolutionMs: 2 * DAY_MS, totals: [{ change: "600" }] },
    ]);
    expect(await listViolations(store.db, { ...selection, rule: "other" }, 10)).toEqual([]);
    await team.owns(repositoryId, "hidden", false);
    expect(await listViolations(store.db, selection, 1)).toMatchObject([{ figures: false, totals: [] }]);
  });
});
