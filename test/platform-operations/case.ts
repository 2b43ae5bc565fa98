import type {
  ClientInput,
  Endpoint,
  EndpointOutput,
  ErrorStatus,
} from "../../src/platform/contract/endpoint.ts";
import type { contract } from "../../src/platform/contract/registry.ts";
import type { PlatformJob } from "../../src/platform-server/area/area.ts";
import type { ImportKind } from "../../src/platform-server/area/import-kind.ts";
import type { Database } from "../../src/wiring/database/schema.ts";

/** One account of its own on an embedded platform, spoken to by our client in one of the dialects. */
export interface Stage {
  /** Made for this one call: nothing is in it. */
  readonly account: string;
  /** Shared by all stages: set it forward, never back. */
  readonly clock: { ms: number; now(): number; monotonicMs(): number };
  /** What operations of any stage put on the queue; nothing runs it. */
  readonly jobs: readonly PlatformJob[];
  /** For what no operation and no import can arrange. */
  readonly db: Database["db"];
  /** Calls an operation; a failure ends the test. */
  call<E extends Endpoint>(endpoint: E, input: ClientInput<E>): Promise<EndpointOutput<E>>;
  import<Row>(kind: ImportKind<Row>, rows: readonly Row[]): Promise<void>;
}

/** What is sent; a function where ids have to be found out first. */
export type CaseInput<E extends Endpoint> =
  | ClientInput<E>
  | ((stage: Stage) => ClientInput<E> | Promise<ClientInput<E>>);

export interface ErrorCase<E extends Endpoint> {
  /** Instead of the case's own `arrange`. */
  arrange?(stage: Stage): Promise<unknown>;
  readonly input: CaseInput<E>;
  /** A part of the message. */
  readonly says?: string;
  /** Code of the envelope, where the service has codes. */
  readonly code?: string;
}

/** A declared status that the embedded platform never answers here, and why. */
export interface NeverAnswered {
  readonly never: string;
}

/** Values around a limit, put one after the other in the place of the one that the case's input has. */
export interface Limit {
  /** `query.page_size`, `params.org`, `headers.x`, `body`, `body.items.0.name`. */
  readonly at: string;
  /** Each of them gets the endpoint's own success. */
  readonly good?: readonly unknown[];
  /** Each of them is refused. Values as a stranger sends them: nothing checks them on the way. */
  readonly bad?: readonly unknown[];
  /** Status of the refusal; 400 when absent. */
  readonly status?: ErrorStatus;
}

/**
 * Statuses that need no case: the harness shows those of values beyond a limit (400), of no token (401), another account's or too narrow
 * a token (403), a body too large (413) or in a wrong format (415); only a service in front answers 408, 429, 499, 500 and 502. A case
 * may still give its own.
 */
export type HarnessStatus = 400 | 401 | 403 | 408 | 413 | 415 | 429 | 499 | 500 | 502;

type Declared<E extends Endpoint> = E extends { readonly errors: readonly (infer S extends ErrorStatus)[] }
  ? S
  : never;

export interface OperationCase<E extends Endpoint> {
  /** Sets the stage: other operations, imports. Runs before each call, on a new account. */
  arrange?(stage: Stage): Promise<unknown>;
  readonly input: CaseInput<E>;
  /** Judges the answer as the client read it; with vitest's `expect`. */
  expect(value: EndpointOutput<E>, stage: Stage): void | Promise<void>;
  /** One for each status that the endpoint itself declares and the harness does not show. */
  readonly errors: { readonly [S in Exclude<Declared<E>, HarnessStatus>]: ErrorCase<E> | NeverAnswered } & {
    readonly [S in HarnessStatus]?: ErrorCase<E>;
  };
  /** What is refused beyond the published limits of `input`'s members, which the harness tries anyway, and what is taken up to them. */
  readonly limits?: readonly Limit[];
}

type AnyContract = Readonly<Record<string, Endpoint>>;

/** Cases of some of the contract's endpoints by their names, e.g. `OperationCases<typeof settings>`: one that is missing does not compile. */
export type OperationCases<C extends AnyContract> = { readonly [Name in keyof C]: OperationCase<C[Name]> };

/** Cases of every endpoint. */
export type AllCases = OperationCases<typeof contract>;
