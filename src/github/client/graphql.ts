import { z } from "zod";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { createMalformedError, parseAnswer } from "./read-answer.ts";
import { type FailureKind, GitHubError, type GitHubFailure, redactMessage } from "./result.ts";

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

const RATE_LIMIT_MS = MINUTE_MS;

/** Throws `GitHubError` for a body of another shape, and for one with a limit, whatever data came with it. */
export function refuseLimit(body: unknown): void {
  const limit = parseAnswer(Envelope, body).errors?.find(({ type }) => isLimit(type));
  if (limit !== undefined) throw new GitHubError(toFailure(limit));
}

/** The validated data of `octokit.graphql`, with the errors beside it. Throws `GitHubError` when the data is not usable. */
export async function readGraphql<T>(
  call: Promise<unknown>,
  schema: z.ZodType<T>,
): Promise<GraphqlAnswer<T>> {
  const { data, errors = [] } = parseAnswer(
    Envelope,
    await call.then((all) => ({ data: all }), partialAnswer),
  );
  const parsed = schema.safeParse(data);
  if (parsed.success) return { data: parsed.data, errors };
  throw errors[0] === undefined
    ? createMalformedError(data, parsed.error)
    : new GitHubError(toFailure(errors[0]));
}

function partialAnswer(error: unknown): z.infer<typeof Envelope> {
  const answered = ResponseError.safeParse(error);
  if (!answered.success) throw error;
  return answered.data.response;
}

const toFailureKind = (type: string): FailureKind =>
  (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? "unavailable";

const isLimit = (type: string): boolean => ["rate_limited", "too_large"].includes(toFailureKind(type));

export function toFailure({ type, message }: GraphqlError): GitHubFailure {
  const kind = toFailureKind(type);
  const retryAfterMs = kind === "rate_limited" ? RATE_LIMIT_MS : null;
  return { kind, status: 200, message: redactMessage(`${type}: ${message}`), retryAfterMs };
}
