import { type Decimal, minus, ZERO } from "../../kernel/money.ts";
import { differs } from "./contradictions.ts";
import type { EstimateHead, Project } from "./estimate-parts.ts";
import { completed, type EstimateDelta, sumAsEstimated, sumFigures } from "./figures.ts";
import { readStatedFigures } from "./project-stage.ts";

/** The totals of a file, its projects' figures, and what the projects leave of the totals. */
export interface FileFigures {
  readonly total: EstimateDelta;
  readonly projects: readonly EstimateDelta[];
  /** Total less projects; null where one of them is not stated. */
  readonly rest: EstimateDelta;
  /** The rest is more than rounding, and the file does not say that it lists only some of what it counts. */
  readonly contradicts: boolean;
}

const FIELDS = ["before", "after", "change"] as const;

/** Totals as the file states them; where it states none, what its projects add up to. */
export function computeFileFigures(head: EstimateHead, projects: readonly Project[]): FileFigures {
  const stated = completed({
    before: head.pastTotalMonthlyCost,
    after: head.totalMonthlyCost,
    change: head.diffTotalMonthlyCost,
  });
  const own = settled(projects.map(readStatedFigures), stated);
  const sums = sumFigures(own);
  const total = eachField((field) => stated[field] ?? (own.length === 0 ? null : sums[field]));
  const rest = eachField((field) => less(total[field], sums[field]));
  const isRest = FIELDS.some((field) => differs(rest[field], ZERO));
  const explained = listsOnlySome(head, projects) && !differs(rest.change, ZERO);
  return { total, projects: own, rest, contradicts: isRest && !explained };
}

/**
 * Where the file's total is what the other projects add up to, it counts a project that states nothing as nothing. Its stage
 * then says so too (and is partial), so that stages add up to the total that the file states.
 */
function settled(projects: readonly EstimateDelta[], total: EstimateDelta): readonly EstimateDelta[] {
  const confirmed = eachField((field) => {
    const sum = sumAsEstimated(projects.map((project) => project[field]));
    return total[field] !== null && !differs(total[field], sum) ? ZERO : null;
  });
  return projects.map((project) => eachField((field) => project[field] ?? confirmed[field]));
}

function listsOnlySome(head: EstimateHead, projects: readonly Project[]): boolean {
  const detected = head.summary?.totalDetectedResources;
  if (detected == null) return false;
  const listed = projects.map(
    ({ summary, breakdown }) => summary?.totalDetectedResources ?? breakdown?.resources.length ?? 0,
  );
  return detected > listed.reduce((sum, one) => sum + one, 0);
}

function eachField(value: (field: keyof EstimateDelta) => Decimal | null): EstimateDelta {
  return { before: value("before"), after: value("after"), change: value("change") };
}

function less(total: Decimal | null, part: Decimal | null): Decimal | null {
  return total === null || part === null ? null : minus(total, part);
}
