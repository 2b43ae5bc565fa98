import { absolute, compare, HUNDRED, times } from "../kernel/money.ts";
import type { Report, TotalReport } from "../report/model/report.ts";
import { hasUsageChange } from "../report/usage.ts";
import type { Evaluation } from "./model/evaluation.ts";
import { type Finding, isOrdinary } from "./model/finding.ts";
import type { SmallChange } from "./model/policy.ts";

/** Whether an evaluation justifies a first comment: it has figures, or an action for a person. */
export function hasNews(evaluation: Evaluation): boolean {
  const { report, situation, policyEdit, override, quiet, smallChange } = evaluation;
  if (policyEdit !== null || override !== undefined) return true;
  if (report.stages.length === 0 && report.refused.length === 0)
    return !SILENT_SITUATIONS.has(situation.kind);
  if (!("verdict" in situation) || situation.verdict?.kind !== "pass") return true;
  if (situation.verdict.findings.some(isWorthComment)) return true;
  if (quiet && isUnchanged(report)) return false;
  return smallChange === undefined || !isSmall(report, smallChange);
}

/** Whether an existing comment is no longer needed. Never while executions are awaited, nor in a draft. */
export const isReasonGone = (evaluation: Evaluation): boolean =>
  !hasNews(evaluation) &&
  evaluation.afterMerge === undefined &&
  !OPEN_SITUATIONS.has(evaluation.situation.kind);

/** Whether a finding is worth a comment although the verdict passes: a violation was approved or waived, or a scope may be misspelled. */
const isWorthComment = ({ outcome, mismatch }: Finding): boolean =>
  outcome === "violated" || (mismatch !== undefined && !isOrdinary(mismatch));

type SituationKinds = ReadonlySet<Evaluation["situation"]["kind"]>;

/** Situations that require no action and have nothing to show. */
const SILENT_SITUATIONS: SituationKinds = new Set(["draft", "waiting", "nothing_expected", "no_policy"]);
const OPEN_SITUATIONS: SituationKinds = new Set(["draft", "waiting"]);

function isUnchanged({ changes, changesAreComplete, totals, usage }: Report): boolean {
  if (changes === null || !changesAreComplete || hasUsageChange(usage)) return false;
  const touched =
    changes.added + changes.changed + changes.deleted + changes.imported + changes.removed + changes.drifted;
  return touched === 0 && totals.every(({ state, change }) => state === "known" && change === "0");
}

/** Whether a change of cost is below the thresholds. Unknown costs and changes that remove a resource are never small. */
function isSmall(report: Report, small: SmallChange): boolean {
  const { changes, changesAreComplete, totals } = report;
  if (changes === null || !changesAreComplete || changes.deleted + changes.removed > 0) return false;
  return totals.length > 0 && !hasNewUnknownCosts(report) && totals.every((total) => isUnder(total, small));
}

function isUnder(
  { state, currency, before, change }: TotalReport,
  { amount, percent }: SmallChange,
): boolean {
  if (state !== "known" || before === null || change === null) return false;
  const size = absolute(change);
  if (amount !== null && (amount.currency !== currency || compare(size, amount.amount) >= 0)) return false;
  return (
    percent === null || change === "0" || compare(times(size, HUNDRED), times(percent, absolute(before))) < 0
  );
}

/** Whether an unpriced or usage-based resource is, or may be, new or changed. */
function hasNewUnknownCosts({ usage, unpriced, rows, stages }: Report): boolean {
  if (hasUsageChange(usage)) return true;
  if (unpriced === null || unpriced.count === 0) return false; // a source that does not state it is evaluated by its amounts
  if (
    stages.some(
      ({ unreadRows, omittedRows, rowsBecause }) => unreadRows + omittedRows > 0 || rowsBecause !== null,
    )
  )
    return true;
  return rows.some(({ change, type }) => COST_ADDING_KINDS.has(change) && (unpriced.types[type] ?? 0) > 0);
}

const COST_ADDING_KINDS: ReadonlySet<string> = new Set(["added", "changed", "replaced", "imported"]);

/**
 * Why the comments of a pull request could not be written. The evaluation and its check never depend on it.
 * `locked`, `blocked`, `restricted`, `disabled`, `limited`, `too_long`: what GitHub says. `refused`: GitHub gives no reason that is
 * known. `unavailable`: GitHub did not answer after repeated tries.
 * `earlier`: only an earlier comment is still to be folded or deleted.
 */
export type CommentProblem =
  | "locked"
  | "blocked"
  | "restricted"
  | "disabled"
  | "limited"
  | "too_long"
  | "refused"
  | "unavailable"
  | "earlier";
