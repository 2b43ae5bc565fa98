import type { Clock } from "../../kernel/clock.ts";
import type { BatchedMutation } from "./batched-mutation.ts";

/** Checks go before comments in the write lane of an installation. */
export type WritePriority = "gate" | "comment";

export interface WriteOptions {
  readonly priority: WritePriority;
  /** Called right before the request is sent; false drops the write. */
  readonly isCurrent: () => Promise<boolean>;
  /** The same write as a field of a GraphQL mutation, so that it can be sent with others; absent: it is sent alone. */
  readonly mutation?: BatchedMutation | undefined;
  /** True: it was in the lane already, as a part of a batch. */
  readonly isPaced?: boolean;
}

export interface LaneTask {
  readonly priority: WritePriority;
  readonly mutation?: BatchedMutation | undefined;
  /** Sends the request and reports its answer itself; false when nothing was sent, so that nobody need wait for it. */
  run(): Promise<boolean>;
}

export interface WriteLaneOptions {
  readonly clock: Clock;
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** Time between the starts of two writes of one installation, in milliseconds; by default the 1,000 that github.com asks for. */
  readonly writeSpacingMs?: number;
}

/** Sends tasks that have a mutation as one request. */
export interface TaskBatch<T extends LaneTask> {
  /** Whether batches are sent now. */
  isOn(): boolean;
  /** Reports the answers itself; false when nothing was sent. */
  send(tasks: readonly T[]): Promise<boolean>;
}

const SPACING_MS = 1_000;
const MAX_BATCH = 20;
/** Characters of a batch's inputs as JSON: about ten checks of the largest size. */
const MAX_BATCH_LENGTH = 1_000_000;

/**
 * One installation's writes, one after the other: checks before comments, each kind in order. The next one is chosen when its time
 * has come, so a check overtakes every comment that has not been sent yet, and checks that wait at the same time go together.
 */
export class WriteLane<T extends LaneTask> {
  readonly #waiting: WriteLaneOptions;
  readonly #queues: Record<WritePriority, T[]> = { gate: [], comment: [] };
  readonly #spacingMs: number;
  readonly #batch: TaskBatch<T> | null;
  #nextAt = Number.NEGATIVE_INFINITY;
  #running = false;

  constructor(waiting: WriteLaneOptions, batch: TaskBatch<T> | null = null) {
    this.#waiting = waiting;
    this.#batch = batch;
    this.#spacingMs = waiting.writeSpacingMs ?? SPACING_MS;
  }

  enter(task: T): void {
    this.#queues[task.priority].push(task);
    if (!this.#running) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#queues.gate.length + this.#queues.comment.length > 0) {
      const now = this.#waiting.clock.monotonicMs();
      if (now < this.#nextAt) {
        await this.#waiting.wait(this.#nextAt - now);
        continue;
      }
      if (await this.#runNext()) this.#nextAt = now + this.#spacingMs;
    }
    this.#running = false;
  }

  /** False when nothing was sent. */
  async #runNext(): Promise<boolean> {
    const batch = this.#batch?.isOn() === true ? this.#takeBatch() : [];
    if (this.#batch !== null && batch.length > 1) return this.#batch.send(batch);
    const task = batch[0] ?? this.#queues.gate.shift() ?? this.#queues.comment.shift();
    return (await task?.run()) ?? false;
  }

  /** Takes the first check and those behind it that can go with it; none when the first one has to go alone. */
  #takeBatch(): readonly T[] {
    const { gate } = this.#queues;
    if (gate[0]?.mutation === undefined) return [];
    let length = 0;
    const taken = new Set<T>();
    for (const task of gate) {
      if (task.mutation === undefined) continue;
      length += JSON.stringify(task.mutation.input).length;
      if (taken.size === MAX_BATCH || (taken.size > 0 && length > MAX_BATCH_LENGTH)) break;
      taken.add(task);
    }
    this.#queues.gate = gate.filter((task) => !taken.has(task));
    return [...taken];
  }
}
