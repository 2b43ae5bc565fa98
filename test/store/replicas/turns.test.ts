import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createTurns, doInTurn } from "../../../src/store/replicas/turns.ts";
import { engines } from "../../world/engines.ts";

const LEASE_MS = 60_000;
const EVERY_MS = 180_000;

describe.each(engines())("periodic work of several processes, on $name", async (engine) => {
  let done: string[];
  const store = await engine.open();
  beforeEach(async () => {
    done = [];
    await store.db.deleteFrom("turns").execute();
  });
  afterAll(() => store.close());

  /** `uptimeMs`: how long the process runs, when it asks for a turn that began after its start. */
  const asks = (
    holder: string,
    { uptimeMs = null, signal }: { uptimeMs?: number | null; signal?: AbortSignal } = {},
    during: () => Promise<void> = async () => {},
  ) =>
    doInTurn(
      store.db,
      {
        work: "sweep",
        holder,
        leaseMs: LEASE_MS,
        everyMs: EVERY_MS,
        missedSinceMs: uptimeMs,
        ...(signal && { signal }),
      },
      async () => {
        done.push(holder);
        await during();
      },
    );
  const passes = (ms: number) =>
    sql`update turns set free_at = free_at - ${ms}::float8 * interval '1 millisecond',
      began_at = began_at - ${ms}::float8 * interval '1 millisecond'`.execute(store.db);
  /** Takes the turn and is killed: it neither prolongs nor ends its turn. */
  const diesDuringTurn = async (holder: string): Promise<void> => {
    await asks(holder);
    await sql`update turns set holder = ${holder}, free_at = clock_timestamp() + interval '60 seconds'`.execute(
      store.db,
    );
  };

  it("is done by one of those that ask at the same time", async () => {
    await Promise.all(["a", "b", "c", "d"].map((holder) => asks(holder)));
    expect(done).toHaveLength(1);
  });

  it("is done again when its time has come, by whichever asks", async () => {
    await asks("a");
    await asks("b");
    await passes(EVERY_MS);
    await asks("b");
    expect(done).toEqual(["a", "b"]);
  });

  it("is taken over from a process that died, after its lease and not earlier", async () => {
    await diesDuringTurn("a");
    await passes(LEASE_MS - 1_000);
    await asks("b");
    expect(done).toEqual(["a"]);
    await passes(1_001);
    await asks("b");
    expect(done).toEqual(["a", "b"]);
  });

  it("is due at once when the end of the process cut it short", async () => {
    const ended = new AbortController();
    await asks("a", { signal: ended.signal }, async () => ended.abort());
    await asks("b");
    expect(done).toEqual(["a", "b"]);
  });

  it("waits its time after it failed", async () => {
    await expect(asks("a", {}, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    await asks("b");
    expect(done).toEqual(["a"]);
  });

  it("is done for a process that started after the last turn, once for all of them", async () => {
    await asks("a");
    await passes(10_000);
    await asks("b", { uptimeMs: 5_000 });
    await asks("c", { uptimeMs: 5_000 });
    await asks("d", { uptimeMs: 20_000 });
    expect(done).toEqual(["a", "b"]);
  });

  it("is done once at the start of a process, also when the database answers late, and then when its time has come", async () => {
    const request = { work: "sweep", holder: "a", leaseMs: LEASE_MS, everyMs: EVERY_MS };
    const inTurn = createTurns(store.db, request, () => 5_000);
    const work = async () => void done.push("a");
    await inTurn(work);
    await passes(10_000);
    await inTurn(work);
    expect(done).toEqual(["a"]);
    await passes(EVERY_MS);
    await inTurn(work);
    expect(done).toEqual(["a", "a"]);
  });

  it("is not done beside a process that does it, for one that has just started", async () => {
    await diesDuringTurn("a");
    await passes(10_000);
    await asks("b", { uptimeMs: 0 });
    expect(done).toEqual(["a"]);
  });

  it("goes on after the database's clock was set back by a day", async () => {
    await asks("a");
    await passes(-24 * 3_600_000);
    await asks("b");
    expect(done).toEqual(["a", "b"]);
  });
});
