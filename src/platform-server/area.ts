import type { Contract, Received, Reply } from "../platform/contract/endpoint.ts";
import type { Context } from "./deps.ts";
import type { ProblemFor } from "./http/problem.ts";

/**
 * One handler for each of these endpoints: one that is missing does not compile, and neither does one that answers with a
 * status that its endpoint does not declare.
 */
export type Area<C extends Contract> = {
  readonly [Name in keyof C]: (
    input: Received<C[Name]>,
    context: Context,
  ) => Reply<C[Name]> | ProblemFor<C[Name]> | Promise<Reply<C[Name]> | ProblemFor<C[Name]>>;
};
