import { unpricedBecause } from "../../report/changes.ts";
import type { Fact } from "../../report/facts.ts";
import type { Report } from "../../report/report.ts";
import { isRounding, isStatedInFull } from "../../report/sums.ts";
import type { JudgeContext } from "../context.ts";
import type { Undecided } from "../finding.ts";
import type { FactName } from "../when/facts.ts";
import { becauseOf, gapsOf, unknown } from "./because.ts";

/** Why a fact is not known as far as an expression may rest on it; empty: it is. */
export function missingFacts(need: FactName, report: Report, context: JudgeContext): readonly Undecided[] {
  return [...gapsOf(report), ...MISSING[need](report, context)];
}

type Missing = (report: Report, context: JudgeContext) => readonly Undecided[];

const MISSING: { readonly [need in FactName]: Missing } = {
  cost: ({ stages }) => stages.flatMap(becauseOf),
  modules: ({ stages, modules, modulesBecause }) => [
    ...stages.flatMap(becauseOf),
    ...modulesBecause.map(unknown),
    ...modules
      .filter((line) => line.unattributed && !isRounding(line.change))
      .map((): Undecided => ({ kind: "partial" })),
  ],
  resources: ({ stages, resources, resourceTypes }) => [
    ...stages.flatMap(becauseOf),
    ...(resources.every(isStatedInFull) ? [] : [PARTIAL]),
    ...resourceTypes.filter((line) => line.unattributed && !isRounding(line.change)).map(() => PARTIAL),
  ],
  counts: ({ stages }) =>
    stages.flatMap(({ counts, countsBecause }) =>
      counts === null || countsBecause !== null
        ? [unknown(countsBecause ?? "not_read")]
        : counts.replaced === null
          ? [unknown("too_large")]
          : [],
    ),
  rows: ({ stages }) =>
    stages.flatMap(({ rowsBecause, omittedRows, unreadRows }) => {
      if (rowsBecause !== null) return [unknown(rowsBecause)];
      return omittedRows + unreadRows > 0 ? [unknown("too_large")] : [];
    }),
  unpriced: ({ stages }) =>
    stages.flatMap((stage) => {
      const because = unpricedBecause(stage);
      return because === null ? [] : [unknown(because)];
    }),
  paths: (_, { pathsComplete }) => (pathsComplete ? [] : [unknown("too_large")]),
  savings: ({ context }) => ofFact(context.savings),
  anomalies: ({ context }) => ofFact(context.anomalies),
  governance: ({ context }) => ofFact(context.governance),
  unit_costs: ({ context }) => ofFact(context.unitCosts),
};

const PARTIAL: Undecided = { kind: "partial" };

function ofFact(fact: Fact<unknown>): readonly Undecided[] {
  if (fact.state === "known") return [];
  return [
    unknown(fact.state === "unknown" ? fact.reason : fact.state === "stale" ? "unavailable" : "not_stated"),
  ];
}
