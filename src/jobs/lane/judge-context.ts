import type { HeadState } from "../../github/head/head-state.ts";
import type { BudgetUse, JudgeContext } from "../../policy/context.ts";

/** What rules know of a pull request beside its report. */
export function judgeContextOf(
  { pull }: HeadState,
  { nowMs, budgetUse }: { readonly nowMs: number; readonly budgetUse: BudgetUse | null },
): JudgeContext {
  const { number, author, labels, baseRef, draft, paths, pathsComplete } = pull;
  const login = author === null ? null : author.login.toLowerCase();
  return { number, author: login, labels, baseRef, draft, paths, pathsComplete, nowMs, budgetUse };
}
