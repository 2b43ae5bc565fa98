import type { PGlite } from "@electric-sql/pglite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openLite } from "../../../src/store/ordered-pglite.ts";

const INSERT = "insert into items values ($1, $2, $3, $4, $5)";
const FIND = "select * from items where id = $1";
const STATEMENTS = "select statement, generic_plans + custom_plans as executions from pg_prepared_statements";

describe("statements that the embedded database prepares", () => {
  let lite: PGlite;
  beforeAll(async () => {
    lite = await openLite({});
    await lite.exec(
      "create table items (id int primary key, name text, seen timestamptz, tags jsonb, parts text[])",
    );
  });
  afterEach(() => lite.exec("truncate items")); // also lets every statement be forgotten
  afterAll(() => lite.close());

  const insert = (id: number, name: string | null = "a") =>
    lite.query(INSERT, [id, name, new Date(id), { of: [name] }, [`${name}`]]);
  const find = async (id: number) => (await lite.query(FIND, [id])).rows;
  const executions = async (text: string) => {
    const { rows } = await lite.query<{ statement: string; executions: number }>(STATEMENTS);
    return rows.find(({ statement }) => statement === text)?.executions ?? null;
  };

  it("are those that are executed again", async () => {
    await insert(1);
    expect(await executions(INSERT)).toBeNull();
    for (const id of [2, 3, 4]) await insert(id);
    expect(await executions(INSERT)).toBe(3);
  });

  it.each([
    ["no value", null],
    ["an empty text", ""],
    ["characters of several bytes", "µ 🙂 日本"],
    ["what SQL gives a meaning", "it's \\ $1 '); drop table items; --"],
    ["a long text", "日".repeat(100_000)],
  ])("store and return %s as it is", async (_, name) => {
    for (const id of [1, 2, 3]) await insert(id, name);
    const rows = (id: number) => [{ id, name, seen: new Date(id), tags: { of: [name] }, parts: [`${name}`] }];
    for (const id of [1, 2, 3]) expect(await find(id)).toEqual(rows(id));
    expect(await find(4)).toEqual([]);
    const { affectedRows } = await lite.query("delete from items where id > $1", [1]);
    expect(affectedRows).toBe(2);
  });

  it("fail each time with the database's error, and the next one is executed", async () => {
    await insert(1);
    for (const _ of [1, 2, 3]) {
      await expect(insert(1)).rejects.toMatchObject({ code: "23505", query: INSERT });
      await expect(lite.query("select nothing from items where id = $1", [1])).rejects.toThrow("nothing");
      await expect(lite.query(FIND, ["no number"])).rejects.toMatchObject({ code: "22P02" });
    }
    expect(await find(1)).toHaveLength(1);
  });

  it("take part in a transaction that is given up", async () => {
    for (const id of [1, 2]) await insert(id);
    const spoilt = lite.transaction(async (trx) => {
      await trx.query(INSERT, [3, "a", null, null, null]);
      await trx.query(INSERT, [3, "a", null, null, null]).catch(() => {});
      await trx.query(FIND, [1]);
    });
    await expect(spoilt).rejects.toMatchObject({ code: "25P02" });
    expect(await find(3)).toEqual([]);
    await insert(3);
    expect(await find(3)).toHaveLength(1);
  });

  it.each([["exec"], ["query"]] as const)("know of a column that %s adds", async (way) => {
    for (const id of [1, 2, 3]) await insert(id);
    for (const id of [1, 2, 3]) await find(id);
    await lite[way]("alter table items add column more int default 7");
    for (const id of [1, 2, 3]) expect(await find(id)).toMatchObject([{ id, more: 7 }]);
    await lite.exec("alter table items drop column more");
  });

  describe("get a new plan", () => {
    const planOfFind = async () => {
      const { rows } = await lite.query<{ name: string }>(
        "select name from pg_prepared_statements where statement = $1",
        [FIND],
      );
      const plan = await lite.query<{ "QUERY PLAN": string }>(`explain execute ${rows[0]?.name}(1)`);
      return plan.rows[0]?.["QUERY PLAN"].split(" ").slice(0, 2).join(" ");
    };
    beforeEach(async () => {
      for (const id of [1, 2, 3]) await insert(id);
      await lite.exec("analyze items");
      for (let id = 0; id < 20; id++) await find(id);
      expect(await planOfFind()).toBe("Seq Scan");
    });

    it("when many rows were written", async () => {
      await lite.query("insert into items select n from generate_series(100, $1::int) as n", [2_200]);
      expect(await find(2_000)).toMatchObject([{ id: 2_000 }]);
      expect(await planOfFind()).toBe("Index Scan");
    });

    it("when many rows were written in `with`, whose number the database does not answer", async () => {
      const write =
        "with added as (insert into items (id, name) values ($1, $2) returning id) select id from added";
      for (let id = 100; id < 400; id++) await lite.query(write, [id, "a".repeat(1_800)]);
      expect(await find(200)).toMatchObject([{ id: 200 }]);
      expect(await planOfFind()).toBe("Index Scan");
    });

    it("after the transaction that wrote them, if it failed", async () => {
      const spoilt = lite.transaction(async (trx) => {
        await trx.exec("insert into items select n from generate_series(100, 2200) as n");
        await trx.exec("select 1 / 0").catch(() => {});
        await trx.query(FIND, [1]);
      });
      await expect(spoilt).rejects.toMatchObject({ code: "25P02" });
      await lite.exec("insert into items select n from generate_series(100, 1200) as n");
      expect(await find(1_000)).toMatchObject([{ id: 1_000 }]);
      expect(await planOfFind()).toBe("Index Scan");
    });
  });

  it("do not keep a transaction from being rolled back that failed after many written rows", async () => {
    await lite.query("begin");
    await lite.exec("insert into items select n from generate_series(100, 2200) as n");
    await lite.exec("select 1 / 0").catch(() => {});
    await lite.query("rollback");
    await insert(1);
    expect(await find(1)).toHaveLength(1);
  });

  it("are not more than a few hundred", async () => {
    for (let count = 0; count < 450; count++)
      for (const _ of [1, 2]) {
        const { rows } = await lite.query(`select $1::int + ${count} as sum`, [1]);
        expect(rows).toEqual([{ sum: 1 + count }]);
      }
    const { rows } = await lite.query(STATEMENTS);
    expect(rows.length).toBeLessThanOrEqual(400);
  });
});
