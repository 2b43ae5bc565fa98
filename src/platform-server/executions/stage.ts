import type { Context } from "../area/deps.ts";
import type { StageKey } from "../area/keys.ts";
import { type Problem, problem } from "../area/problem.ts";
import type { ExecutionTables } from "./store/tables.ts";

/** The stage that a path names, in the caller's account. */
export const stageIn = (context: Context<ExecutionTables>, params: Omit<StageKey, "account">): StageKey => ({
  account: context.token.account,
  ...params,
});

export const noSuchStage = (): Problem<"not_found"> =>
  problem("not_found", "there is no such execution stage");
