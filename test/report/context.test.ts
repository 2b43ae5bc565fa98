import { describe, expect, it } from "vitest";
import { buildReport } from "../../src/report/build.ts";
import { NO_CONTEXT, type Schedule } from "../../src/report/model/context.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { cost, counts, facts, group, known, listed, resource, row, stage } from "./facts.ts";

describe("drift in a stage's change of cost", () => {
  const web = resource("aws_vm.web", "40 > 10");
  const db = resource("aws_db.db", "10 > 60");
  const drifted = (
    but: Partial<StageFacts> = {},
    rows = ["drifted aws_vm.web", "changed aws_vm.web", "changed aws_db.db"],
  ) =>
    stage({
      cost: known(
        cost("50 > 70", { groups: [group("aws_vm", "40 > 10", [web]), group("aws_db", "10 > 60", [db])] }),
      ),
      counts: known(counts({ drifted: 1, changed: 2 })),
      // kinds that exist
      rows: listed(...rows.map((text) => row(text.split(" ")[1] ?? "", text.split(" ")[0] as "changed"))),
      ...but,
    });
  const splitOf = (one: StageFacts) => buildReport(facts(one), { stages: [] }).drift;

  it("is separate from the change itself where the plan touches what drifted", () => {
    expect(splitOf(drifted())).toEqual([
      expect.objectContaining({ currency: "USD", split: { drift: "-30", own: "50" } }),
    ]);
  });

  it("is none of it where the plan leaves alone what drifted", () => {
    const alone = drifted({}, ["drifted aws_vm.web", "changed aws_db.db"]);
    expect(splitOf(alone)).toMatchObject([{ split: { drift: "0", own: "20" } }]);
  });

  it("is not spoken of where nothing drifted", () => {
    expect(splitOf(stage())).toEqual([]);
  });

  it.each<[string, Partial<StageFacts>]>([
    ["rows are not known", { rows: { state: "unknown", reason: "not_indexed" } }],
    ["not every drifted resource was read", { counts: known(counts({ drifted: 2 })) }],
    [
      "the plan may touch it in rows that were not read",
      { rows: known({ rows: [row("aws_vm.web", "drifted")], omitted: 0, unread: 5 }) },
    ],
    ["the execution failed", { status: "failed" }],
    [
      "what a resource costs is not stated",
      {
        cost: known(
          cost("50 > 70", { groups: [group("aws_vm", "40 > ?", [resource("aws_vm.web", "40 > ?")])] }),
        ),
      },
    ],
  ])("is not stated where %s", (_, but) => {
    expect(splitOf(drifted(but))).toMatchObject([{ split: null }]);
  });
});

describe("what is destroyed again by itself", () => {
  const HOUR = 3_600_000;
  const schedule = (but: Partial<Schedule> = {}): Schedule => ({
    org: "default",
    project: "payments",
    provisioner: "iac_tool_1",
    driftEveryMs: null,
    lifetime: { ms: 73 * HOUR, onDate: null },
    ...but,
  });
  const lifetimes = (schedules: readonly Schedule[], but: Partial<StageFacts> = {}) =>
    buildReport(
      {
        ...facts(stage({ cost: known(cost("0 > 730")), ...but })),
        context: { ...NO_CONTEXT, schedules: known(schedules) },
      },
      { stages: [] },
    ).lifetimes;

  it("costs a tenth of a month in 73 hours", () => {
    expect(lifetimes([schedule()])).toEqual([
      expect.objectContaining({ currency: "USD", lifetimeMs: 73 * HOUR, amount: "73" }),
    ]);
  });

  it.each<[string, readonly Schedule[], Partial<StageFacts>]>([
    ["it stays", [schedule({ lifetime: null })], {}],
    ["the schedule is another project's", [schedule({ project: "other" })], {}],
    ["a day may end it before", [schedule({ lifetime: { ms: HOUR, onDate: "2026-05-01" } })], {}],
    [
      "provisioners differ",
      [schedule(), schedule({ provisioner: "x", lifetime: { ms: HOUR, onDate: null } })],
      {},
    ],
    ["its cost is not known", [schedule()], { cost: { state: "unknown", reason: "not_estimated" } }],
  ])("has no cost per lifetime where %s", (_, schedules, but) => {
    expect(lifetimes(schedules, but)).toEqual([]);
  });
});
