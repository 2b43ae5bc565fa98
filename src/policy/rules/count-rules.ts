import type { ChangeCounts, ChangeKind } from "../../report/model/facts.ts";
import type { Report, ReportedRow, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { countResourcesAfter, findUnpricedDoubt } from "../../report/stages.ts";
import { findUsageDoubt, isIntroduced, isOpenAfter } from "../../report/usage.ts";
import type { UndecidedReason } from "../model/finding.ts";
import { findInvocationsDoubt, listReportGaps, selectUniqueReasons, unknown } from "./doubts.ts";
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

/**
 * Limits all planned changes: each creation, update, deletion, import and removal from the state. A
 * replacement counts as two.
 */
export const changes = createChangeRule(
  { parts: [], rows: ["deleted", "replaced", "removed", "imported", "added", "changed"] },
  ({ added, changed, deleted, imported, removed }) => added + changed + deleted + imported + removed,
);

/** Limits the resources that the plan deletes, replaced resources included. */
export const deletions = createChangeRule(
  { parts: ["modules", "types"], rows: ["deleted", "replaced"] },
  ({ deleted }) => deleted,
);

/** Limits the replaced resources: those that the plan deletes and creates again. */
export const replacements = createChangeRule(
  { parts: ["modules", "types"], rows: ["replaced"] },
  ({ replaced }) => replaced,
);

/** Limits the actions that the plan invokes. */
export const invocations = createCountRule({
  parts: ["modules", "types"],
  rows: [],
  countItems: (stage) => {
    const because = findInvocationsDoubt(stage);
    if (because !== null || stage.planNotes === undefined)
      return { count: null, because: [unknown(because ?? "not_stated")] };
    const { listed, more } = stage.planNotes.invocations;
    const items = listed.map(({ address }) => `${stage.workspace}: ${address}`);
    return { count: listed.length + more, because: [], items };
  },
});

const drifted = createChangeCount((counts) => counts.drifted);

/**
 * Limits the drifted resources that the plan changes too, because merging overwrites or adopts the drift. All
 * drifted resources count if the rows do not list them, or if the rule asks for that.
 */
export const drift = createCountRule({
  parts: ["modules", "types"],
  rows: ["drifted"],
  countItems: (stage, { report, includesExisting }) => {
    const all = drifted(stage);
    const touched =
      includesExisting || all.count === null ? null : listTouchedDrift(stage, all.count, report);
    return touched === null ? all : { ...all, count: touched.length, items: touched.map(formatRow) };
  },
});

/**
 * The drifted resources that the plan changes; null: not every drifted resource, or not every planned change,
 * is listed.
 */
function listTouchedDrift(
  { rowsBecause, omittedRows, unreadRows, ...stage }: StageReport,
  count: number,
  { rows }: Report,
): readonly ReportedRow[] | null {
  const own = rows.filter((row) => row.stage === buildStageKey(stage));
  const found = own.filter(({ change }) => change === "drifted");
  if (rowsBecause !== null || omittedRows + unreadRows > 0 || found.length < count) return null;
  const planned = new Set(own.filter(isPlanned).map(({ address }) => address));
  return found.filter(({ address }) => planned.has(address));
}

/** Whether merging changes the resource, rather than only its address. */
const isPlanned = ({ change }: ReportedRow): boolean => change !== "drifted" && change !== "moved";

/**
 * Limits the usage-based resources with unstated usage: new and changed ones, or all that exist after the
 * change.
 */
export const usage = createCountRule({
  parts: ["modules", "types"],
  rows: [],
  countItems: (stage, { includesExisting }) => {
    const because = findUsageDoubt(stage);
    if (because !== null || stage.usageBased === undefined)
      return { count: null, because: [unknown(because ?? "not_stated")] };
    const { resources, unnamed, unnamedUnchanged } = stage.usageBased;
    const own = resources.filter((one) => (includesExisting ? isOpenAfter(one) : isIntroduced(one)));
    return {
      count: own.length + unnamed + (includesExisting ? unnamedUnchanged : 0),
      because: [],
      items: own.map(({ address }) => `${stage.workspace}: ${address}`),
    };
  },
});

/**
 * Limits the resources that the estimator found but cannot price. New and changed ones count, as far as the
 * plan states their number per type. All that exist after the change count if the plan does not state it, or
 * if the rule asks for that.
 */
export const unpriced = createCountRule({
  parts: ["types"],
  rows: [],
  countItems: (stage, { report, includesExisting }) => {
    const because = findUnpricedDoubt(stage);
    const count = stage.unpriced?.count ?? null;
    const introduced = includesExisting ? null : countIntroduced(stage, report);
    return { count: introduced ?? count, because: because === null ? [] : [unknown(because)] };
  },
});

const INTRODUCING_KINDS: readonly ChangeKind[] = ["added", "changed", "replaced", "imported"];

/** The new and changed unpriced resources; null: the plan lists fewer resources than are unpriced. */
function countIntroduced(
  { unpriced: found, counts, countsBecause, rowsBecause, ...stage }: StageReport,
  { rows }: Report,
): number | null {
  if (found === null || counts === null || countsBecause !== null || rowsBecause !== null) return null;
  const listed = stage.narrowed?.resources ?? countResourcesAfter(counts);
  if (stage.omittedRows + stage.unreadRows > 0 || listed < found.count) return null;
  const own = rows.filter(
    (row) => row.stage === buildStageKey(stage) && INTRODUCING_KINDS.includes(row.change),
  );
  if (own.some(({ type }) => type === "")) return null;
  const ofType = Map.groupBy(own, ({ type }) => type);
  return Object.entries(found.types).reduce(
    (sum, [type, count]) => sum + Math.min(count, ofType.get(type)?.length ?? 0),
    0,
  );
}
