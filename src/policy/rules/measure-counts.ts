import type { ChangeCounts, ChangeKind, EstimatorResults } from "../../report/model/facts.ts";
import type { Report, ReportedRow, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { countResourcesAfter, findUnpricedDoubt } from "../../report/stages.ts";
import { findUsageDoubt, isIntroduced, isOpenAfter } from "../../report/usage.ts";
import type { UndecidedReason } from "../model/finding.ts";
import type { CountLimit } from "../model/policy.ts";
import { findInvocationsDoubt, listReportGaps, listRowGaps, selectUniqueReasons, unknown } from "./doubts.ts";
import { createUndecided, type MeasureInput, type Measurement } from "./measurement.ts";

/** The counts of resources; the other limits of a count are about tags and about facts around the pull request. */
type CountKind = Exclude<CountLimit, "anomalies" | "governance-failures" | "untagged">;

/** Measures a number of resources, of each stage or of all. */
export function measureCounts(report: Report, input: MeasureInput<CountKind>): readonly Measurement[] {
  const { kind, existing } = input.limit;
  const { rows: kinds, count } = COUNTERS[kind as CountKind]; // the other kinds have measures of their own
  const rows = report.rows.filter(({ change }) => kinds.some((one) => one === change));
  const byStage = Map.groupBy(rows, ({ stage }) => stage);
  const listRows = (stage: StageReport) => (byStage.get(buildStageKey(stage)) ?? []).map(formatItem);
  const counted = report.stages.map((stage) => ({
    stage,
    ...count(stage, { report, includesExisting: existing === "include" }),
  }));
  const gaps = listReportGaps(report);
  if (input.per === "stage") {
    const measurements = counted.map(({ stage, ...own }) => ({
      ...buildMeasurement(input.names.getLabel(stage), [own]),
      items: own.items ?? listRows(stage),
    }));
    return gaps.length === 0 ? measurements : [...measurements, createUndecided(gaps)];
  }
  const items = counted.some((own) => own.items !== undefined)
    ? counted.flatMap((own) => own.items ?? listRows(own.stage))
    : rows.map(formatItem);
  return [{ ...buildMeasurement(null, [{ count: 0, because: gaps }, ...counted]), items }];
}

/** The count of one stage, why it is unreliable, and the counted items if they are not the rows. */
interface CountedItems {
  readonly count: number | null;
  readonly because: readonly UndecidedReason[];
  readonly items?: readonly string[];
}

interface CountInput {
  readonly report: Report;
  /** Existing resources count too. */
  readonly includesExisting: boolean;
}

interface Counter {
  /** Kinds of rows that are counted; empty: none are. */
  readonly rows: readonly ChangeKind[];
  count(stage: StageReport, input: CountInput): CountedItems;
}

function buildMeasurement(subject: string | null, parts: readonly CountedItems[]): Measurement {
  const because = selectUniqueReasons(
    parts.flatMap((part) =>
      part.count === null && part.because.length === 0 ? [unknown("not_read")] : part.because,
    ),
  );
  if (because.length > 0) return { subject, value: null, because };
  const count = parts.reduce((sum, part) => sum + (part.count ?? 0), 0);
  return { subject, value: { kind: "count", count }, because };
}

/** The item of a finding: a resource with its workspace. */
export const formatItem = ({ workspace, address }: Pick<ReportedRow, "workspace" | "address">): string =>
  `${workspace}: ${address}`;

const COUNTERS: { readonly [kind in CountKind]: Counter } = {
  /** Each creation, update, deletion, import and removal from the state. A replacement counts as two. */
  changes: {
    rows: ["deleted", "replaced", "removed", "imported", "added", "changed"],
    count: (stage) =>
      countChanges(
        stage,
        ({ added, changed, deleted, imported, removed }) => added + changed + deleted + imported + removed,
      ),
  },
  deletions: {
    rows: ["deleted", "replaced"],
    count: (stage) => countChanges(stage, ({ deleted }) => deleted),
  },
  replacements: {
    rows: ["replaced"],
    count: (stage) => countChanges(stage, ({ replaced }) => replaced),
  },
  invocations: {
    rows: [],
    count: (stage) => {
      const because = findInvocationsDoubt(stage);
      if (because !== null || stage.planNotes === undefined)
        return { count: null, because: [unknown(because ?? "not_stated")] };
      const { listed, more } = stage.planNotes.invocations;
      const items = listed.map(({ address }) => formatItem({ ...stage, address }));
      return { count: listed.length + more, because: [], items };
    },
  },
  /**
   * Drifted resources that the plan changes too, because merging overwrites or adopts the drift. All drifted resources count if the
   * rows do not list them, or if the rule asks for that.
   */
  drift: {
    rows: ["drifted"],
    count: (stage, { report, includesExisting }) => {
      const all = countChanges(stage, ({ drifted }) => drifted);
      if (includesExisting || all.count === null) return all;
      const touched = listTouchedDrift(stage, all.count, report);
      return touched === null ? all : { ...all, count: touched.length, items: touched.map(formatItem) };
    },
  },
  /** Issues that the state before does not have. */
  "finops-issues": {
    rows: [],
    count: (stage) => countFindings(stage, ({ issues }) => issues, ["finops"]),
  },
  "estimator-policies": {
    rows: [],
    count: (stage) => countFindings(stage, ({ policies }) => policies, ["tagging", "guardrail", "budget"]),
  },
  /** Usage-based resources with unstated usage: new and changed ones, or all that exist after the change. */
  usage: {
    rows: [],
    count: (stage, { includesExisting }) => {
      const because = findUsageDoubt(stage);
      if (because !== null || stage.usageBased === undefined)
        return { count: null, because: [unknown(because ?? "not_stated")] };
      const { resources, unnamed, unnamedUnchanged } = stage.usageBased;
      const own = resources.filter(includesExisting ? isOpenAfter : isIntroduced);
      return {
        count: own.length + unnamed + (includesExisting ? unnamedUnchanged : 0),
        because: [],
        items: own.map(({ address }) => formatItem({ ...stage, address })),
      };
    },
  },
  /**
   * New and changed resources that the estimator cannot price, as far as the plan states their number per type. All that exist after
   * the change count if the plan does not state it, or if the rule asks for that.
   */
  unpriced: {
    rows: [],
    count: (stage, { report, includesExisting }) => {
      const because = findUnpricedDoubt(stage);
      const introduced = includesExisting ? null : countIntroduced(stage, report);
      return {
        count: introduced ?? stage.unpriced?.count ?? null,
        because: because === null ? [] : [unknown(because)],
      };
    },
  },
};

/** Counts what the estimator's own policies say; `read` returns null where it is unknown. */
function countFindings(
  { estimatorFindings: findings, because, ...stage }: StageReport,
  read: (findings: EstimatorResults) => number | null,
  kinds: readonly EstimatorResults["listed"][number]["kind"][],
): CountedItems {
  const count = findings === undefined ? null : read(findings);
  if (findings === undefined || count === null)
    return { count: null, because: [unknown(because[0] ?? "not_stated")] };
  const own = findings.listed.filter(({ kind }) => kinds.includes(kind));
  const items = own.map(({ address, policy }) => formatItem({ ...stage, address: address ?? policy }));
  return { count, because: because.filter((reason) => reason !== "not_compared").map(unknown), items };
}

/** Counts planned changes; `read` returns null where they are too many to count. */
function countChanges(
  { counts, countsBecause }: StageReport,
  read: (counts: ChangeCounts) => number | null,
): CountedItems {
  if (counts === null || countsBecause !== null)
    return { count: null, because: [unknown(countsBecause ?? "not_read")] };
  const count = read(counts);
  return { count, because: count === null ? [unknown("too_large")] : [] };
}

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

/** Kinds of changes after which a resource is there that may be new or other than before. */
export const INTRODUCING_KINDS: readonly ChangeKind[] = ["added", "changed", "replaced", "imported"];

/** The new and changed unpriced resources; null: the plan lists fewer resources than are unpriced. */
function countIntroduced(stage: StageReport, { rows }: Report): number | null {
  const { unpriced: found, counts, countsBecause, narrowed } = stage;
  if (found === null || counts === null || countsBecause !== null) return null;
  if ((narrowed?.resources ?? countResourcesAfter(counts)) < found.count) return null;
  const stageKey = buildStageKey(stage);
  const own = rows.filter((row) => row.stage === stageKey && INTRODUCING_KINDS.includes(row.change));
  if (listRowGaps({ stages: [stage], rows: own }).length > 0) return null;
  const ofType = Map.groupBy(own, ({ type }) => type);
  return Object.entries(found.types).reduce(
    (sum, [type, count]) => sum + Math.min(count, ofType.get(type)?.length ?? 0),
    0,
  );
}
