import type { Queue } from "pg-boss";
import type { PullKey } from "../kernel/ids.ts";

/** Retries after failures of our own, with pauses that double from a second to five minutes: a quarter of an hour. */
export const OWN_RETRIES = 10;
/** Retries during an outage of what the work needs, with the same pauses: a little more than a day. */
const OUTAGE_RETRIES = 300;

const RETRIED = {
  notify: true,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  deadLetter: "dead",
  expireInSeconds: 300,
  heartbeatSeconds: 10,
} as const satisfies Omit<Queue, "name">;

/**
 * One waiting job per key: a newer job replaces the waiting one. The job's group makes each fetch run a key once at a time
 * (`queue.ts`); pg-boss's own policies for that delay other keys.
 */
const NEWEST_WINS = {
  ...RETRIED,
  policy: "short",
  retryLimit: OWN_RETRIES,
  deleteAfterSeconds: 3600,
} as const satisfies Omit<Queue, "name">;

const DAY_SECONDS = 24 * 3600;

/** The queues and how each treats its jobs. The others refer to `dead`, so it is created first. */
export const QUEUES = {
  /** Jobs that failed every attempt, for the operator to inspect. */
  dead: { policy: "standard", retryLimit: 0, deleteAfterSeconds: 30 * DAY_SECONDS },
  /** One job per accepted GitHub delivery. Its id comes from the delivery's, so a duplicate is dropped. */
  delivery: {
    ...RETRIED,
    policy: "standard",
    retryLimit: OUTAGE_RETRIES,
    expireInSeconds: 120,
    deleteAfterSeconds: 7 * DAY_SECONDS,
  },
  /** One lane per pull request: at most one running and one waiting job, the newest. */
  lane: { ...NEWEST_WINS, retryLimit: OUTAGE_RETRIES },
  /**
   * Comments have their own queue, so that no check waits for a comment. A comment shows the newest evaluation. The sweep retries those whose
   * job failed every attempt.
   */
  comment: NEWEST_WINS,
  /**
   * One job per target of notifications, which sends what waits for it; and one that does so later. Which attempts follow a failed one is
   * decided by the messages themselves, so a job fails only when the database does.
   */
  notification: NEWEST_WINS,
  /**
   * Enqueues a lane at a given time; at most one alarm of each kind per lane. Alarms have their own queue, so that a late
   * alarm never replaces an earlier job.
   */
  alarm: {
    policy: "short",
    notify: false,
    retryLimit: OWN_RETRIES,
    retryDelay: 1,
    retryBackoff: true,
    expireInSeconds: 60,
    deleteAfterSeconds: 3600,
  },
  /** Work that the embedded platform does after its response: bulk settings, webhook deliveries. */
  platform: { ...RETRIED, policy: "standard", retryLimit: 5, deleteAfterSeconds: DAY_SECONDS },
} as const satisfies Readonly<Record<string, Omit<Queue, "name">>>;

// Object.keys forgets the names: the object is a constant and has no other keys.
export const QUEUE_NAMES = Object.keys(QUEUES) as readonly (keyof typeof QUEUES)[];

export type LaneSubject =
  | ({ readonly kind: "pull" } & PullKey)
  | { readonly kind: "group"; readonly repositoryId: number; readonly headSha: string };

/** The lane's name in queue and store. It consists of numeric ids, so that renames do not matter. */
export function formatLaneKey(subject: LaneSubject): string {
  return subject.kind === "pull"
    ? `pull:${subject.repositoryId}:${subject.number}`
    : `group:${subject.repositoryId}:${subject.headSha}`;
}

export function parseLaneKey(key: string): LaneSubject | null {
  const pull = /^pull:(\d+):(\d+)$/.exec(key);
  if (pull) return { kind: "pull", repositoryId: Number(pull[1]), number: Number(pull[2]) };
  const group = /^group:(\d+):([0-9a-f]+)$/.exec(key);
  return group?.[2] ? { kind: "group", repositoryId: Number(group[1]), headSha: group[2] } : null;
}
