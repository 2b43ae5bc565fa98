import type { Octokit } from "@octokit/rest";
import type { OctokitResponse } from "@octokit/types";
import { z } from "zod";
import { type Clock, HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { type GraphqlAnswer, readGraphql, toFailure } from "./graphql.ts";
import { createGitHubFailure, GitHubError, type GitHubFailure, SupersededError } from "./result.ts";
import type { WritePace } from "./shared-installation.ts";

/** Checks go before comments in the write lane of an installation. */
export type WritePriority = "check" | "comment";

export interface WriteOptions {
  readonly priority: WritePriority;
  /** Called right before the request is sent; false drops the write. */
  readonly isCurrent: () => Promise<boolean>;
  /** The same write as a field of a GraphQL mutation, so that it can be sent with others; absent: it is sent alone. */
  readonly mutation?: BatchedMutation | undefined;
  /** True: it was in the lane already, as a part of a batch. */
  readonly isPaced?: boolean;
}

/** A write that can be one field of a GraphQL mutation, with the same effect and answer as its REST route. */
export interface BatchedMutation {
  /** Field of GitHub's `Mutation` type. */
  readonly field: string;
  readonly inputType: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Selected fields of its payload, in braces. */
  readonly selection: string;
  /** Returns the body that the REST route answers; a payload of another shape is returned as it is, and fits no schema. */
  readonly toRestBody: (payload: unknown) => unknown;
}

interface LaneTask extends Pick<WriteOptions, "priority" | "mutation" | "isCurrent"> {
  /** Sends the request and reports its answer itself; false when nothing was sent, so that nobody need wait for it. */
  run(): Promise<boolean>;
  /** Reports its answer, or why there is none, when it was sent with others or cannot be sent. */
  resolve(response: OctokitResponse<unknown>): void;
  reject(error: unknown): void;
}

export interface WriteLaneOptions {
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  /** Time between the starts of two writes of one installation, in milliseconds; by default the 1,000 that github.com asks for. */
  readonly writeSpacingMs?: number;
  /** Agrees with other processes on the starts of writes; absent: there are none. Not asked when nothing has to be kept between them. */
  readonly pace?: WritePace;
}

const SPACING_MS = 1_000;
const MAX_BATCH = 20;
/** Characters of a batch's inputs as JSON: about ten checks of the largest size. */
const MAX_BATCH_LENGTH = 1_000_000;

/**
 * One installation's writes, one after the other: checks before comments, each kind in order. The next one is chosen when its time
 * has come, so a check overtakes every comment that has not been sent yet, and checks that wait at the same time go together. Its time
 * is agreed with the lanes of other processes.
 */
export function createWriteLane(options: WriteLaneOptions, batch: ReturnType<typeof createCheckBatch>) {
  const { clock, wait, pace, writeSpacingMs: spacingMs = SPACING_MS } = options;
  const queues: Record<WritePriority, LaneTask[]> = { check: [], comment: [] };
  let nextAt = Number.NEGATIVE_INFINITY;
  /** The reserved start of the next write; null: none is reserved. */
  let startAt: number | null = null;
  let running = false;

  async function drain(): Promise<void> {
    running = true;
    while (queues.check.length + queues.comment.length > 0) {
      const start = findTimeToStart();
      const waitMs = typeof start === "number" ? start : await start;
      if (waitMs === null) continue;
      if (waitMs > 0) await wait(waitMs);
      else await sendNext();
    }
    running = false;
  }

  /** Keeps the next write waiting only when something was sent. */
  async function sendNext(): Promise<void> {
    const now = clock.monotonicMs();
    if (!(await runNext())) return;
    nextAt = now + spacingMs;
    startAt = null;
  }

  /** Time until the next write may start, in ms; as `reserve` where other processes have a say in it. */
  function findTimeToStart(): number | Promise<number | null> {
    const ownMs = nextAt - clock.monotonicMs();
    return ownMs > 0 || spacingMs === 0 || pace === undefined ? ownMs : reserve(pace);
  }

  /** Reserves the next start and returns the time until then, in ms. Null: the pace is not known, and a task was rejected for it. */
  async function reserve(shared: WritePace): Promise<number | null> {
    // A start that was not used for so long may be followed by another process's.
    if (startAt !== null && clock.monotonicMs() < startAt + spacingMs) return startAt - clock.monotonicMs();
    startAt = null;
    try {
      const { isReserved, inMs } = await shared.reserve(spacingMs, queues.check.length > 0);
      if (!isReserved) return Math.max(inMs, 1);
      startAt = clock.monotonicMs() + inMs;
      return inMs;
    } catch (error) {
      takeFirst()?.reject(error);
      return null;
    }
  }

  const takeFirst = (): LaneTask | undefined => queues.check.shift() ?? queues.comment.shift();

  /** False when nothing was sent. */
  async function runNext(): Promise<boolean> {
    const tasks = batch.isOn() ? takeBatch() : [];
    if (tasks.length > 1) return batch.send(tasks);
    return (await (tasks[0] ?? takeFirst())?.run()) ?? false;
  }

  /** Takes the first check and those behind it that can go with it; none when the first one has to go alone. */
  function takeBatch(): readonly LaneTask[] {
    const { check: checks } = queues;
    if (checks[0]?.mutation === undefined) return [];
    let length = 0;
    const taken = new Set<LaneTask>();
    for (const task of checks) {
      if (task.mutation === undefined) continue;
      length += JSON.stringify(task.mutation.input).length;
      if (taken.size === MAX_BATCH || (taken.size > 0 && length > MAX_BATCH_LENGTH)) break;
      taken.add(task);
    }
    queues.check = checks.filter((task) => !taken.has(task));
    return [...taken];
  }

  return {
    enter(task: LaneTask): void {
      queues[task.priority].push(task);
      if (!running) void drain();
    },
  };
}

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
export function createCheckBatch(octokit: Octokit, pause: { isOver(): boolean }, clock: Clock) {
  let offUntilMs = Number.NEGATIVE_INFINITY;

  /** Throws `SupersededError`, and sends nothing, when one of the checks is no longer current. */
  function request(batch: readonly BatchedTask[]): Promise<GraphqlAnswer<z.infer<typeof Data>>> {
    const isCurrent = async (): Promise<boolean> =>
      (await Promise.all(batch.map(({ task }) => task.isCurrent()))).every(Boolean);
    const mutations = batch.map(({ mutation }) => mutation);
    const variables = Object.fromEntries(mutations.map(({ input }, index) => [nameField(index), input]));
    const write = { priority: "check" as const, isCurrent, isPaced: true };
    return readGraphql(
      octokit.graphql(buildOperation(mutations), { ...variables, request: { write } }),
      Data,
    );
  }

  function pauseAfter(failure: GitHubFailure): void {
    const isOutage = failure.status === null || failure.status >= 500;
    // GitHub may have too little time for many writes at once, however often they are sent.
    const offMs = failure.kind === "rate_limited" ? LIMITED_MS : isOutage ? UNFINISHED_MS : REFUSED_MS;
    offUntilMs = clock.monotonicMs() + offMs;
  }

  async function sendTogether(batch: readonly BatchedTask[]): Promise<void> {
    try {
      const answer = await request(batch);
      for (const [index, batched] of batch.entries()) settleTask(batched, nameField(index), answer);
      // A server may permit an App a write by its own route only.
      answer.errors
        .map(toFailure)
        .filter(({ kind }) => kind === "forbidden")
        .forEach(pauseAfter);
    } catch (error) {
      if (error instanceof GitHubError) pauseAfter(error.failure);
      const isDropped = error instanceof SupersededError;
      for (const { task } of batch) await (isDropped ? task.run() : task.reject(error));
    }
  }

  return {
    /** Whether batches are sent now. */
    isOn: (): boolean => pause.isOver() && clock.monotonicMs() >= offUntilMs,
    /** Reports the answer to each task; false when nothing was sent. A task without an answer fails: its caller finds out whether it happened. */
    async send(tasks: readonly LaneTask[]): Promise<boolean> {
      const states = await Promise.all(tasks.map((task) => task.isCurrent()));
      const current = tasks.flatMap((task, index): readonly BatchedTask[] =>
        states[index] === true && task.mutation !== undefined ? [{ task, mutation: task.mutation }] : [],
      );
      if (current.length < 2) return (await current[0]?.task.run()) ?? false;
      await sendTogether(current);
      return true;
    },
  };
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
