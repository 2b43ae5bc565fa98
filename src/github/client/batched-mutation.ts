import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { GitHubError } from "./github-error.ts";
import { type GraphqlError, toFailure, toGraphqlResult } from "./graphql.ts";
import { createGitHubFailure, type GitHubFailure } from "./result.ts";

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
  const request = { write: { priority: "gate" as const, isCurrent, isPaced: true } };
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
