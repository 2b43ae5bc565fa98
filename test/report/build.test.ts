import { describe, expect, test } from "vitest";
import { buildReport } from "../../src/report/build.ts";
import type { PullFacts } from "../../src/report/model/context.ts";
import { NO_FACTS } from "../../src/report/model/context.ts";
import type { StageCost, StageFacts } from "../../src/report/model/facts.ts";
import type { CostLine } from "../../src/report/model/report.ts";
import {
  amounts,
  cost,
  counts,
  facts,
  group,
  known,
  listed,
  moduleCost,
  resource,
  row,
  stage,
} from "./facts.ts";

const build = (pull: PullFacts) => buildReport(pull, { stages: [] });
const line = ({ before, after, change, percent, currency, state, because }: CostLine): string =>
  [`${before} > ${after} by ${change} (${percent}%) ${currency} ${state}`, ...because].join(" ");

describe("a stage's line", () => {
  const partly = (text: string) => cost(text, { completeness: "partial" });
  const first = (but: Partial<StageFacts>): string =>
    build(facts(stage(but)))
      .stages.map(line)
      .join();
  test.each<[string, StageCost, string]>([
    ["all known", cost("100 > 150"), "100 > 150 by 50 (50%) USD known"],
    ["rounded by its source", cost("0.01 > 0.01 by 0.01"), "0.01 > 0.01 by 0.01 (0%) USD known"],
    ["change beyond rounding", cost("1 > 2 by 0.98"), "1 > 2 by 0.98 (100%) USD inconsistent"],
    ["no change stated", cost("100 > 150 by ?"), "100 > 150 by null (50%) USD partial not_stated"],
    ["no previous stated", cost("? > 150 by 50"), "null > 150 by 50 (null%) USD partial not_stated"],
    ["a part not estimated", partly("0 > 0"), "0 > 0 by 0 (0%) USD partial partly_estimated"],
    ["the same, in contradiction", partly("0 > 5 by 1"), "0 > 5 by 1 (null%) USD partial partly_estimated"],
    ["completeness unstated", cost("1 > 2", { completeness: "unstated" }), "1 > 2 by 1 (100%) USD known"],
  ])("%s", (_, stated, expected) => {
    expect(first({ cost: known(stated) })).toBe(expected);
  });

  test.each<[string, Partial<StageFacts>, string]>([
    ["none", { cost: { state: "absent" } }, "not_estimated"],
    ["not read", { cost: { state: "unknown", reason: "timed_out" } }, "timed_out"],
  ])("%s: nothing is known", (_, but, because) => {
    expect(first(but)).toBe(`null > null by null (null%) null unknown ${because}`);
  });

  test.each<[string, Partial<StageFacts>, string]>([
    ["read long ago", { cost: { state: "stale", value: cost("1 > 2"), ageMs: 1 } }, "unavailable"],
    ["failed", { status: "failed" }, "execution_failed"],
    ["pending", { status: "pending" }, "execution_pending"],
    ["of unknown fate", { status: "unknown" }, "not_stated"],
    ["unproven", { proven: false }, "unproven"],
  ])("%s: its amounts are shown as unknown", (_, but, because) => {
    expect(first({ cost: known(cost("1 > 2")), ...but })).toBe(`1 > 2 by 1 (100%) USD unknown ${because}`);
  });

  test.each<[string, string, number | null, string | null]>([
    ["stays as stated", "3 > 4", 33, "33"],
    ["is that of the amounts where none is stated", "3 > 4", null, "33.33"],
    ["from nothing is none, whatever is stated", "0 > 4", 100, null],
    ["of nothing is zero", "0 > 0", null, "0"],
  ])("the percentage %s", (...[, text, stated, expected]) => {
    const percent = stated === null ? null : amounts(`0 > ${stated}`).after;
    const [first] = build(facts(stage({ cost: known({ ...cost(text), percent }) }))).stages;
    expect(first?.percent).toBe(expected);
  });

  test.each([
    ["parts that are all there and add up", true, "100 > 150", "known"],
    ["parts that are all there and do not", true, "100 > 120", "inconsistent"],
    ["parts of which one has no price", true, "? > ?", "inconsistent"],
    ["parts of which only some are listed", false, "1 > 2", "known"],
  ])("%s", (...[, partsAreWhole, part, state]) => {
    const groups = [group("aws_instance", part, [resource("aws_instance.a", part)])];
    const [first] = build(facts(stage({ cost: known(cost("100 > 150", { groups, partsAreWhole })) }))).stages;
    expect(first?.state).toBe(state);
  });

  test("a group that its resources contradict makes the stage inconsistent", () => {
    const groups = [group("aws_instance", "100 > 150", [resource("aws_instance.a", "100 > 149")])];
    const [first] = build(
      facts(stage({ cost: known(cost("100 > 150", { groups, partsAreWhole: true })) })),
    ).stages;
    expect(first?.state).toBe("inconsistent");
  });

  test("takes the name of the first pattern that its workspace matches", () => {
    const names = [
      { workspace: "prod-*", name: "Production" },
      { workspace: "*", name: "Other" },
    ];
    const stages = ["prod-eu", "dev", "a/b"].map((workspace) => stage({ workspace }));
    expect(buildReport(facts(...stages), { stages: names }).stages.map(({ name }) => name)).toEqual([
      "Production",
      "Other",
      "a/b",
    ]);
  });
});

describe("totals", () => {
  const totals = (pull: PullFacts) => build(pull).totals.map(line);

  test("sum the stages, exactly and per currency, largest change first", () => {
    const stages = [
      stage({ cost: known(cost("0.1 > 0.3")) }),
      stage({ cost: known(cost("0.2 > 0.3")) }),
      stage({ cost: known(cost("10 > 5", { currency: "EUR" })) }),
    ];
    expect(totals(facts(...stages))).toEqual([
      "10 > 5 by -5 (-50%) EUR known",
      "0.3 > 0.6 by 0.3 (100%) USD known",
    ]);
  });

  test("take the change as stated, not as the difference of the sums", () => {
    const stages = [cost("0.01 > 0.02 by 0.02"), cost("1 > 1")].map((value) => stage({ cost: known(value) }));
    expect(totals(facts(...stages))).toEqual(["1.01 > 1.02 by 0.02 (0.99%) USD known"]);
  });

  test("lose an amount that one stage does not state", () => {
    const stages = [cost("? > 5 by 1"), cost("1 > 2")].map((value) => stage({ cost: known(value) }));
    expect(totals(facts(...stages))).toEqual(["null > 7 by 2 (null%) USD partial not_stated"]);
  });

  test("are all unknown beside a stage whose cost is, for it may cost anything in any currency", () => {
    const stages = [
      stage({ cost: known(cost("1 > 2")) }),
      stage({ cost: known(cost("1 > 2", { currency: "EUR" })) }),
      stage({ cost: { state: "unknown", reason: "unavailable" } }),
    ];
    expect(totals(facts(...stages))).toEqual([
      "null > null by null (null%) EUR unknown unavailable",
      "null > null by null (null%) USD unknown unavailable",
    ]);
  });

  test("are as good as the worst stage, for the reasons of all", () => {
    const stages = [
      stage({ cost: known(cost("1 > 2 by 9")) }),
      stage({ cost: known(cost("1 > 2", { completeness: "partial" })) }),
      stage({ cost: known(cost("1 > 2")), status: "failed" }),
    ];
    expect(totals(facts(...stages))).toEqual([
      "3 > 6 by 11 (100%) USD unknown partly_estimated execution_failed",
    ]);
  });

  test("are none where no cost is known", () => {
    expect(totals(facts(stage({ cost: { state: "absent" } })))).toEqual([]);
    expect(totals(facts())).toEqual([]);
  });

  test("are partial where an execution may not be shown, but not for one of another account", () => {
    const refused = { org: "o", project: "p", executionId: "e", reason: "not_granted" } as const;
    const { stages } = facts(stage());
    expect(totals({ ...NO_FACTS, stages, refused: [refused] })).toEqual([
      "100 > 100 by 0 (0%) USD partial not_granted",
    ]);
    expect(totals({ ...NO_FACTS, stages, refused: [{ ...refused, reason: "other_account" }] })).toEqual([
      "100 > 100 by 0 (0%) USD known",
    ]);
  });
});

describe("modules", () => {
  const modules = (...stages: readonly StageFacts[]) =>
    build(facts(...stages)).modules.map(
      (each) => `${each.module}${each.unattributed ? "*" : ""}: ${line(each)}`,
    );

  test("are summed over the stages, largest change first, and add up to the total", () => {
    const first = stage({
      cost: known(cost("100 > 150")),
      modules: known([moduleCost("web", "10 > 20"), moduleCost("db", "50 > 30")]),
    });
    const second = stage({ cost: known(cost("5 > 10")), modules: known([moduleCost("web", "5 > 10")]) });
    expect(modules(first, second)).toEqual([
      "db: 50 > 30 by -20 (-40%) USD known",
      "web: 15 > 30 by 15 (100%) USD known",
      "unattributed*: 40 > 100 by 60 (150%) USD known",
    ]);
  });

  test("have no rest where they add up", () => {
    expect(modules(stage({ modules: known([moduleCost("root", "100 > 100")]) }))).toEqual([
      "root: 100 > 100 by 0 (0%) USD known",
    ]);
  });

  test("that are known and none leave all of the total as rest", () => {
    expect(modules(stage({ cost: known(cost("100 > 150")), modules: known([]) }))).toEqual([
      "unattributed*: 100 > 150 by 50 (50%) USD known",
    ]);
  });

  test("that are not known leave no line", () => {
    const unread = stage({ modules: { state: "unknown", reason: "not_read" } });
    expect(modules(unread)).toEqual([]);
    expect(build(facts(unread, stage())).modulesBecause).toEqual(["not_read"]);
    expect(build(facts(stage())).modulesBecause).toEqual([]);
  });

  test("are as good as the stages they are in", () => {
    const modulesOf = known([moduleCost("web", "100 > 100")]);
    expect(modules(stage({ modules: modulesOf, status: "failed" }))).toEqual([
      "web: 100 > 100 by 0 (0%) USD unknown execution_failed",
    ]);
    expect(modules(stage({ cost: known(cost("100 > 100 by 9")), modules: modulesOf }))[0]).toBe(
      "web: 100 > 100 by 0 (0%) USD inconsistent",
    );
  });

  test("contradict themselves where the change is not the difference between before and after", () => {
    expect(modules(stage({ modules: known([moduleCost("web", "100 > 100 by 1")]) }))[0]).toBe(
      "web: 100 > 100 by 1 (0%) USD inconsistent",
    );
  });

  test("of one name in two currencies are two lines", () => {
    const both = known([moduleCost("web", "100 > 100"), moduleCost("web", "1 > 3", "EUR")]);
    expect(modules(stage({ modules: both }))).toEqual([
      "web: 1 > 3 by 2 (200%) EUR known",
      "web: 100 > 100 by 0 (0%) USD known",
    ]);
  });
});

test("resource types add up to the total in the same way", () => {
  const groups = [group("aws_instance", "10 > 30"), group("aws_db_instance", "50 > 20")];
  const { resourceTypes } = build(facts(stage({ cost: known(cost("100 > 90", { groups })) })));
  expect(resourceTypes.map((each) => `${each.type}: ${line(each)}`)).toEqual([
    "aws_db_instance: 50 > 20 by -30 (-60%) USD known",
    "aws_instance: 10 > 30 by 20 (200%) USD known",
    "unattributed: 40 > 40 by 0 (0%) USD known",
  ]);
});

describe("resources", () => {
  test("come largest change first, unpriced ones last, with module and action", () => {
    const groups = [
      group("aws_instance", "1 > 2", [
        resource("aws_instance.free", "? > ?"),
        resource('module.web["a.b"].module.db[0].aws_instance.x', "1 > 2"),
        resource("aws_instance.gone", "9 > 0"),
      ]),
    ];
    const rows = [
      row("aws_instance.gone", "drifted"),
      row("aws_instance.gone", "deleted"),
      row('module.web["a.b"].module.db[0].aws_instance.x', "replaced"),
    ];
    const { resources } = build(
      facts(stage({ cost: known(cost("1 > 2", { groups })), rows: listed(...rows) })),
    );
    expect(resources.map(({ address, ...told }) => [address, told.module, told.change, told.action])).toEqual(
      [
        ["aws_instance.gone", "root", "-9", "deleted"],
        ['module.web["a.b"].module.db[0].aws_instance.x', "web.db", "1", "replaced"],
        ["aws_instance.free", "root", null, null],
      ],
    );
  });

  test("are ordered exactly where doubles are the same", () => {
    const tiny = ["0 > 9007199254740993.1", "0 > 9007199254740993.2", "0 > 9007199254740993.05"];
    const tinyOnes = tiny.map((text, index) => resource(`t.${index}`, text));
    const groups = [group("t", "0 > 0", tinyOnes)];
    const { resources } = build(facts(stage({ cost: known(cost("0 > 0", { groups })) })));
    expect(resources.map(({ address }) => address)).toEqual(["t.1", "t.0", "t.2"]);
  });
});

describe("rows", () => {
  test("come with what a reader must hear of first, and created and changed ones last", () => {
    const kinds = ["drifted", "imported", "changed", "added", "removed", "replaced", "deleted"] as const;
    const rows = kinds.map((kind) => row(`t.${kind}`, kind));
    const report = build(facts(stage({ rows: known({ rows, omitted: 3, unread: 0 }) })));
    const order = "deleted replaced removed imported drifted added changed";
    expect(report.rows.map(({ change }) => change).join(" ")).toBe(order);
    expect(report.omittedRows).toBe(3);
  });
});

describe("changes", () => {
  test("are summed over the stages", () => {
    const stages = [counts({ added: 1, replaced: 1 }), counts({ added: 2, deleted: 4 })];
    const report = build(facts(...stages.map((each) => stage({ counts: known(each) }))));
    expect(report.changes).toEqual(counts({ added: 3, deleted: 4, replaced: 1 }));
    expect(report.changesAreComplete).toBe(true);
  });

  test("have no number of replacements where one stage has none", () => {
    const stages = [counts({ replaced: 1 }), counts({ replaced: null })];
    const report = build(facts(...stages.map((each) => stage({ counts: known(each) }))));
    expect(report.changes?.replaced).toBeNull();
  });

  test.each<[string, Partial<StageFacts>]>([
    ["unknown", { counts: { state: "unknown", reason: "not_indexed" } }],
    ["absent", { counts: { state: "absent" } }],
    ["of a failed execution", { counts: known(counts()), status: "failed" }],
    ["unproven", { counts: known(counts()), proven: false }],
  ])("are a lower bound beside a stage whose changes are %s", (_, but) => {
    const report = build(facts(stage({ counts: known(counts({ deleted: 1 })) }), stage(but)));
    expect(report.changes?.deleted).toBe(1);
    expect(report.changesAreComplete).toBe(false);
  });

  test("are null where no stage states them", () => {
    expect(build(facts(stage({ counts: { state: "absent" } }))).changes).toBeNull();
  });
});

describe("what is unpriced", () => {
  const priced = (unpriced: { count: number; types: Record<string, number> } | null) =>
    stage({ cost: known(cost("1 > 1", { unpriced })) });

  test("is summed by type", () => {
    const report = build(
      facts(priced({ count: 2, types: { a: 2 } }), priced({ count: 3, types: { a: 1, b: 2 } })),
    );
    expect(report.unpriced).toEqual({ count: 5, types: { a: 3, b: 2 } });
    expect(report.unpricedIsComplete).toBe(true);
  });

  test.each<[string, StageFacts]>([
    ["the source does not state them", priced(null)],
    ["a part was not estimated", stage({ cost: known(cost("1 > 1", { completeness: "partial" })) })],
    ["nothing is known", stage({ cost: { state: "absent" } })],
  ])("is not known in whole where %s", (_, doubtful) => {
    const report = build(facts(priced({ count: 2, types: { a: 2 } }), doubtful));
    expect(report.unpriced?.count).toBe(2);
    expect(report.unpricedIsComplete).toBe(false);
  });
});
