import { AsyncLocalStorage } from "node:async_hooks";
import type { Life } from "./life.ts";
import type { Scheduler } from "./scheduler.ts";

export type QueueName = "delivery" | "lane" | "comment" | "notification" | "alarm" | "platform";

/** A job on the disk. As in pg-boss: `retry` is waiting again after a failure, `completed` and `failed` are final. */
export interface StoredJob {
  readonly id: string;
  readonly queue: QueueName;
  /** Of lanes: one waiting job of a key, and one running. Null: the job stands alone. */
  readonly key: string | null;
  data: object;
  state: "created" | "retry" | "active" | "completed" | "failed";
  startAfterMs: number;
  startedMs: number;
  retries: number;
  readonly order: number;
}

/** What a running job's claim is: the job and the attempt that was fetched. */
export interface Claim {
  readonly job: StoredJob;
  readonly attempt: number;
}

/** The claim for which the code that asks runs. */
export const currentClaim = new AsyncLocalStorage<Claim>();

const RETRY_LIMIT = 10;
const LONGEST_RETRY_S = 300;
/** A job whose worker does not report for this long is taken from it. */
const HEARTBEAT_MS = 10_000;

/** The queue's disk: what it holds survives crashes. Its rules are those of `src/queue/names.ts` on pg-boss. */
export class JobStore {
  readonly jobs = new Map<string, StoredJob>();
  /** The run that began last in each lane. */
  readonly newestRuns = new Map<string, Claim>();
  /** Which process works on a job, and by which claim. */
  readonly holders = new Map<StoredJob, { readonly claim: Claim; readonly life: Life }>();
  /** The deliveries whose handler came to its end. */
  readonly handled = new Set<string>();
  readonly #scheduler: Pick<Scheduler, "statement" | "time">;
  #order = 0;

  constructor(scheduler: Pick<Scheduler, "statement" | "time">) {
    this.#scheduler = scheduler;
  }

  get #nowMs(): number {
    return this.#scheduler.time.now();
  }

  /** Adds a job; false: a job has this id. */
  insert(id: string, { queue, key, data, delayMs }: NewJob): boolean {
    if (this.jobs.has(id)) return false;
    this.#order += 1;
    const startAfterMs = this.#nowMs + delayMs;
    const state = { state: "created", startAfterMs, startedMs: 0, retries: 0 } as const;
    this.jobs.set(id, { id, queue, key, data, order: this.#order, ...state });
    return true;
  }

  /** Replaces the waiting job of the key, or adds one. */
  upsert(job: NewJob): void {
    const waiting = this.#all().filter(
      ({ queue, key, state }) => queue === job.queue && key === job.key && isWaiting(state),
    );
    const newest = waiting.at(-1);
    if (newest === undefined) {
      this.insert(`${job.queue}-${this.#order + 1}`, job);
      return;
    }
    newest.data = job.data;
    newest.startAfterMs = this.#nowMs + job.delayMs;
  }

  /** Takes the first job that is due; of a key whose job runs, none. */
  fetch(queue: QueueName): Claim | null {
    const active = new Set(
      this.#all().flatMap((job) => (job.queue === queue && job.state === "active" ? [job.key] : [])),
    );
    const job = this.#all().find(
      (one) =>
        one.queue === queue &&
        isWaiting(one.state) &&
        one.startAfterMs <= this.#nowMs &&
        (one.key === null || !active.has(one.key)),
    );
    if (job === undefined) return null;
    if (job.state === "retry") job.retries += 1;
    job.state = "active";
    job.startedMs = this.#nowMs;
    return { job, attempt: job.retries };
  }

  complete({ job, attempt }: Claim): void {
    if (job.state === "active" && job.retries === attempt) job.state = "completed";
  }

  fail({ job, attempt }: Claim): void {
    if (job.state !== "active" || job.retries !== attempt) return;
    job.state = job.retries < RETRY_LIMIT ? "retry" : "failed";
    const seconds = Math.min(LONGEST_RETRY_S, 0.75 * 2 ** (job.retries + 1));
    if (job.state === "retry") job.startAfterMs = this.#nowMs + seconds * 1_000;
  }

  /** A delivery that failed every attempt and is delivered again. */
  retryFailed(id: string): void {
    const job = this.jobs.get(id);
    if (job?.state !== "failed") return;
    job.state = "retry";
    job.retries -= 1;
    job.startAfterMs = this.#nowMs;
  }

  /** What a process that ended had taken goes back. */
  returnOrphans(): void {
    for (const job of this.#all())
      if (job.state === "active" && !this.#isHeld(job)) this.fail({ job, attempt: job.retries });
  }

  /** Takes the jobs from workers that no longer report. */
  expire(): void {
    for (const job of this.#all())
      if (job.state === "active" && !this.#isHeld(job) && job.startedMs + HEARTBEAT_MS < this.#nowMs)
        this.fail({ job, attempt: job.retries });
  }

  #isHeld(job: StoredJob): boolean {
    return this.holders.get(job)?.life.isOver === false;
  }

  /** When the next job becomes due, of those that wait for a time; null: none does. */
  nextMs(queues: readonly QueueName[]): number | null {
    const times = this.#all().flatMap(({ queue, state, startAfterMs }) =>
      queues.includes(queue) && isWaiting(state) && startAfterMs > this.#nowMs ? [startAfterMs] : [],
    );
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The jobs of these queues that wait or run. */
  listOpen(queues: readonly QueueName[]): readonly StoredJob[] {
    return this.#all().filter(
      ({ queue, state }) => queues.includes(queue) && (isWaiting(state) || state === "active"),
    );
  }

  hasOpenDeliveries(): boolean {
    return this.listOpen(["delivery"]).length > 0;
  }

  /** A run begins in a lane, and ends the right of earlier ones to write. */
  begins(lane: string): void {
    const claim = currentClaim.getStore();
    if (claim !== undefined) this.newestRuns.set(lane, claim);
  }

  /** Whether the code that asks belongs to a run that a later one of its lane has replaced. */
  isReplaced(): boolean {
    const claim = currentClaim.getStore();
    if (claim?.job.queue !== "lane") return false;
    const newest = this.newestRuns.get(claim.job.key ?? "");
    return newest !== undefined && newest !== claim;
  }

  #all(): StoredJob[] {
    return [...this.jobs.values()];
  }

  /** Writes to the disk: an effect like a statement of the database. */
  write<T>(life: Life, work: () => T): Promise<T> {
    return this.#scheduler.statement(life, async () => work());
  }
}

export interface NewJob {
  readonly queue: QueueName;
  readonly key: string | null;
  readonly data: object;
  readonly delayMs: number;
}

const isWaiting = (state: StoredJob["state"]): boolean => state === "created" || state === "retry";
