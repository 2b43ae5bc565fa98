import type { OctokitResponse } from "@octokit/types";
import type { Clock } from "../../kernel/clock.ts";
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

export interface LaneTask extends Pick<WriteOptions, "priority" | "mutation" | "isCurrent"> {
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

/** Sends tasks that have a mutation as one request. */
interface TaskBatch {
  isOn(): boolean;
  /** Reports the answers itself; false when nothing was sent. */
  send(tasks: readonly LaneTask[]): Promise<boolean>;
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
export class WriteLane {
  readonly #waiting: WriteLaneOptions;
  readonly #queues: Record<WritePriority, LaneTask[]> = { check: [], comment: [] };
  readonly #spacingMs: number;
  readonly #batch: TaskBatch;
  readonly #pace: WritePace | null;
  #nextAt = Number.NEGATIVE_INFINITY;
  /** The reserved start of the next write; null: none is reserved. */
  #startAt: number | null = null;
  #running = false;

  constructor(waiting: WriteLaneOptions, batch: TaskBatch) {
    this.#waiting = waiting;
    this.#batch = batch;
    this.#pace = waiting.pace ?? null;
    this.#spacingMs = waiting.writeSpacingMs ?? SPACING_MS;
  }

  enter(task: LaneTask): void {
    this.#queues[task.priority].push(task);
    if (!this.#running) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#queues.check.length + this.#queues.comment.length > 0) {
      const start = this.#timeToStart();
      const waitMs = typeof start === "number" ? start : await start;
      if (waitMs === null) continue;
      if (waitMs > 0) await this.#waiting.wait(waitMs);
      else await this.#sendNext();
    }
    this.#running = false;
  }

  /** Keeps the next write waiting only when something was sent. */
  async #sendNext(): Promise<void> {
    const now = this.#waiting.clock.monotonicMs();
    if (!(await this.#runNext())) return;
    this.#nextAt = now + this.#spacingMs;
    this.#startAt = null;
  }

  /** Time until the next write may start, in ms; as `#reserve` where other processes have a say in it. */
  #timeToStart(): number | Promise<number | null> {
    const ownMs = this.#nextAt - this.#waiting.clock.monotonicMs();
    if (ownMs > 0 || this.#spacingMs === 0 || this.#pace === null) return ownMs;
    return this.#reserve(this.#pace);
  }

  /** Reserves the next start and returns the time until then, in ms. Null: the pace is not known, and a task was rejected for it. */
  async #reserve(pace: WritePace): Promise<number | null> {
    const { clock } = this.#waiting;
    // A start that was not used for so long may be followed by another process's.
    if (this.#startAt !== null && clock.monotonicMs() < this.#startAt + this.#spacingMs)
      return this.#startAt - clock.monotonicMs();
    this.#startAt = null;
    try {
      const isUrgent = this.#queues.check.length > 0;
      const { isReserved, inMs } = await pace.reserve(this.#spacingMs, isUrgent);
      if (!isReserved) return Math.max(inMs, 1);
      this.#startAt = clock.monotonicMs() + inMs;
      return inMs;
    } catch (error) {
      this.#takeFirst()?.reject(error);
      return null;
    }
  }

  #takeFirst(): LaneTask | undefined {
    return this.#queues.check.shift() ?? this.#queues.comment.shift();
  }

  /** False when nothing was sent. */
  async #runNext(): Promise<boolean> {
    const batch = this.#batch.isOn() ? this.#takeBatch() : [];
    if (batch.length > 1) return this.#batch.send(batch);
    const task = batch[0] ?? this.#takeFirst();
    return (await task?.run()) ?? false;
  }

  /** Takes the first check and those behind it that can go with it; none when the first one has to go alone. */
  #takeBatch(): readonly LaneTask[] {
    const { check: checks } = this.#queues;
    if (checks[0]?.mutation === undefined) return [];
    let length = 0;
    const taken = new Set<LaneTask>();
    for (const task of checks) {
      if (task.mutation === undefined) continue;
      length += JSON.stringify(task.mutation.input).length;
      if (taken.size === MAX_BATCH || (taken.size > 0 && length > MAX_BATCH_LENGTH)) break;
      taken.add(task);
    }
    this.#queues.check = checks.filter((task) => !taken.has(task));
    return [...taken];
  }
}
