import type { Queue } from "pg-boss";

/**
 * One waiting job per key: a newer job takes the waiting one's place. That a key runs once at a time is asked of each
 * fetch by the job's group (`queue.ts`); pg-boss's own policies for it keep other keys waiting.
 */
const NEWEST_WINS = {
  policy: "short",
  notify: true,
  retryLimit: 10,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  deadLetter: "dead",
  expireInSeconds: 300,
  heartbeatSeconds: 10,
  deleteAfterSeconds: 3600,
} as const satisfies Omit<Queue, "name">;

/** The queues and how each treats its jobs. */
export const QUEUES = {
  /** One job per accepted GitHub delivery, its id made from the delivery's: the second of a kind is dropped. */
  delivery: {
    policy: "standard",
    notify: true,
    retryLimit: 10,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    deadLetter: "dead",
    expireInSeconds: 120,
    heartbeatSeconds: 10,
    deleteAfterSeconds: 7 * 24 * 3600,
  },
  /** One lane per pull request: at most one run and one waiting wake, the newest. */
  lane: NEWEST_WINS,
  /** Comments have a queue of their own, so that no gate waits behind one. The newest evaluation is what a comment says. */
  comment: NEWEST_WINS,
  /** Wakes a lane at a time; at most one per lane. A queue of its own, so that a late alarm never replaces an early wake. */
  alarm: {
    policy: "short",
    notify: false,
    retryLimit: 10,
    retryDelay: 1,
    retryBackoff: true,
    expireInSeconds: 60,
    deleteAfterSeconds: 3600,
  },
  /** Work of the embedded platform that goes on after its answer: bulk settings, deliveries of webhooks. */
  platform: {
    policy: "standard",
    notify: true,
    retryLimit: 5,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    deadLetter: "dead",
    expireInSeconds: 300,
    heartbeatSeconds: 10,
    deleteAfterSeconds: 24 * 3600,
  },
  /** What failed every try; a person looks here. */
  dead: { policy: "standard", retryLimit: 0, deleteAfterSeconds: 30 * 24 * 3600 },
} as const satisfies Readonly<Record<string, Omit<Queue, "name">>>;

export type QueueName = keyof typeof QUEUES;
