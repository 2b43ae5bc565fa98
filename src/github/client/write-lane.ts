import type { Clock } from "../../kernel/clock.ts";

/** Checks go before comments in the write lane of an installation. */
export type WritePriority = "gate" | "comment";

export interface WriteOptions {
  readonly priority: WritePriority;
  /** Called right before the request is sent; false drops the write. */
  readonly isCurrent: () => Promise<boolean>;
}

export interface LaneTask {
  readonly priority: WritePriority;
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

const SPACING_MS = 1_000;

/**
 * One installation's writes, one after the other: checks before comments, each kind in order. The next one is chosen when its time
 * has come, so a check overtakes every comment that has not been sent yet.
 */
export class WriteLane {
  readonly #waiting: WriteLaneOptions;
  readonly #queues: Record<WritePriority, LaneTask[]> = { gate: [], comment: [] };
  readonly #spacingMs: number;
  #nextAt = Number.NEGATIVE_INFINITY;
  #running = false;

  constructor(waiting: WriteLaneOptions) {
    this.#waiting = waiting;
    this.#spacingMs = waiting.writeSpacingMs ?? SPACING_MS;
  }

  enter(task: LaneTask): void {
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
      const task = this.#queues.gate.shift() ?? this.#queues.comment.shift();
      if (task !== undefined && (await task.run())) this.#nextAt = now + this.#spacingMs;
    }
    this.#running = false;
  }
}
