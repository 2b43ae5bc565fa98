import { PGlite } from "@electric-sql/pglite";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PreparedStatements } from "./prepared-statements.ts";

describe("a prepared statement of the simulator", () => {
  let lite: PGlite;
  let statements: PreparedStatements;
  beforeAll(async () => {
    lite = await PGlite.create();
    await lite.exec("create table items (id int primary key, name text, seen timestamptz, tags jsonb)");
    statements = new PreparedStatements(lite);
  });
  afterEach(() => lite.exec("delete from items"));
  afterAll(() => lite.close());

  const INSERT = "insert into items values ($1, $2, $3, $4)";
  const insert = (id: number, name: string | null): unknown =>
    statements.query(INSERT, [id, name, new Date(0), { of: [name] }]);

  test.each([
    ["no value", null],
    ["an empty text", ""],
    ["characters of several bytes", "µ 🙂 日本"],
    ["more than the memory for a request holds", "日".repeat(100_000)],
  ])("writes and reads %s as PGlite does", async (_, name) => {
    insert(1, name);
    const sql = "select * from items where id = $1";
    const { rows } = await lite.query(sql, [1]);
    expect(rows).toEqual([{ id: 1, name, seen: new Date(0), tags: { of: [name] } }]);
    expect(statements.query(sql, [1]).rows).toEqual(rows);
    expect(statements.query("delete from items", []).affectedRows).toBe(1);
  });

  test("returns rows without an order always in the same one", () => {
    for (const id of [3, 1, 2]) insert(id, "a");
    const ids = (sql: string) => statements.query(sql, []).rows.map(({ id }) => id);
    expect(ids("select id from items")).toEqual([1, 2, 3]);
    expect(ids("select id from items order by id desc")).toEqual([3, 2, 1]);
    expect(statements.query("update items set name = 'b' where id > 1", []).affectedRows).toBe(2);
  });

  test("fails with the database's error, also when it is sent again", () => {
    insert(1, "a");
    const sql = "select 1 / (id - 1) from items";
    for (const _ of [1, 2])
      expect(() => statements.query(sql, [])).toThrow(expect.objectContaining({ code: "22012" }));
    expect(() => statements.query("select nothing from items", [])).toThrow('"nothing" does not exist');
    expect(() => insert(1, "b")).toThrow(expect.objectContaining({ code: "23505" }));
    expect(statements.query("select name from items", []).rows).toEqual([{ name: "a" }]);
  });
});
