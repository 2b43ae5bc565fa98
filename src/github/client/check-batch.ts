import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { type Clock, HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { type GraphqlAnswer, readGraphql, toFailure } from "./graphql.ts";
import { createGitHubFailure, GitHubError, type GitHubFailure, SupersededError } from "./result.ts";
import type { BatchedMutation, LaneTask } from "./write-lane.ts";

/** Time without batches after GitHub limited one, did not take its form, or did not finish it, in ms. */
const LIMITED_MS = HOUR_MS;
const REFUSED_MS = 10 * MINUTE_MS;
const UNFINISHED_MS = MINUTE_MS;

interface BatchedTask {
  readonly task: LaneTask;
  readonly mutation: BatchedMutation;
}

const Data = z.record(z.string(), z.unknown());

/**
 * Sends checks that wait at the same time as one request, which counts as one: an operation of GraphQL with a field per check, which
 * GitHub performs one after the other. When GitHub answers with a limit, does not understand, permit or finish the request, checks
 * are sent one by one for a while. https://docs.github.com/en/graphql/guides/forming-calls-with-graphql
 */
export class CheckBatch {
  readonly #octokit: Octokit;
  readonly #pause: { isOver(): boolean };
  readonly #clock: Clock;
  #offUntilMs = Number.NEGATIVE_INFINITY;

  constructor(octokit: Octokit, pause: { isOver(): boolean }, clock: Clock) {
    this.#octokit = octokit;
    this.#pause = pause;
    this.#clock = clock;
  }

  isOn(): boolean {
    return this.#pause.isOver() && this.#clock.monotonicMs() >= this.#offUntilMs;
  }

  /** Reports the answer to each task; false when nothing was sent. A task without an answer fails: its caller finds out whether it happened. */
  async send(tasks: readonly LaneTask[]): Promise<boolean> {
    const states = await Promise.all(tasks.map((task) => task.isCurrent()));
    const current = tasks.flatMap((task, index): readonly BatchedTask[] =>
      states[index] === true && task.mutation !== undefined ? [{ task, mutation: task.mutation }] : [],
    );
    if (current.length < 2) return (await current[0]?.task.run()) ?? false;
    try {
      const answer = await this.#request(current);
      for (const [index, batched] of current.entries()) settleTask(batched, nameField(index), answer);
      // A server may permit an App a write by its own route only.
      const forbidden = answer.errors.map(toFailure).find(({ kind }) => kind === "forbidden");
      if (forbidden !== undefined) this.#pauseAfter(forbidden);
    } catch (error) {
      if (error instanceof GitHubError) this.#pauseAfter(error.failure);
      for (const { task } of current)
        if (error instanceof SupersededError) await task.run();
        else task.reject(error);
    }
    return true;
  }

  /** Throws `SupersededError`, and sends nothing, when one of the checks is no longer current. */
  #request(batch: readonly BatchedTask[]): Promise<GraphqlAnswer<z.infer<typeof Data>>> {
    const isCurrent = async (): Promise<boolean> =>
      (await Promise.all(batch.map(({ task }) => task.isCurrent()))).every(Boolean);
    const mutations = batch.map(({ mutation }) => mutation);
    const variables = Object.fromEntries(mutations.map(({ input }, index) => [nameField(index), input]));
    const request = { write: { priority: "check" as const, isCurrent, isPaced: true } };
    return readGraphql(this.#octokit.graphql(buildOperation(mutations), { ...variables, request }), Data);
  }

  #pauseAfter(failure: GitHubFailure): void {
    const isOutage = failure.status === null || failure.status >= 500;
    // GitHub may have too little time for many writes at once, however often they are sent.
    const offMs = failure.kind === "rate_limited" ? LIMITED_MS : isOutage ? UNFINISHED_MS : REFUSED_MS;
    this.#offUntilMs = this.#clock.monotonicMs() + offMs;
  }
}

const nameField = (index: number): string => `write${index}`;

export function buildOperation(mutations: readonly BatchedMutation[]): string {
  const variables = mutations.map(({ inputType }, index) => `$${nameField(index)}: ${inputType}!`);
  const fields = mutations.map(
    ({ field, selection }, index) =>
      `  ${nameField(index)}: ${field}(input: $${nameField(index)}) ${selection}`,
  );
  return `mutation Batch(${variables.join(", ")}) {\n${fields.join("\n")}\n}`;
}

function settleTask(
  { task, mutation }: BatchedTask,
  field: string,
  { data, errors }: GraphqlAnswer<z.infer<typeof Data>>,
): void {
  const error = errors.find(({ path }) => path[0] === field);
  const payload = data[field] ?? null;
  if (error !== undefined) task.reject(new GitHubError(toFailure(error)));
  else if (payload === null)
    task.reject(new GitHubError(createGitHubFailure("malformed", `no answer to ${field}`)));
  else task.resolve({ status: 200, url: "", headers: {}, data: mutation.toRestBody(payload) });
}
