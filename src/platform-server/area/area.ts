import type { Contract, Endpoint, EndpointInput, EndpointReply } from "../../platform/contract/endpoint.ts";
import type { Context } from "./deps.ts";
import type { ProblemFor } from "./problem.ts";

/**
 * One handler for each of these endpoints. The compiler rejects a missing handler, and a handler that answers
 * with a status that its endpoint does not declare. `Tables`: the tables that the handlers read and write. `Prepared`: the inputs that
 * are made of an endpoint's own before its handler is called, by name.
 */
export type Area<C extends Contract, Tables, Prepared = object> = {
  readonly [Name in keyof C]: (
    input: Name extends keyof Prepared ? Prepared[Name] : EndpointInput<C[Name]>,
    context: Context<Tables>,
  ) => Reply<C[Name]> | Promise<Reply<C[Name]>>;
};

type Reply<E extends Endpoint> = EndpointReply<E> | ProblemFor<E>;
