import type { Handlers } from "../../platform/contract/endpoint.ts";
import type { contract } from "../../platform/contract/registry.ts";
import type { StageKey } from "../../store/platform-keys.ts";
import type { Context } from "../deps.ts";
import { type Problem, problem } from "../http/problem.ts";

/** The handlers of some of the contract's endpoints. */
export type Area<Names extends keyof typeof contract> = Pick<
  Handlers<typeof contract, Context, Problem>,
  Names
>;

/** The stage that a path names, in the caller's account. */
export const stageIn = (context: Context, params: Omit<StageKey, "account">): StageKey => ({
  account: context.token.account,
  ...params,
});

export const noSuchStage = (): Problem => problem("not_found", "there is no such execution stage");
