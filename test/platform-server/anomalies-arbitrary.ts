import fc from "fast-check";
import { ANOMALY_STATUSES, ANOMALY_VIEWS, ENTITIES } from "../../src/platform/contract/anomalies.ts";
import { type Filter, LISTS, type NaiveAnomaly, type Request } from "./anomalies-naive.ts";
import { START_MS } from "./platform-world.ts";

const DAY = 86_400_000;
/** Few, so that filters hit; some that quoting, patterns or cases could trip over. */
const TEXTS = [
  "a",
  "A",
  "b",
  "a,b",
  'q"uote',
  "back\\slash",
  "{brace}",
  "NULL",
  "100%",
  "under_score",
  "Ünïcode",
  "Й",
];
const text = fc.constantFrom(...TEXTS);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });

/** Near enough to each other that filters cut between them, on and beside the ends of days. */
const time = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom(0, 1, 5_000, DAY / 2, DAY - 1))
  .map(([days, within]) => START_MS - 18 * DAY + days * DAY + within);

const entity = fc
  .tuple(...ENTITIES.map(() => maybe(text)))
  .map((values) => Object.fromEntries(ENTITIES.map(({ member }, index) => [member, values[index] ?? null])));

const categories = fc.uniqueArray(fc.record({ costCategory: text, costBucket: maybe(text) }), {
  maxLength: 3,
  selector: ({ costCategory }) => costCategory,
});

/** Often the same, so that limits are met exactly. */
const cents = fc.oneof(fc.constantFrom(0, 1000, 2050), fc.integer({ min: -500, max: 5000 }));

export const anomalies: fc.Arbitrary<readonly NaiveAnomaly[]> = fc
  .array(
    fc.record({
      time: maybe(time),
      actualCents: cents,
      spendCents: cents,
      status: fc.constantFrom(...ANOMALY_STATUSES),
      statusUpdatedAt: maybe(time),
      anomalyView: fc.constantFrom(...ANOMALY_VIEWS),
      allowListed: fc.boolean(),
      details: maybe(text),
      perspectiveId: maybe(text),
      unitMetricName: maybe(text),
      entity,
      tags: fc.dictionary(text, text, { maxKeys: 3 }),
      costCategoryDetails: categories,
    }),
    { minLength: 30, maxLength: 60, size: "max" },
  )
  .map((all) => all.map((one, index) => ({ ...one, id: `an-${index}` })));

const ids = fc.integer({ min: 0, max: 60 }).map((index) => `an-${index}`);
const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
  anomalyIds: ids,
  status: fc.constantFrom(...ANOMALY_STATUSES),
};
const many = (value: fc.Arbitrary<string>) => fc.array(value, { minLength: 0, maxLength: 6 });
const amount = cents.map((value) => value / 100);

const MEMBERS: readonly fc.Arbitrary<Filter>[] = [
  ...Object.keys(LISTS).map((member) =>
    many(values[member] ?? text).map((list): Filter => ({ [member]: list })),
  ),
  fc.array(text, { maxLength: 2 }).map((searchText) => ({ searchText })),
  many(text).map((costCategories) => ({ costCategories })),
  fc
    .array(fc.record({ costCategory: text, costBucket: maybe(text) }), { maxLength: 4 })
    .map((costCategoryDTOs) => ({ costCategoryDTOs })),
  amount.map((minActualAmount) => ({ minActualAmount })),
  amount.map((minAnomalousSpend) => ({ minAnomalousSpend })),
  fc.constantFrom(...ANOMALY_VIEWS).map((anomalyView) => ({ anomalyView })),
  fc.dictionary(text, text, { maxKeys: 1 }).map((tags) => ({ tags })),
  fc.constant({ filterType: "Anomaly" as const }),
  fc.constant({ perspectiveIds: null, timeFilters: null, orderBy: null, status: null, tags: null }),
];

/** A request with up to three members of the filter: with more of them nothing would fit. */
export const request: fc.Arbitrary<Request> = fc
  .tuple(
    fc.array(
      fc.nat({ max: MEMBERS.length - 1 }).chain((index) => MEMBERS[index] ?? fc.constant({})),
      { maxLength: 3 },
    ),
    fc.constantFrom(true, false, null, undefined),
  )
  .map(([members, show]) => ({
    anomalyFilterPropertiesDTO: Object.assign({}, ...members),
    showWhitelistedAnomalies: show,
  }));
