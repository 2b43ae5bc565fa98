import { afterAll, describe, expect, it } from "vitest";
import type { Finding } from "../../../src/policy/model/finding.ts";
import { listRuleStatistics } from "../../../src/store/history/rule-outcomes.ts";
import { evaluatedSituation, finding, passed, report, stage } from "../../render/evaluation-builder.ts";
import { usualEngines } from "../../world/engines.ts";
import { day, Team } from "./team.ts";

const SPAN = { from: day(0), to: day(100) };
const DAY_MS = 86_400_000;
const NONE = { undecided: 0, approved: 0, waived: 0, overridden: 0, changed: 0, abandoned: 0, open: 0 };

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
  const statistics = async (span = SPAN) => listRuleStatistics(store.db, [repositoryId], span);

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
      ...{ overridden: 1, changed: 1, abandoned: 1, open: 1 },
      medianResolutionMs: 3 * DAY_MS,
      concerned: [{ currency: "USD", change: "3000", pulls: 5 }],
      lastAt: day(5),
    });
  });

  it("count a block again as open when the pull request is blocked again, and its end from the first block", async () => {
    await begins();
    await pushes(1, 1, [finding("jump")]);
    await pushes(1, 2, [passed("jump")], "20");
    await pushes(1, 3, [finding("jump")], "700.5");
    expect(await statistics()).toMatchObject([{ ...NONE, blocked: 1, open: 1, medianResolutionMs: null }]);
    await pushes(1, 4, [passed("jump")], "20");
    expect(await statistics()).toMatchObject([
      {
        ...{ ...NONE, blocked: 1, changed: 1, medianResolutionMs: 3 * DAY_MS },
        concerned: [{ change: "700.5", currency: "USD", pulls: 1 }],
      },
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
    expect(await statistics()).toMatchObject([{ pulls: 0, notApplicable: 1, violated: 0, lastAt: day(1) }]);
    expect(await statistics({ from: day(2), to: day(3) })).toEqual([]);
    expect(await statistics({ from: day(0), to: day(1) })).toEqual([]);
    expect(await listRuleStatistics(store.db, [], SPAN)).toEqual([]);
  });

  it("tell no amount where readers may not see figures", async () => {
    await begins();
    await pushes(1, 1, [finding("jump")]);
    await team.owns(repositoryId, `r${repositoryId}`, false);
    expect(await statistics()).toMatchObject([{ blocked: 1, concerned: [] }]);
  });
});
