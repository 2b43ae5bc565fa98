import { sql } from "kysely";
import type { PgBoss } from "pg-boss";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { TollgateError } from "../../src/kernel/errors.ts";
import { toFailedResult } from "../../src/queue/inspection.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue, type DrainableQueue } from "../../src/queue/queue.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { engines } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";

const SILENT = { warn: () => {}, error: () => {} };
const OUTAGE = new TollgateError("github_failed", "GitHub did not answer", { retryable: true });
const FULL = Object.assign(new Error("could not extend file"), { code: "53100" });
const MISSING = Object.assign(new Error("no such file"), { code: "ENOENT" });
const STOPPED = Object.assign(new Error("connect ENOENT /run/postgresql"), {
  code: "ENOENT",
  syscall: "connect",
});
const DENIED = Object.assign(new Error("permission denied for table decisions"), { code: "42501" });
const UNTRUSTED = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
const OWN = new TypeError("it is undefined");

describe.each(engines())("accepted work that fails, on $name", (engine) => {
  let store: Database;
  let boss: PgBoss;
  let queue: DrainableQueue;
  let error: Error;
  const attempts: { attempt: number; lastAttempt: boolean }[] = [];
  beforeAll(async () => {
    store = await engine.open();
    boss = await openBoss(store, SILENT);
    queue = createQueue(boss, systemClock);
    await queue.workDeliveries(() => Promise.reject(error));
    await queue.workLanes(1, (_, { attempt, lastAttempt }) => {
      attempts.push({ attempt, lastAttempt });
      return Promise.reject(error);
    });
  });
  beforeEach(() => sql`delete from queue.job`.execute(store.db));
  afterAll(async () => {
    await queue.stop();
    await store.close();
  });

  /** A job of the queue fails once more after so many failures. Returns its state and the pause in seconds. */
  async function failsAfter(name: "delivery" | "lane", failures: number, why: Error) {
    error = why;
    const data = name === "lane" ? { lane: "pull:1:1" } : {};
    const options = name === "lane" ? { singletonKey: "pull:1:1", group: { id: "pull:1:1" } } : {};
    const id = await boss.send(name, data, { ...options, startAfter: 3_600 });
    // The claim of a job that has started before counts one more attempt.
    await sql`update queue.job set state = 'retry', started_on = now(), retry_count = ${failures - 1}, start_after = now()
      where id = ${id}`.execute(store.db);
    return eventually(async () => {
      const { rows } = await sql<{ state: string; pause: number }>`
        select state, extract(epoch from start_after - now())::float as pause from queue.job where id = ${id}
        and output is not null and state <> 'active'`.execute(store.db);
      const [job] = rows;
      if (job === undefined) throw new Error("it has not failed yet");
      return job;
    });
  }

  it.each(["delivery", "lane"] as const)(
    "a %s is tried again every five minutes for a day while what it needs is out",
    async (name) => {
      const { state, pause } = await failsAfter(name, 299, OUTAGE);
      expect(state).toBe("retry");
      expect(pause).toBeLessThanOrEqual(300);
      await sql`delete from queue.job`.execute(store.db);
      expect((await failsAfter(name, 300, OUTAGE)).state).toBe("failed");
    },
  );

  it("a lane that fails without an outage is given up after its eleventh attempt, and gives up then what it can", async () => {
    attempts.length = 0;
    expect((await failsAfter("lane", 9, OWN)).state).toBe("retry");
    await sql`delete from queue.job`.execute(store.db);
    expect((await failsAfter("lane", 10, OWN)).state).toBe("failed");
    expect(await boss.findJobs("dead")).toHaveLength(1);
    expect(attempts).toEqual([
      { attempt: 10, lastAttempt: false },
      { attempt: 11, lastAttempt: true },
    ]);
  });
});

it.each([
  ["an outage of GitHub", OUTAGE, 10, "failed"],
  ["a full disk of the database", FULL, 150, "failed"],
  ["a socket of PostgreSQL that is gone", STOPPED, 150, "failed"],
  ["a missing file", MISSING, 10, "deadletter"],
  ["a right that the database's user lacks", DENIED, 10, "deadletter"],
  ["a certificate of another server", UNTRUSTED, 10, "deadletter"],
  ["a mistake of ours", OWN, 9, "failed"],
  ["a mistake of ours", OWN, 10, "deadletter"],
])("%s (%s) after %i retries: the job is %s", (_name, error, retryCount, status) => {
  expect(toFailedResult({ id: "1", retryCount }, error).status).toBe(status);
});
