import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { billingImport, perspectivesImport } from "../../src/platform-server/unit-metrics/import.ts";
import { casesToTry } from "../world/depth.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform } from "./platform-world.ts";
import { verbsOf } from "./unit-metric-verbs.ts";

const REGIONS = ["eu-1", "EU-1", "us_1", "us%", "a\\b", "Ä", ""];
const bill = fc.uniqueArray(
  fc.record({
    id: fc.nat({ max: 30 }).map(String),
    cost: fc.integer({ min: -999, max: 9999 }),
    region: fc.option(fc.constantFrom(...REGIONS)),
    account: fc.constantFrom("prod", "test"),
    cloudProvider: fc.constantFrom("CLOUD_1", "CLOUD_2"),
    team: fc.option(fc.constantFrom("web", "data")),
    day: fc.integer({ min: 1, max: 28 }),
  }),
  { selector: ({ id }) => id, maxLength: 25 },
);
type Bill = ReturnType<typeof bill.generate>["value"][number];
const READ: Record<string, (row: Bill) => string | null> = {
  region: ({ region }) => region || null,
  account: ({ account }) => account,
  cloud2SubscriptionGuid: ({ account, cloudProvider }) => (cloudProvider === "CLOUD_2" ? account : null),
  team: ({ team }) => team,
};
const condition = fc.record({
  what: fc.constantFrom(...Object.keys(READ)),
  operator: fc.constantFrom("IN", "EQUALS", "NOT_IN", "NULL", "NOT_NULL", "LIKE", "SEARCH"),
  values: fc.array(fc.constantFrom(...REGIONS, "prod", "web", "%1", "_", "u%", "\\", "\\%"), {
    maxLength: 3,
  }),
});
type Condition = ReturnType<typeof condition.generate>["value"];
const asFilter = ({ what, operator, values: among }: Condition) => ({
  field:
    what === "team"
      ? { fieldId: "labels.value", fieldName: "team", identifier: "LABEL" }
      : { fieldId: what, identifier: "COMMON" },
  operator,
  values: among,
});
const pattern = (like: string) =>
  new RegExp(
    `^${like
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("%", ".*")
      .replaceAll("_", ".")}$`,
    "s",
  );
const lower = (any: string) => any.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const COMPARED: Record<string, (value: string, among: readonly string[]) => boolean> = {
  IN: (value, among) => among.includes(value),
  EQUALS: (value, among) => among.includes(value),
  NOT_IN: (value, among) => !among.includes(value),
  NULL: () => false,
  NOT_NULL: () => true,
  LIKE: (value, among) => among.some((like) => pattern(like).test(value)),
  SEARCH: (value, among) => among.some((part) => lower(value).includes(lower(part))),
};
/** A row without the value is in no list, and that is all that can be said of it. */
const holds = ({ what, operator, values: among }: Condition, row: Bill): boolean => {
  const value = READ[what]?.(row) ?? null;
  if (value === null) return operator === "NULL" || operator === "NOT_IN";
  return COMPARED[operator]?.(value, among) ?? false;
};

describe.each(usualEngines())("a derived unit metric on $name", async (engine) => {
  const { create, perspective, imports } = verbsOf(() => world);

  const world = await openPlatform(engine);
  afterAll(() => world.close());

  it("shows what filters and saved rules leave, as a reader of rows finds it", async () => {
    const rules = fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 2 });
    await create({ metricIdentifier: "spend", type: "DERIVED", fieldId: "cost" });
    await fc.assert(
      fc.asyncProperty(
        bill,
        fc.record({
          filters: fc.array(condition, { maxLength: 2 }),
          rules,
          saved: rules,
          override: fc.boolean(),
        }),
        fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 28 })),
        async (rows, { filters, rules: asked, saved, override }, [a, b]) => {
          const [first, last] = [Math.min(a, b), Math.max(a, b)];
          const day = (of: number, time = "00:00:00") => `2026-02-${`${of}`.padStart(2, "0")}T${time}Z`;
          await world.store.db.deleteFrom("platform_billing_rows").execute();
          await imports(
            billingImport,
            rows.map(({ team, day: at, cost, ...row }) => ({
              ...row,
              startTime: day(at, "12:34:56"),
              cost: (cost / 100).toFixed(2),
              currency: "USD",
              labels: team === null ? {} : { team },
            })),
          );
          await imports(perspectivesImport, [
            { id: "p", name: "P", rules: saved.map((rule) => ({ conditions: rule.map(asFilter) })) },
          ]);
          const answer = await perspective(
            { id: "p", from: day(first), to: day(last, "23:59:59"), by: "MONTH", override },
            [
              ...filters.map((one) => ({ idFilter: asFilter(one) })),
              ...asked.map((rule) => ({ ruleFilter: { conditions: rule.map(asFilter) } })),
            ],
          );
          const obey = (all: Condition[][], row: Bill) =>
            all.length === 0 || all.some((rule) => rule.every((one) => holds(one, row)));
          const left = rows.filter(
            (row) =>
              row.day >= first &&
              row.day <= last &&
              filters.every((one) => holds(one, row)) &&
              obey(asked, row) &&
              (override || obey(saved, row)),
          );
          const cents = left.reduce((sum, { cost }) => sum + cost, 0);
          expect(answer.body.data.total).toBe(left.length === 0 ? null : cents / 100);
        },
      ),
      { numRuns: casesToTry({ usual: 20, deep: 100 }) },
    );
    expect(world.errors).toEqual([]);
  });
});
