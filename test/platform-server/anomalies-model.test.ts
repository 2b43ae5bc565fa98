import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { casesToTry } from "../world/depth.ts";
import { usualEngines } from "../world/engines.ts";
import { anomalies, request } from "./anomalies-arbitrary.ts";
import {
  asLine,
  cents,
  type Filter,
  fits,
  LISTS,
  meanResolution,
  type NaiveAnomaly,
  overview,
  type Request,
  series,
} from "./anomalies-naive.ts";
import { anomalyVerbs } from "./anomalies-verbs.ts";
import { openPlatform, START_MS } from "./platform-world.ts";

const SEED = 20_260_101;
/** Hundreds of requests: on a busy machine they take longer than a story. */
const PATIENCE_MS = 120_000;
const [DATA = []] = fc.sample(anomalies, { seed: SEED, numRuns: 1 });
/** Of another account, under the same ids. */
const [STRANGERS = []] = fc.sample(anomalies, { seed: SEED + 1, numRuns: 1 });

const newestFirst = (a: NaiveAnomaly, b: NaiveAnomaly): number =>
  (b.time ?? -1) - (a.time ?? -1) || (a.id < b.id ? -1 : 1);
const idsOf = (all: readonly NaiveAnomaly[]) => all.toSorted(newestFirst).map(({ id }) => id);

type Ordered = readonly [
  readonly [name: string, value: (one: NaiveAnomaly) => string | number | null],
  "ASCENDING" | "DESCENDING",
];

describe.each(usualEngines())("anomalies on $name, read as a naive reader would", async (engine) => {
  const verbs = anomalyVerbs(() => world);
  const world = await openPlatform(engine);
  await verbs.bring(...DATA.map(asLine));
  await anomalyVerbs(() => world, "acc-2").bring(...STRANGERS.map(asLine));
  afterAll(() => world.close());

  it(
    "fit every member of the filter, in every operation",
    async () => {
      const show = async (asked: Request) => {
        const expected = DATA.filter((one) => fits(one, asked));
        const filter = asked.anomalyFilterPropertiesDTO ?? {};
        expect(
          await verbs.ids(filter, asked.showWhitelistedAnomalies ? { showWhitelistedAnomalies: true } : {}),
        ).toEqual(idsOf(expected));
        expect(await verbs.metrics(asked)).toEqual(overview(expected, START_MS));
        expect(await verbs.summary(asked)).toMatchObject({
          count: expected.length,
          costImpact: cents(expected) / 100,
        });
        expect(await verbs.timeSeries(asked)).toEqual(series(expected, START_MS));
        const mean = await verbs.meanResolution(asked);
        const naive = meanResolution(expected);
        if (naive === null) expect(mean).toBeNull();
        else expect(mean).toBeCloseTo(naive, 6);
      };
      await fc.assert(fc.asyncProperty(request, show), {
        seed: SEED,
        numRuns: casesToTry({ usual: 8, deep: 50 }),
      });
      expect(world.errors).toEqual([]);
    },
    PATIENCE_MS,
  );

  it.each(["minActualAmount", "minAnomalousSpend"] as const)(
    "fit %s when they meet it exactly",
    async (member) => {
      const filter: Filter = { [member]: 10 };
      const expected = DATA.filter((one) => fits(one, { anomalyFilterPropertiesDTO: filter }));
      const meets = (one: NaiveAnomaly) => (member === "minActualAmount" ? one.actualCents : one.spendCents);
      expect(expected.filter((one) => meets(one) === 1000)).not.toEqual([]);
      expect(await verbs.ids(filter)).toEqual(idsOf(expected));
    },
  );

  it("fit each list of the filter by itself", async () => {
    for (const [member, value] of Object.entries(LISTS)) {
      const wanted = DATA.map(value).filter((one) => one !== null && one !== undefined)[0];
      const filter: Filter = { [member]: [wanted] };
      const expected = DATA.filter((one) => fits(one, { anomalyFilterPropertiesDTO: filter }));
      expect(await verbs.ids(filter), member).toEqual(idsOf(expected));
    }
  });

  it(
    "come in pieces that make the whole, in the order asked",
    async () => {
      const field = fc.constantFrom(
        ["ANOMALY_TIME", (one: NaiveAnomaly) => one.time] as const,
        ["ANOMALOUS_SPEND", (one: NaiveAnomaly) => one.spendCents] as const,
        ["ACTUAL_COST", (one: NaiveAnomaly) => one.actualCents] as const,
        ["STATUS", (one: NaiveAnomaly) => one.status] as const,
        ["PERSPECTIVE_ID", (one: NaiveAnomaly) => one.perspectiveId] as const,
        ["CLOUD_2_METER_CATEGORY", (one: NaiveAnomaly) => one.entity["cloud2MeterCategory"] ?? null] as const,
        ["ANOMALY_ID", (one: NaiveAnomaly) => one.id] as const,
      );
      const order = fc.tuple(field, fc.constantFrom("ASCENDING" as const, "DESCENDING" as const));
      const show = async (orders: readonly Ordered[], limit: number) => {
        const orderBy = orders.map(([[name], direction]) => ({ field: name, order: direction }));
        const expected = DATA.toSorted((a, b) => {
          for (const [[, value], direction] of orders) {
            const ordered = compare(value(a), value(b), direction === "DESCENDING");
            if (ordered !== 0) return ordered;
          }
          return newestFirst(a, b);
        }).map(({ id }) => id);
        const pieces: string[] = [];
        for (let offset = 0; offset <= expected.length; offset += limit)
          pieces.push(...(await verbs.ids({ orderBy, limit, offset }, { showWhitelistedAnomalies: true })));
        expect(pieces).toEqual(expected);
      };
      await fc.assert(
        fc.asyncProperty(fc.array(order, { maxLength: 3 }), fc.integer({ min: 7, max: 70 }), show),
        { seed: SEED, numRuns: casesToTry({ usual: 8, deep: 20 }) },
      );
    },
    PATIENCE_MS,
  );
});

/** What has no value comes last either way; texts by code point. */
function compare(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const sign = descending ? -1 : 1;
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`));
}
