import { type Decimal, minus, ZERO } from "../../kernel/money.ts";
import { isDifferent } from "./contradictions.ts";
import { completeDelta, type EstimateDelta, sumAsEstimated, sumEstimateDeltas } from "./estimate-delta.ts";
import type { EstimateHead, Project } from "./estimate-parts.ts";
import { readStatedFigures } from "./project-stage.ts";

/** The totals of a file, the amounts of its projects, and the difference between both. */
export interface FileFigures {
  readonly total: EstimateDelta;
  readonly projects: readonly EstimateDelta[];
  /** Totals minus projects; null where one of them is not stated. */
  readonly rest: EstimateDelta;
  /**
   * Whether the difference exceeds rounding and the file does not state that it lists only a part of what it
   * counts.
   */
  readonly contradicts: boolean;
}

const FIELDS = ["before", "after", "change"] as const;

/** Returns the totals that the file states, or else the sums of its projects. */
export function computeFileFigures(head: EstimateHead, projects: readonly Project[]): FileFigures {
  const stated = completeDelta({
    before: head.pastTotalMonthlyCost,
    after: head.totalMonthlyCost,
    change: head.diffTotalMonthlyCost,
  });
  const own = fillConfirmedZeros(projects.map(readStatedFigures), stated);
  const sums = sumEstimateDeltas(own);
  const total = mapFields((field) => stated[field] ?? (own.length === 0 ? null : sums[field]));
  const rest = mapFields((field) => subtractKnown(total[field], sums[field]));
  const isRest = FIELDS.some((field) => isDifferent(rest[field], ZERO));
  const explained = isListIncomplete(head, projects) && !isDifferent(rest.change, ZERO);
  return { total, projects: own, rest, contradicts: isRest && !explained };
}

/**
 * Sets the amounts of a project that states none to zero where the file's total equals the sum of the other
 * projects. The project's stage is still partial, and the stages add up to the file's total.
 */
function fillConfirmedZeros(
  projects: readonly EstimateDelta[],
  total: EstimateDelta,
): readonly EstimateDelta[] {
  const confirmed = mapFields((field) => {
    const sum = sumAsEstimated(projects.map((project) => project[field]));
    return total[field] !== null && !isDifferent(total[field], sum) ? ZERO : null;
  });
  return projects.map((project) => mapFields((field) => project[field] ?? confirmed[field]));
}

function isListIncomplete(head: EstimateHead, projects: readonly Project[]): boolean {
  const detected = head.summary?.totalDetectedResources;
  if (detected == null) return false;
  const listed = projects.map(
    ({ summary, breakdown }) => summary?.totalDetectedResources ?? breakdown?.resources.length ?? 0,
  );
  return detected > listed.reduce((sum, one) => sum + one, 0);
}

function mapFields(value: (field: keyof EstimateDelta) => Decimal | null): EstimateDelta {
  return { before: value("before"), after: value("after"), change: value("change") };
}

function subtractKnown(total: Decimal | null, part: Decimal | null): Decimal | null {
  return total === null || part === null ? null : minus(total, part);
}
