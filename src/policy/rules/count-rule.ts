import type { ChangeCounts, ChangeKind } from "../../report/facts.ts";
import type { Report, StageReport } from "../../report/report.ts";
import { stageKey } from "../../report/stages/stage-label.ts";
import type { Undecided } from "../finding.ts";
import { gapsOf, unique, unknown } from "./because.ts";
import type { Look, Reading, RuleKind } from "./rule-kind.ts";

/** How a count is read of one stage: the count and why it is not relied on. */
export type StageCount = (stage: StageReport) => {
  readonly count: number | null;
  readonly because: readonly Undecided[];
};

interface CountMeasure {
  readonly parts: RuleKind["parts"];
  /** Kinds of rows that are counted; empty: it is no rows that are counted. */
  readonly rows: readonly ChangeKind[];
  readonly countOf: StageCount;
}

/** A limit on a number of resources. */
export const countRule = (measure: CountMeasure): RuleKind => ({
  pers: ["pull-request", "stage"],
  parts: measure.parts,
  read: (report, look) => (look.per === "stage" ? byStage(report, look, measure) : [inAll(report, measure)]),
});

/** A limit on a number of planned changes; a null count is one that is too large to tell. */
export const changeRule = (
  { parts, rows }: Omit<CountMeasure, "countOf">,
  read: (counts: ChangeCounts) => number | null,
): RuleKind => {
  const countOf: StageCount = ({ counts, countsBecause }) => {
    if (counts === null || countsBecause !== null)
      return { count: null, because: [unknown(countsBecause ?? "not_read")] };
    const count = read(counts);
    return { count, because: count === null ? [unknown("too_large")] : [] };
  };
  return countRule({ parts, rows, countOf });
};

function byStage(report: Report, { names }: Look, measure: CountMeasure): readonly Reading[] {
  const readings = report.stages.map((stage) => ({
    ...reading(names.labelOf(stage), [measure.countOf(stage)]),
    items: itemsOf(report, measure, stageKey(stage)),
  }));
  const gaps = gapsOf(report);
  return gaps.length === 0 ? readings : [...readings, { subject: null, value: null, because: gaps }];
}

function inAll(report: Report, measure: CountMeasure): Reading {
  const gaps = { count: 0, because: gapsOf(report) };
  const read = reading(null, [gaps, ...report.stages.map(measure.countOf)]);
  return { ...read, items: itemsOf(report, measure, null) };
}

/** What is counted, by address; `stage` null: in all of them. */
const itemsOf = ({ rows }: Report, { rows: kinds }: CountMeasure, stage: string | null): readonly string[] =>
  rows
    .filter((row) => kinds.includes(row.change) && (stage === null || row.stage === stage))
    .map(({ workspace, address }) => `${workspace}: ${address}`);

function reading(subject: string | null, parts: readonly ReturnType<StageCount>[]): Reading {
  const because = unique(parts.flatMap(({ count, because: own }) => (count === null ? orUnread(own) : own)));
  if (because.length > 0) return { subject, value: null, because };
  const count = parts.reduce((sum, part) => sum + (part.count ?? 0), 0);
  return { subject, value: { kind: "count", count }, because };
}

const orUnread = (because: readonly Undecided[]): readonly Undecided[] =>
  because.length > 0 ? because : [unknown("not_read")];
