import fc from "fast-check";
import type { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue, type Queue } from "../../src/queue/queue.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { casesToTry } from "../world/depth.ts";
import { openEmbedded } from "../world/engines.ts";
import { type Claim, JobStore } from "./job-store.ts";
import { Scheduler } from "./scheduler.ts";
import { createSimulatedQueue } from "./simulated-queue.ts";
import { VirtualTime } from "./virtual-time.ts";

const LANES = ["pull:1:1", "pull:1:2"] as const;
const DELIVERIES = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"] as const;
const SEQUENCES = casesToTry({ usual: 12, deep: 500 });
/** Longer than the longest pause before another attempt, whose length is partly random in pg-boss; in ms. */
const LONG_MS = 301_000;

type Kind = "lane" | "delivery";
type Step =
  | { readonly do: "enqueue"; readonly lane: string; readonly delayMs: number }
  | { readonly do: "accept"; readonly delivery: string }
  | { readonly do: "fetch"; readonly queue: Kind }
  | { readonly do: "complete" | "fail"; readonly queue: Kind; readonly which: number }
  | { readonly do: "wait"; readonly ms: number };

const queue = fc.constantFrom<Kind>("lane", "lane", "delivery");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("enqueue" as const),
    lane: fc.constantFrom(...LANES),
    delayMs: fc.constantFrom(0, 0, 1_000),
  }),
  fc.record({ do: fc.constant("accept" as const), delivery: fc.constantFrom(...DELIVERIES) }),
  fc.record({ do: fc.constant("fetch" as const), queue }),
  fc.record({ do: fc.constant("fetch" as const), queue }),
  fc.record({ do: fc.constantFrom("complete" as const, "fail" as const), queue, which: fc.nat(1) }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(500, 2_000, LONG_MS) }),
);

const NO_TIMER = {
  setTimeout: () => 0,
  clearTimeout: () => {},
  setInterval: () => 0,
  clearInterval: () => {},
};

/** The real queue's producers, and pg-boss's own fetch as the workers call it. */
class RealQueue {
  readonly #boss: PgBoss;
  readonly #queue: Queue;

  constructor(boss: PgBoss, time: VirtualTime) {
    this.#boss = boss;
    this.#queue = createQueue(boss, time);
  }

  accept = (id: string) => this.#queue.acceptDelivery(id, {});
  enqueue = (lane: string, delayMs: number) => this.#queue.enqueue(lane, delayMs);

  /** What is taken: the lane, or the delivery's id. */
  async fetch(name: Kind): Promise<{ readonly id: string; readonly what: string } | null> {
    const options = {
      batchSize: 1,
      includeMetadata: true,
      ...(name === "lane" && { groupConcurrency: 1 }),
    } as const;
    const [job] = await this.#boss.fetch(name, options);
    return job === undefined ? null : { id: job.id, what: job.singletonKey ?? job.id };
  }

  complete = async (name: Kind, id: string) => void (await this.#boss.complete(name, id));
  fail = async (name: Kind, id: string) => void (await this.#boss.fail(name, id));
}

interface Running {
  readonly claim: Claim;
  readonly id: string;
}

interface Both {
  readonly real: RealQueue;
  readonly store: JobStore;
  readonly running: Record<Kind, Running[]>;
  readonly time: VirtualTime;
}

/** Takes a step in both queues; what each answers. */
async function take(taken: Step, both: Both): Promise<readonly [unknown, unknown]> {
  const { real, store, time } = both;
  const simulated = createSimulatedQueue(store, { isOver: false });
  time.passes(1);
  if (taken.do === "accept")
    return [await real.accept(taken.delivery), await simulated.acceptDelivery(taken.delivery, {})];
  if (taken.do === "fetch") return fetchFrom(both, taken.queue);
  if (taken.do === "wait") time.passes(taken.ms);
  else if (taken.do === "enqueue") {
    await real.enqueue(taken.lane, taken.delayMs);
    await simulated.enqueue(taken.lane, taken.delayMs);
  } else await end(both, taken);
  return [null, null];
}

async function fetchFrom({ real, store, running }: Both, name: Kind): Promise<readonly [unknown, unknown]> {
  const fetched = await real.fetch(name);
  const claim = store.fetch(name);
  if (fetched !== null && claim !== null) running[name].push({ claim, id: fetched.id });
  return [fetched?.what ?? null, claim === null ? null : (claim.job.key ?? claim.job.id)];
}

async function end(
  { real, store, running, time }: Both,
  ended: Extract<Step, { which: number }>,
): Promise<void> {
  const [one] = running[ended.queue].splice(ended.which, 1);
  if (one === undefined) return;
  await real[ended.do](ended.queue, one.id);
  store[ended.do](one.claim);
  if (ended.do === "fail") time.passes(LONG_MS);
}

describe("the simulator's queue", () => {
  let database: Database;
  let boss: PgBoss;
  let uninstall: () => void;
  const time = new VirtualTime(Date.UTC(2026, 2, 2, 9));
  beforeAll(async () => {
    database = await openEmbedded();
    uninstall = time.install();
    const log = { warn: () => {}, error: () => {} };
    boss = await openBoss(database, log, { clock: { now: () => time.now(), ...NO_TIMER } });
  });
  afterAll(async () => {
    uninstall();
    await boss.stop({ graceful: false, close: false });
    await database.close();
  });

  test(`gives out the same jobs as pg-boss in ${SEQUENCES} sequences`, { timeout: 600_000 }, async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25, size: "max" }),
      async (steps) => {
        for (const name of ["lane", "delivery"]) await boss.deleteAllJobs(name);
        const store = new JobStore(new Scheduler(time));
        const both = { real: new RealQueue(boss, time), store, running: { lane: [], delivery: [] }, time };
        for (const taken of steps) {
          const [real, simulated] = await take(taken, both);
          expect({ after: taken, answer: simulated }).toEqual({ after: taken, answer: real });
        }
      },
    );
    await fc.assert(property, { seed: 1, numRuns: SEQUENCES });
  });
});
