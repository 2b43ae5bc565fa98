import type { StageKey } from "../../store/tables/keys.ts";
import type { Context } from "../area/deps.ts";
import { type Problem, problem } from "../area/problem.ts";

/** The stage that a path names, in the caller's account. */
export const stageIn = (context: Context, params: Omit<StageKey, "account">): StageKey => ({
  account: context.token.account,
  ...params,
});

export const noSuchStage = (): Problem<"not_found"> =>
  problem("not_found", "there is no such execution stage");
