import type { SandboxPull } from "../../../sandbox/state/records.ts";
import { checkOf, isPassing } from "../shown-check.ts";
import type { Story } from "../story.ts";
import { executionsOf, sumOf } from "./executions.ts";

/** The budget of `POLICIES.budget`, in dollars a month, and the only workspace that it covers. */
const BUDGET = 1_550;
const COVERED = "production";
/** What every workspace costs before a plan. */
const BEFORE = 1_000;

/** Whether the pull request exceeds the budget. `alone`: as if no other one could be merged. */
export function isOverBudget(
  story: Story,
  pull: SandboxPull,
  { alone }: { readonly alone: boolean },
): boolean {
  const own = coveredBy(story, pull);
  if (own.length === 0) return false;
  const others = alone ? [] : listMergeable(story, pull).flatMap((other) => coveredBy(story, other));
  return BEFORE + sumOf(own) + sumOf(others) > BUDGET;
}

/**
 * Whether the rest of what counts towards the budget is certain: nobody shares the check, nothing was merged, and what others cost is
 * known.
 */
export const isBudgetCertain = (story: Story, pull: SandboxPull): boolean =>
  story.actors.pulls.every(
    (other) =>
      other.number === pull.number ||
      (other.mergedAt === null &&
        other.headSha !== pull.headSha &&
        coveredBy(story, other).every(({ change }) => change !== null)),
  );

/** The other open pull requests whose check lets them be merged. */
const listMergeable = (story: Story, { number }: SandboxPull): readonly SandboxPull[] =>
  story.actors.pulls.filter(
    (other) =>
      other.number !== number && other.state === "open" && !other.draft && isPassing(checkOf(story, other)),
  );

const coveredBy = (story: Story, pull: SandboxPull) =>
  executionsOf(story, pull).filter(({ workspace }) => workspace === COVERED);
