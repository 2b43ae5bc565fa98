import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import {
  createGitHubFailure,
  type FailureKind,
  GitHubError,
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

/** A write that can be one field of a GraphQL mutation, with the same effect and answer as its REST route. */
export interface BatchedMutation {
  /** Field of GitHub's `Mutation` type. */
  readonly field: string;
  /** Name of the field's input type. */
  readonly inputType: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Selected fields of its payload, in braces. */
  readonly selection: string;
  /** Returns the body that the REST route answers; a payload of another shape is returned as it is, and fits no schema. */
  readonly toRestBody: (payload: unknown) => unknown;
}

/** What became of each mutation of a batch, in order: the body of the REST route, or why there is none. */
export type BatchAnswer = readonly (
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly error: GitHubError }
)[];

export interface SentMutations {
  readonly answers: BatchAnswer;
  /** Of the whole request. */
  readonly failure: GitHubFailure | null;
}

const Data = z.record(z.string(), z.unknown());

/**
 * Sends several writes as one request: one operation with a field per write, which GitHub performs one after the other. A write whose
 * answer is missing failed with `malformed` or with the failure of the whole request: its caller finds out whether it happened.
 * Throws `SupersededError`, and sends nothing, when the writes are no longer current.
 * https://docs.github.com/en/graphql/guides/forming-calls-with-graphql
 */
export async function sendMutations(
  octokit: Octokit,
  mutations: readonly BatchedMutation[],
  isCurrent: () => Promise<boolean>,
): Promise<SentMutations> {
  const variables = Object.fromEntries(mutations.map(({ input }, index) => [nameField(index), input]));
  const request = { write: { priority: "check" as const, isCurrent, isPaced: true } };
  const call = octokit.graphql(buildOperation(mutations), { ...variables, request });
  const answer = await toGraphqlResult(call, Data);
  if (!answer.ok) {
    const failed = { ok: false as const, error: new GitHubError(answer.failure) };
    return { answers: mutations.map(() => failed), failure: answer.failure };
  }
  const { data, errors } = answer.value;
  return {
    answers: mutations.map((mutation, index) => readAnswer(mutation, { index, data, errors })),
    failure: null,
  };
}

/** Names of fields and variables of the operation. */
const nameField = (index: number): string => `write${index}`;

export function buildOperation(mutations: readonly BatchedMutation[]): string {
  const variables = mutations.map(({ inputType }, index) => `$${nameField(index)}: ${inputType}!`);
  const fields = mutations.map(
    ({ field, selection }, index) =>
      `  ${nameField(index)}: ${field}(input: $${nameField(index)}) ${selection}`,
  );
  return `mutation Batch(${variables.join(", ")}) {\n${fields.join("\n")}\n}`;
}

function readAnswer(
  { toRestBody }: BatchedMutation,
  { index, data, errors }: { index: number; data: z.infer<typeof Data>; errors: readonly GraphqlError[] },
): BatchAnswer[number] {
  const name = nameField(index);
  const error = errors.find(({ path }) => path[0] === name);
  if (error !== undefined) return { ok: false, error: new GitHubError(toFailure(error)) };
  const payload = data[name] ?? null;
  if (payload !== null) return { ok: true, body: toRestBody(payload) };
  return { ok: false, error: new GitHubError(createGitHubFailure("malformed", `no answer to ${name}`)) };
}
