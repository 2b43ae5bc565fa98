import type { ChangeCounts } from "../../report/facts.ts";
import type { Report, StageReport } from "../../report/report.ts";
import { stageLabels } from "../../report/stage-label.ts";
import type { Undecided } from "../finding.ts";
import { gapsOf, unique, unknown } from "./because.ts";
import type { Reading, RuleKind } from "./rule-kind.ts";

/** How a count is read of one stage: the count and why it is not relied on. */
export type StageCount = (stage: StageReport) => {
  readonly count: number | null;
  readonly because: readonly Undecided[];
};

/** A limit on a number of resources. */
export const countRule = (countOf: StageCount): RuleKind => ({
  pers: ["pull-request", "stage"],
  read: (report, per) => (per === "stage" ? byStage(report, countOf) : [inAll(report, countOf)]),
});

/** A limit on a number of planned changes; a null count is one that is too large to tell. */
export const changeRule = (read: (counts: ChangeCounts) => number | null): RuleKind =>
  countRule(({ counts, countsBecause }) => {
    if (counts === null || countsBecause !== null) {
      return { count: null, because: [unknown(countsBecause ?? "not_read")] };
    }
    const count = read(counts);
    return { count, because: count === null ? [unknown("too_large")] : [] };
  });

function byStage(report: Report, countOf: StageCount): readonly Reading[] {
  const labelOf = stageLabels(report.stages);
  const readings = report.stages.map((stage) => reading(labelOf(stage), [countOf(stage)]));
  const gaps = gapsOf(report);
  return gaps.length === 0 ? readings : [...readings, { subject: null, value: null, because: gaps }];
}

function inAll(report: Report, countOf: StageCount): Reading {
  const gaps = { count: 0, because: gapsOf(report) };
  return reading(null, [gaps, ...report.stages.map(countOf)]);
}

function reading(subject: string | null, parts: readonly ReturnType<StageCount>[]): Reading {
  const because = unique(parts.flatMap(({ count, because: own }) => (count === null ? orUnread(own) : own)));
  if (because.length > 0) return { subject, value: null, because };
  const count = parts.reduce((sum, part) => sum + (part.count ?? 0), 0);
  return { subject, value: { kind: "count", count }, because };
}

const orUnread = (because: readonly Undecided[]): readonly Undecided[] =>
  because.length > 0 ? because : [unknown("not_read")];
