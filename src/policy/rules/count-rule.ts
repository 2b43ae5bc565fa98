import type { ChangeCounts, ChangeKind } from "../../report/model/facts.ts";
import type { Report, ReportedRow, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import type { UndecidedReason } from "../model/finding.ts";
import { listReportGaps, selectUniqueReasons, unknown } from "./doubts.ts";
import type { MeasureInput, Measurement, RuleKind } from "./rule-kind.ts";

/**
 * The count of one stage, the reasons why it is unreliable, and the counted items if they are not the rows.
 */
interface CountedItems {
  readonly count: number | null;
  readonly because: readonly UndecidedReason[];
  readonly items?: readonly string[];
}

/** Reads the count of one stage. */
type StageCount = (stage: StageReport, input: CountInput) => CountedItems;

interface CountInput {
  readonly report: Report;
  /** Existing resources count too. */
  readonly includesExisting: boolean;
}

interface CountMeasure {
  readonly parts: RuleKind["parts"];
  /** Kinds of rows that are counted; empty: the rule does not count rows. */
  readonly rows: readonly ChangeKind[];
  readonly countItems: StageCount;
}

/** Creates a limit on a number of resources. */
export const createCountRule = (measure: CountMeasure): RuleKind => ({
  granularities: ["pull-request", "stage"],
  parts: measure.parts,
  read: (report, input) =>
    input.per === "stage" ? countByStage(report, input, measure) : [countInAll(report, input, measure)],
});

/** Creates a limit on a number of planned changes; a null count: too many changes to count. */
export const createChangeRule = (
  { parts, rows }: Omit<CountMeasure, "countItems">,
  read: (counts: ChangeCounts) => number | null,
): RuleKind => {
  return createCountRule({ parts, rows, countItems: createChangeCount(read) });
};

/** Creates a reader for a number of planned changes of one stage. */
export const createChangeCount =
  (read: (counts: ChangeCounts) => number | null) =>
  ({ counts, countsBecause }: StageReport): CountedItems => {
    if (counts === null || countsBecause !== null)
      return { count: null, because: [unknown(countsBecause ?? "not_read")] };
    const count = read(counts);
    return { count, because: count === null ? [unknown("too_large")] : [] };
  };

function countByStage(report: Report, input: MeasureInput, measure: CountMeasure): readonly Measurement[] {
  const countInput = buildCountInput(report, input);
  const readings = report.stages.map((stage) => {
    const counted = measure.countItems(stage, countInput);
    const items = counted.items ?? listItems(report, measure, buildStageKey(stage));
    return { ...buildMeasurement(input.names.getLabel(stage), [counted]), items };
  });
  const gaps = listReportGaps(report);
  return gaps.length === 0 ? readings : [...readings, { subject: null, value: null, because: gaps }];
}

function countInAll(report: Report, input: MeasureInput, measure: CountMeasure): Measurement {
  const gaps = { count: 0, because: listReportGaps(report) };
  const countInput = buildCountInput(report, input);
  const counted = report.stages.map((stage) => ({ stage, ...measure.countItems(stage, countInput) }));
  const hasItems = counted.some(({ items }) => items !== undefined);
  const items = hasItems
    ? counted.flatMap(({ stage, items: own }) => own ?? listItems(report, measure, buildStageKey(stage)))
    : listItems(report, measure, null);
  return { ...buildMeasurement(null, [gaps, ...counted]), items };
}

const buildCountInput = (report: Report, { limit }: MeasureInput): CountInput => ({
  report,
  includesExisting: "existing" in limit && limit.existing === "include",
});

/** The counted items by address; `stage` null: those of all stages. */
const listItems = (
  { rows }: Report,
  { rows: kinds }: CountMeasure,
  stage: string | null,
): readonly string[] =>
  rows.filter((row) => kinds.includes(row.change) && (stage === null || row.stage === stage)).map(formatRow);

/** The name of a row in a finding. */
export const formatRow = ({ workspace, address }: ReportedRow): string => `${workspace}: ${address}`;

function buildMeasurement(subject: string | null, parts: readonly CountedItems[]): Measurement {
  const because = selectUniqueReasons(
    parts.flatMap(({ count, because: own }) => (count === null ? withUnreadReason(own) : own)),
  );
  if (because.length > 0) return { subject, value: null, because };
  const count = parts.reduce((sum, part) => sum + (part.count ?? 0), 0);
  return { subject, value: { kind: "count", count }, because };
}

const withUnreadReason = (because: readonly UndecidedReason[]): readonly UndecidedReason[] =>
  because.length > 0 ? because : [unknown("not_read")];
