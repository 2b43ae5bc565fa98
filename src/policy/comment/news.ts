import { absolute, compare, decimal, times } from "../../kernel/money.ts";
import type { Report, TotalReport } from "../../report/model/report.ts";
import { movesUsage } from "../../report/usage/usage-counts.ts";
import type { Evaluation } from "../model/evaluation.ts";
import { type Finding, isOrdinary } from "../model/finding.ts";
import type { SmallChange } from "../model/policy.ts";

/** Whether an evaluation is worth beginning a comment: it has figures, or something that a person has to do. */
export function hasNews({ report, situation, policyEdit, quiet, smallChange }: Evaluation): boolean {
  if (policyEdit !== null) return true;
  if (report.stages.length === 0 && report.refused.length === 0) return !NOTHING_TO_SAY.has(situation.kind);
  if (!("verdict" in situation) || situation.verdict?.kind !== "pass") return true;
  if (situation.verdict.findings.some(isTold)) return true;
  if (quiet && changesNothing(report)) return false;
  return smallChange === undefined || !isSmall(report, smallChange);
}

/** Whether a comment that was begun has lost its reason. While runs are awaited and in a draft nobody knows. */
export const isReasonGone = (evaluation: Evaluation): boolean =>
  !hasNews(evaluation) && evaluation.afterMerge === undefined && !OPEN.has(evaluation.situation.kind);

/** Whether a verdict that passes has this to say all the same: somebody let a violation through, or a scope may be misspelt. */
const isTold = ({ outcome, mismatch }: Finding): boolean =>
  outcome === "violated" || (mismatch !== undefined && !isOrdinary(mismatch));

type Kinds = ReadonlySet<Evaluation["situation"]["kind"]>;

/** Where a pull request stands when nobody has to do anything and there is nothing to show. */
const NOTHING_TO_SAY: Kinds = new Set(["draft", "waiting", "nothing_expected", "no_policy"]);
const OPEN: Kinds = new Set(["draft", "waiting"]);

function changesNothing({ changes, changesAreComplete, totals, usage }: Report): boolean {
  if (changes === null || !changesAreComplete || movesUsage(usage)) return false;
  const touched =
    changes.added + changes.changed + changes.deleted + changes.imported + changes.removed + changes.drifted;
  return touched === 0 && totals.every(({ state, change }) => state === "known" && change === "0");
}

/** Nothing that is unknown is small, and nothing that takes a resource away. */
function isSmall(report: Report, small: SmallChange): boolean {
  const { changes, changesAreComplete, totals } = report;
  if (changes === null || !changesAreComplete || changes.deleted + changes.removed > 0) return false;
  return totals.length > 0 && !bringsUnknownCosts(report) && totals.every((total) => isUnder(total, small));
}

function isUnder(
  { state, currency, previous, change }: TotalReport,
  { amount, percent }: SmallChange,
): boolean {
  if (state !== "known" || previous === null || change === null) return false;
  const size = absolute(change);
  if (amount !== null && (amount.currency !== currency || compare(size, amount.amount) >= 0)) return false;
  return (
    percent === null ||
    change === "0" ||
    compare(times(size, HUNDRED), times(percent, absolute(previous))) < 0
  );
}

const HUNDRED = decimal("100");

/** Whether something without a price, or paid by usage, is new or changed, or may be. */
function bringsUnknownCosts({ usage, unpriced, rows, stages }: Report): boolean {
  if (movesUsage(usage)) return true;
  if (unpriced === null || unpriced.count === 0) return false; // a source that does not tell is judged by its amounts
  if (
    stages.some(
      ({ unreadRows, omittedRows, rowsBecause }) => unreadRows + omittedRows > 0 || rowsBecause !== null,
    )
  )
    return true;
  return rows.some(({ change, type }) => COSTS.has(change) && (unpriced.types[type] ?? 0) > 0);
}

const COSTS: ReadonlySet<string> = new Set(["added", "changed", "replaced", "imported"]);
