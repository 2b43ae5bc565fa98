import type { ExaminedPart } from "./health.ts";

/** A delivery of GitHub with what became of it. Times in ms since 1970. */
export interface DeliveryOutcome {
  readonly id: string;
  /** What it says in one word, e.g. `pull`; null: a newer version stored it. */
  readonly event: string | null;
  /** `owner/name`; null: it is about no repository. */
  readonly repository: string | null;
  readonly pull: number | null;
  readonly state: "waiting" | "again" | "running" | "done" | "failed";
  readonly receivedMs: number;
  /** Message of the newest failure; null: none. */
  readonly problem: string | null;
}

/** Open jobs of one queue, of all processes. */
export interface QueueState {
  readonly name: string;
  readonly due: number;
  readonly scheduled: number;
  readonly active: number;
  readonly oldestDueSeconds: number;
}

export interface FailedWork {
  readonly queue: string | null;
  readonly lane: string | null;
  readonly failedMs: number;
  readonly problem: string | null;
}

/** A call of GitHub or of the platform that failed, since this process started. */
export interface FailedCall {
  readonly name: string;
  /** In one word, e.g. `timed_out`. */
  readonly outcome: string;
  readonly atMs: number;
}

/** The state of the whole Tollgate, for its admins. */
export interface OperatorState {
  readonly version: string;
  readonly node: string;
  /** E.g. `postgres`. */
  readonly database: string;
  readonly parts: readonly ExaminedPart[];
  readonly queues: readonly QueueState[];
  readonly deliveries: readonly DeliveryOutcome[];
  readonly failedWork: readonly FailedWork[];
  readonly failedCalls: readonly FailedCall[];
  /** Ids of installations whose calls pause for GitHub's rate limit. */
  readonly pausedInstallations: ReadonlySet<number>;
}

/** What the operator's page reads and does beside the store. */
export interface OperatorAccess {
  readonly readState: () => Promise<OperatorState>;
  /** Enqueues an evaluation of a pull request. */
  readonly evaluate: (repositoryId: number, number: number) => Promise<void>;
  /** Reads an installation with its repositories and open pull requests from GitHub; it continues after the answer. */
  readonly sweep: (installationId: number) => void;
  readonly retryDelivery: (id: string) => Promise<void>;
  /** Records what an admin asked for. */
  readonly record: (
    admin: { readonly id: number | null; readonly login: string },
    action: string,
    details: object,
  ) => void;
}
