import { z } from "zod";
import { type FailureKind, failed, type GitHubResult, quoted, succeeded } from "./answer.ts";
import type { GraphqlAnswer, GraphqlCall, GraphqlError, RestCall } from "./installation-client.ts";
import { validate } from "./send.ts";

const Problem = z.object({
  type: z.string().default("UNKNOWN"),
  message: z.string().default("").transform(quoted),
  path: z.array(z.union([z.string(), z.number()])).default([]),
});

const Envelope = z.object({ data: z.unknown().optional(), errors: z.array(Problem).optional() });
type Envelope = z.infer<typeof Envelope>;

/** GraphQL reports errors inside an answer with status 200. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  FORBIDDEN: "forbidden",
  INSUFFICIENT_SCOPES: "forbidden",
  NOT_FOUND: "not_found",
  RATE_LIMITED: "rate_limited",
  RATE_LIMIT: "rate_limited",
  RESOURCE_LIMITS_EXCEEDED: "too_large",
  MAX_NODE_LIMIT_EXCEEDED: "too_large",
};

const RATE_LIMIT_MS = 60_000;

/** A query as the REST call that carries it. `url` is absolute: GraphQL lives beside the REST prefix, not under it. */
export function graphqlRequest(url: string, call: GraphqlCall<unknown>): RestCall<Envelope> {
  const route = `POST ${url}` as RestCall<Envelope>["route"]; // Octokit takes an absolute address where a path may stand
  return { route, parameters: { query: call.query, variables: call.variables }, answer: Envelope };
}

/** Takes the answer apart. A limit is a failure whatever data came with it; other errors are left to the caller beside the data. */
export function graphqlAnswer<T>(envelope: Envelope, call: GraphqlCall<T>): GitHubResult<GraphqlAnswer<T>> {
  const errors: readonly GraphqlError[] = envelope.errors ?? [];
  const limit = errors.find(({ type }) => isLimit(type));
  if (limit !== undefined) return failureOf(limit);
  const data = validate(call.answer, envelope.data);
  if (data.ok) return succeeded({ data: data.value, errors });
  const first = errors[0];
  return first === undefined ? data : failureOf(first);
}

const kindOf = (type: string): FailureKind =>
  (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? "unavailable";

const isLimit = (type: string): boolean => ["rate_limited", "too_large"].includes(kindOf(type));

function failureOf(error: GraphqlError): GitHubResult<never> {
  const kind = kindOf(error.type);
  if (kind !== "rate_limited") return failed(kind, `${error.type}: ${error.message}`, 200);
  return {
    ok: false,
    failure: { kind, status: 200, message: error.message, retryAfterMs: RATE_LIMIT_MS },
  };
}
