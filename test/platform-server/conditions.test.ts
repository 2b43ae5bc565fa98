import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import type { ViewOperator } from "../../src/platform/contract/shapes/perspective-filter.ts";
import type { TimeOperator } from "../../src/platform/contract/shapes/time-filter.ts";
import { foldCase, textCondition } from "../../src/platform-server/area/perspective-filter.ts";
import { buildTimeConditions, type TimeCondition } from "../../src/platform-server/area/time-conditions.ts";
import { usualEngines } from "../world/engines.ts";
import { DAY_MS } from "./platform-world.ts";

const TEXTS = ["eu-1", "EU-1", "us_1", "us%", "a\\b", "Ä", "ΟΔΟΣ", "İ", "", null];
const WANTED = [
  ...TEXTS.filter((text) => text !== null),
  "%1",
  "_",
  "u%",
  "us_1",
  "\\",
  "\\%",
  "U",
  "ä",
  "οδος",
  "i̇",
];

const like = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("%", ".*")
      .replaceAll("_", ".")}$`,
    "s",
  );
const is = (text: string | null, wanted: readonly string[]) => text !== null && wanted.includes(text);
const TEXT_OPERATORS: Readonly<
  Record<ViewOperator, (text: string | null, wanted: readonly string[]) => boolean>
> = {
  IN: is,
  EQUALS: is,
  NOT_IN: (text, wanted) => !is(text, wanted),
  LIKE: (text, wanted) => text !== null && wanted.some((one) => like(one).test(text)),
  SEARCH: (text, wanted) => text !== null && wanted.some((one) => foldCase(text).includes(foldCase(one))),
  NULL: (text) => text === null,
  NOT_NULL: (text) => text !== null,
};

/** Around the ends of a day. */
const TIMES = [0, DAY_MS - 1, DAY_MS, DAY_MS + 1, 2 * DAY_MS - 1, 2 * DAY_MS, null];
const dayOf = (ms: number) => Math.floor(ms / DAY_MS);
const TIME_OPERATORS: Readonly<Record<TimeOperator, (time: number, at: number) => boolean>> = {
  EQUALS: (time, at) => time === at,
  IN: (time, at) => time === at,
  NOT_IN: (time, at) => time !== at,
  LIKE: (time, at) => dayOf(time) === dayOf(at),
  GREATER_THAN: (time, at) => time > at,
  LESS_THAN: (time, at) => time < at,
  GREATER_THAN_EQUALS_TO: (time, at) => time >= at,
  LESS_THAN_EQUALS_TO: (time, at) => time <= at,
  AFTER: (time, at) => time >= at,
  BEFORE: (time, at) => time <= at,
  NULL: () => false,
  NOT_NULL: () => true,
};

describe.each(usualEngines())("conditions of filters on $name", async ({ open }) => {
  const { db, close } = await open();
  afterAll(close);

  it.each(Object.entries(TEXT_OPERATORS))("a text fulfils %s", async (operator, holds) => {
    for (const wanted of [[], ...WANTED.map((one) => [one]), ["eu-1", "us_1"], ["nothing", "u%"]]) {
      const condition = textCondition(sql.ref("all_texts.text"), {
        operator: operator as ViewOperator,
        values: wanted,
      });
      const { rows } = await sql<{ text: string | null }>`
        select text from unnest(${TEXTS}::text[]) with ordinality as all_texts(text, place)
        where ${condition} order by place`.execute(db);
      expect(rows.map(({ text }) => text)).toEqual(TEXTS.filter((text) => holds(text, wanted)));
    }
  });

  const timesThat = async (conditions: readonly TimeCondition[]) => {
    const all = sql.join(buildTimeConditions(conditions), sql` and `);
    const { rows } = await sql<{ time_ms: number | null }>`
      select time_ms from unnest(${TIMES}::bigint[]) with ordinality as all_times(time_ms, place)
      where ${all} order by place`.execute(db);
    return rows.map(({ time_ms }) => time_ms);
  };

  it.each(Object.entries(TIME_OPERATORS))("a time fulfils %s", async (name, holds) => {
    const operator = name as TimeOperator;
    for (const timestamp of TIMES.filter((time) => time !== null)) {
      const expected = TIMES.filter((time) => (time === null ? name === "NULL" : holds(time, timestamp)));
      expect(await timesThat([{ operator, timestamp }])).toEqual(expected);
    }
  });

  it("of several times each may be IN, and every other condition must hold", async () => {
    const isIn = [0, DAY_MS, 2 * DAY_MS].map((timestamp) => ({ operator: "IN" as const, timestamp }));
    expect(await timesThat([...isIn, { operator: "AFTER", timestamp: 1 }])).toEqual([DAY_MS, 2 * DAY_MS]);
  });
});
