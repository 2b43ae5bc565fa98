import { TollgateError } from "../../kernel/errors.ts";

export interface QueueLimits {
  /** Most waiting jobs of one owner. */
  readonly perOwner: number;
  /** Longest wait of a job, in ms; null: unlimited. */
  readonly patienceMs: number | null;
}

interface Job {
  start(): void;
}

/** Runs one job at a time. Owners take turns, so that each waits for at most one job of each other owner. */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** By owner, in the order of turns. */
  readonly #waiting = new Map<string, Job[]>();
  #isBusy = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a job when it is its owner's turn.
   *
   * @throws TollgateError `evaluation_busy`, retryable, when the job would wait too long
   */
  async add<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#turn(owner);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = this.#startNext();
    }
  }

  #turn(owner: string): Promise<void> {
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= this.#limits.perOwner) throw createBusyError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { patienceMs } = this.#limits;
    const timer =
      patienceMs === null
        ? undefined
        : setTimeout(() => {
            this.#leave(owner, job);
            reject(createBusyError());
          }, patienceMs);
    const job: Job = {
      start: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    this.#waiting.set(owner, [...own, job]);
    return promise;
  }

  #leave(owner: string, job: Job): void {
    const others = (this.#waiting.get(owner) ?? []).filter((one) => one !== job);
    if (others.length === 0) this.#waiting.delete(owner);
    else this.#waiting.set(owner, others);
  }

  /** Starts the next job; false: none waits. */
  #startNext(): boolean {
    const [first] = this.#waiting;
    if (first === undefined) return false;
    const [owner, [job, ...others]] = first;
    this.#waiting.delete(owner);
    if (others.length > 0) this.#waiting.set(owner, others);
    job?.start();
    return true;
  }
}

const createBusyError = (): TollgateError =>
  new TollgateError("evaluation_busy", "too many policies are to be evaluated at once", {
    hint: "Re-check in a minute.",
    retryable: true,
  });
