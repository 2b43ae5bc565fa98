import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { runUrgently } from "../../src/store/database/transaction.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";

describe("the one connection of the embedded database", async () => {
  const store = await openDatabase({ kind: "memory" }, () => {});
  if (store.engine.kind !== "pglite") throw new Error("the memory is embedded");
  const { lite } = store.engine;
  let done: string[] = [];
  const ask = async (name: string) => {
    await lite.query("select $1::text", [name]);
    done.push(name);
  };
  beforeEach(() => {
    done = [];
  });
  afterAll(() => store.close());

  const asked = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ask(`${name} ${index}`));
  const askedFirst = (name: string, count: number) => runUrgently(async () => asked(name, count));

  it("takes what is urgent before whatever waits", async () => {
    const work = asked("work", 100);
    await Promise.all(await askedFirst("delivery", 1));
    expect(done.length).toBeLessThanOrEqual(3);
    await Promise.all(work);
    expect(done).toHaveLength(101);
  });

  it("serves the others in the order of their requests, one of them after each urgent one", async () => {
    const work = asked("work", 5);
    await Promise.all([...work, ...(await askedFirst("delivery", 5))]);
    expect(done.filter((name) => name.startsWith("work"))).toEqual([0, 1, 2, 3, 4].map((n) => `work ${n}`));
    expect(done.map((name) => name.slice(0, 4)).join(" ")).not.toMatch(/deli deli/);
  });

  const askInTransaction = () =>
    lite.transaction(async (trx) => {
      for (let count = 0; count < 300; count++) {
        await trx.query("select 1");
        done.push("in a transaction");
      }
    });

  it.each([
    ["a backlog", () => Promise.all(asked("work", 300))],
    ["a transaction", askInTransaction],
  ])("lets the event loop turn between the statements of %s", async (_, work: () => Promise<unknown>) => {
    const doneAtTurns: number[] = [];
    let ticking: NodeJS.Immediate | undefined;
    const tick = () => {
      doneAtTurns.push(done.length);
      ticking = setImmediate(tick);
    };
    tick();
    await work();
    clearImmediate(ticking);
    const doneInOneTurn = doneAtTurns.slice(1).map((count, turn) => count - (doneAtTurns[turn] ?? 0));
    expect(doneInOneTurn.length).toBeGreaterThan(100);
    expect(Math.max(...doneInOneTurn)).toBeLessThanOrEqual(2);
  });

  it("goes on after a statement that fails", async () => {
    const failing = lite.query("select 1 / 0");
    const work = asked("work", 3);
    await expect(failing).rejects.toThrow(/division by zero/);
    await Promise.all(work);
    expect(done).toHaveLength(3);
  });

  const transact = () => store.db.transaction().execute((trx) => sql`select 1`.execute(trx));

  it("rejects a transaction whose BEGIN is refused, and goes on with the next one", async () => {
    await lite.exec("begin");
    await lite.exec("select 1 / 0").catch(() => {});
    await expect(transact()).rejects.toMatchObject({ code: "25P02" });
    await lite.exec("rollback");
    expect((await transact()).rows).toHaveLength(1);
  });

  it("rejects a transaction that waits while the database is closed, and everything after it", async () => {
    const closed = await openDatabase({ kind: "memory" }, () => {});
    if (closed.engine.kind !== "pglite") throw new Error("the memory is embedded");
    const begin = () => closed.db.transaction().execute((trx) => sql`select 1`.execute(trx));
    const held = Promise.withResolvers<void>();
    const holding = closed.engine.lite.transaction(() => held.promise);
    const waiting = expect(begin()).rejects.toMatchObject({ code: "database_closed" });
    const closing = closed.close();
    held.resolve();
    await Promise.all([holding, waiting, closing]);
    await expect(begin()).rejects.toMatchObject({ code: "database_closed" });
    await expect(sql`select 1`.execute(closed.db)).rejects.toMatchObject({ code: "database_closed" });
  });
});
