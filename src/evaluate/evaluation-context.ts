import type { HeadState } from "../github/head/head-state.ts";
import type { BudgetUse, EvaluationContext } from "../policy/model/context.ts";

/** What rules know of a pull request beside its report. */
export function evaluationContextOf(
  { pull }: HeadState,
  { nowMs, budgetUse }: { readonly nowMs: number; readonly budgetUse: BudgetUse | null },
): EvaluationContext {
  const { number, author, labels, baseRef, draft, paths, pathsComplete } = pull;
  return { number, author: loginOf(author), labels, baseRef, draft, paths, pathsComplete, nowMs, budgetUse };
}

/** Apps have no "[bot]" behind their login in the answers that are read here, and people may be called the same without it. */
function loginOf(author: HeadState["pull"]["author"]): string | null {
  if (author === null) return null;
  const login = author.login.toLowerCase();
  return author.type === "Bot" && !login.endsWith("[bot]") ? `${login}[bot]` : login;
}
