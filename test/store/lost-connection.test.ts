import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { enterLane, findLastEntry } from "../../src/store/database/lanes.ts";
import { isConnectionLost } from "../../src/store/database/lost-connection.ts";
import { SteadyClient } from "../../src/store/database/steady-client.ts";
import { transact } from "../../src/store/database/transaction.ts";
import type { Store } from "../../src/store/open.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { freshPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";

const server = inject("postgresUrl");
const NOW = new Date(1_000);

describe.runIf(server)("a connection to PostgreSQL that ends by itself", () => {
  let store: Store;
  let other: Store;
  let heard: Error[];
  beforeEach(async () => {
    const url = await freshPostgres(server ?? "");
    heard = [];
    store = await openDatabase({ kind: "postgres", url, maxConnections: 1 }, (error) => heard.push(error));
    other = await openDatabase({ kind: "postgres", url, maxConnections: 1 }, () => {});
  });
  afterEach(async () => {
    await store.close();
    await other.close();
  });

  const ownPid = async (db: Store["db"]) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    return rows[0]?.pid ?? 0;
  };
  /** Resolves when the connection is gone and this process knows. */
  const terminates = async (pid: number) => {
    const before = heard.length;
    await sql`select pg_terminate_backend(${pid}::int)`.execute(other.db.withoutPlugins());
    await eventually(() => expect(heard.length).toBeGreaterThan(before));
  };

  it("in the middle of a transaction has the transaction run again as a whole, and committed once", async () => {
    let times = 0;
    const fence = await transact(store.db, async (trx) => {
      times += 1;
      const entered = await enterLane(trx, "pull:1:1", NOW);
      if (times === 1) await terminates(await ownPid(trx));
      await sql`select 1`.execute(trx);
      return entered;
    });
    expect(times).toBe(2);
    expect(fence.token).toBe(1);
    expect(await findLastEntry(store.db, "pull:1:1")).toBe(NOW.getTime());
  });

  it("while a transaction commits reports an unknown outcome, and nothing is repeated", async () => {
    await sql`create function ends_its_connection() returns trigger language plpgsql
      as $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`.execute(
      other.db,
    );
    await sql`create constraint trigger at_commit after insert on lanes deferrable initially deferred
      for each row execute function ends_its_connection()`.execute(other.db);
    let times = 0;
    const keeping = transact(store.db, async (trx) => {
      times += 1;
      await enterLane(trx, "pull:1:1", NOW);
    });
    await expect(keeping).rejects.toMatchObject({ code: "database_connection_lost", retryable: true });
    expect(times).toBe(1);
  });

  it("during a read outside a transaction has it read again over another connection", async () => {
    await enterLane(store.db, "pull:1:1", NOW);
    // Nobody reads the table until the connection that waits for it is gone.
    const reading = other.db.transaction().execute(async (trx) => {
      await sql`lock table lanes`.execute(trx);
      const read = findLastEntry(store.db, "pull:1:1");
      const pid = await eventually(async () => {
        const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(trx);
        if (rows[0] === undefined) throw new Error("the read has not begun");
        return rows[0].pid;
      });
      const before = heard.length;
      await sql`select pg_terminate_backend(${pid}::int)`.execute(trx);
      await eventually(() => expect(heard.length).toBeGreaterThan(before));
      return { read };
    });
    const { read } = await reading;
    expect(await read).toBe(NOW.getTime());
  });

  it("during another query outside a transaction fails the query with a code, and the next one has a new connection", async () => {
    const waiting = sql`select pg_sleep(30)`.execute(store.db);
    waiting.catch(() => {}); // looked at below
    const pid = await eventually(async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where query like '%pg_sleep(30)%' and pid <> pg_backend_pid() and datname = current_database()`.execute(
        other.db,
      );
      const [row] = rows;
      if (row === undefined) throw new Error("the query has not begun");
      return row.pid;
    });
    await terminates(pid);
    await expect(waiting).rejects.toMatchObject({ code: "database_connection_lost", retryable: true });
    expect((await sql`select 1`.execute(store.db)).rows).toHaveLength(1);
  });

  it("because no answer came for too long has its query fail, and not one that is answered in time", async () => {
    const client = new SteadyClient({ connectionString: server ?? "" }, 400);
    await client.connect();
    for (let query = 0; query < 3; query++) await client.query("select pg_sleep(0.2)");
    const silent = await client.query("select pg_sleep(30)").catch((error: unknown) => error);
    expect(isConnectionLost(silent)).toBe(true);
    expect(isConnectionLost(await client.query("select 1").catch((error: unknown) => error))).toBe(true);
  });

  it("between two queries is replaced before the next one", async () => {
    await terminates(await ownPid(store.db));
    expect((await sql`select 1`.execute(store.db)).rows).toHaveLength(1);
  });
});
