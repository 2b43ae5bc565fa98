import { z } from "zod";
import {
  type FailureKind,
  type GitHubFailure,
  type GitHubResult,
  redactMessage,
  succeeded,
} from "./result.ts";
import { toResult, validateAnswer } from "./to-result.ts";

/** One entry of GraphQL's `errors`. */
const GraphqlError = z.object({
  type: z.string().default("UNKNOWN"),
  message: z.string().default("").transform(redactMessage),
  path: z.array(z.union([z.string(), z.number()])).default([]),
});
export type GraphqlError = Readonly<z.infer<typeof GraphqlError>>;

export interface GraphqlAnswer<T> {
  readonly data: T;
  /** Empty unless GitHub answered in part; the caller decides which parts it can do without. */
  readonly errors: readonly GraphqlError[];
}

const Envelope = z.object({ data: z.unknown().optional(), errors: z.array(GraphqlError).optional() });

/** What `octokit.graphql` throws for an answer with errors, which may contain data as well. */
const ResponseError = z.object({ name: z.literal("GraphqlResponseError"), response: Envelope });

/** GraphQL reports errors inside an answer with status 200. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  FORBIDDEN: "forbidden",
  INSUFFICIENT_SCOPES: "forbidden",
  NOT_FOUND: "not_found",
  UNPROCESSABLE: "rejected",
  RATE_LIMITED: "rate_limited",
  RATE_LIMIT: "rate_limited",
  RESOURCE_LIMITS_EXCEEDED: "too_large",
  MAX_NODE_LIMIT_EXCEEDED: "too_large",
};

const RATE_LIMIT_MS = 60_000;

/** Why the body of an answer of GraphQL is a failure whatever data came with it: another shape, or a limit. Null: it is none. */
export function graphqlFailure(body: unknown): GitHubFailure | null {
  const envelope = validateAnswer(Envelope, body);
  if (!envelope.ok) return envelope.failure;
  const limit = envelope.value.errors?.find(({ type }) => isLimit(type));
  return limit === undefined ? null : toFailure(limit);
}

/** The validated data of `octokit.graphql`, with the errors beside it; a failure when the data is not usable. */
export async function toGraphqlResult<T>(
  call: Promise<unknown>,
  schema: z.ZodType<T>,
): Promise<GitHubResult<GraphqlAnswer<T>>> {
  const envelope = await toResult(
    call.then((data) => ({ data: { data } }), partialAnswer),
    Envelope,
  );
  if (!envelope.ok) return envelope;
  const { errors = [] } = envelope.value;
  const data = validateAnswer(schema, envelope.value.data);
  if (data.ok) return succeeded({ data: data.value, errors });
  const first = errors[0];
  return first === undefined ? data : { ok: false, failure: toFailure(first) };
}

function partialAnswer(error: unknown): { readonly data: unknown } {
  const answered = ResponseError.safeParse(error);
  if (!answered.success) throw error;
  return { data: answered.data.response };
}

const toFailureKind = (type: string): FailureKind =>
  (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? "unavailable";

const isLimit = (type: string): boolean => ["rate_limited", "too_large"].includes(toFailureKind(type));

/** One error of an answer as a failure. */
export function toFailure({ type, message }: GraphqlError): GitHubFailure {
  const kind = toFailureKind(type);
  const retryAfterMs = kind === "rate_limited" ? RATE_LIMIT_MS : null;
  return { kind, status: 200, message: redactMessage(`${type}: ${message}`), retryAfterMs };
}
