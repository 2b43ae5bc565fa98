import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { casesToTry } from "../world/depth.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform } from "./platform-world.ts";
import { record, type Values, verbsOf } from "./unit-metric-verbs.ts";

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

/** Zones with whole, half and quarter hours, and with changes of an hour and of half an hour. */
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];

/** Instants around which calendars and clocks change. */
const TURNS = [
  "2024-02-29T00:00:00Z", // a leap day
  "2024-03-01T00:00:00Z",
  "2023-03-01T00:00:00Z",
  "2000-02-29T23:59:59Z",
  "2100-03-01T00:00:00Z", // no leap year
  "2026-01-01T00:00:00Z", // a Thursday: its week began in the year before
  "2024-12-30T00:00:00Z", // a Monday of the first ISO week of the next year
  "2027-01-03T23:59:59Z", // a Sunday of the last ISO week of the year before
  "2025-03-30T01:00:00Z", // Berlin goes to summer time
  "2025-10-26T01:00:00Z", // and back
  "2025-03-09T07:00:00Z", // New York
  "2025-11-02T06:00:00Z",
  "2025-10-04T15:30:00Z", // Lord Howe, by half an hour
  "2025-04-05T15:00:00Z",
  "2026-04-30T23:59:59Z",
].map((text) => Date.parse(text));

/** An instant as a person of a zone writes it down: local time with the offset that holds there then. */
function written(ms: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const offset = parts["timeZoneName"] === "GMT" ? "Z" : `${parts["timeZoneName"]}`.replace("GMT", "");
  return `${parts["year"]}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}:${parts["second"]}${offset}`;
}

const text = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const WEEKDAY = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", weekday: "short" });

/** The bucket that a reader of a calendar finds: by the letters of the date, and by walking back to a Monday. */
function bucketOf(ms: number, by: string): string {
  if (by === "MONTH") return `${text(ms).slice(0, 7)}-01T00:00:00Z`;
  let day = ms;
  while (by === "WEEK" && WEEKDAY.format(day) !== "Mon") day -= DAY;
  return `${text(day).slice(0, 10)}T00:00:00Z`;
}

interface Sample {
  readonly ms: number;
  readonly value: number;
}
interface Question {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly how: string;
  readonly gaps: "LEAVE_BLANK" | "PREVIOUS_VALUE" | "ZERO";
}

const combine = (how: string, values: readonly number[]): number => {
  const sum = values.reduce((a, b) => a + b, 0); // quarters: exact
  if (how === "SUM") return sum;
  if (how === "AVG") return sum / values.length;
  return how === "MIN" ? Math.min(...values) : Math.max(...values);
};

/** The value of the newest bucket before the range. */
function carried(samples: readonly Sample[], { from, by, how }: Question): number | null {
  const earlier = samples.filter(({ ms }) => ms < from).sort((a, b) => a.ms - b.ms);
  const newest = earlier.at(-1);
  if (newest === undefined) return null;
  const last = earlier.filter(({ ms }) => bucketOf(ms, by) === bucketOf(newest.ms, by));
  return combine(
    how,
    last.map(({ value }) => value),
  );
}

/** Walks every quarter of a day of the range, one after the other, and looks at every sample for each bucket met. */
function naively(samples: readonly Sample[], question: Question): Values {
  const { from, to, by, how, gaps } = question;
  const buckets = new Set<string>();
  for (let ms = from; ms <= to; ms += DAY / 4) buckets.add(bucketOf(ms, by));
  buckets.add(bucketOf(to, by));
  let previous = carried(samples, question);
  return [...buckets].flatMap((bucket): Values => {
    const inside = samples.filter(({ ms }) => ms >= from && ms <= to && bucketOf(ms, by) === bucket);
    const empty = inside.length === 0;
    if (!empty)
      previous = combine(
        how,
        inside.map(({ value }) => value),
      );
    const shown = empty ? { LEAVE_BLANK: null, ZERO: 0, PREVIOUS_VALUE: previous }[gaps] : previous;
    return shown === null ? [] : [[bucket, shown]];
  });
}

function expectNear(shown: Values, expected: Values): void {
  expect(shown.map(([at]) => at)).toEqual(expected.map(([at]) => at));
  for (const [index, [, value]] of shown.entries())
    expect(value).toBeCloseTo(expected[index]?.[1] ?? Number.NaN, 10);
}

const near = (turn: number, days: number) =>
  fc.integer({ min: -days * 86_400, max: days * 86_400 }).map((seconds) => turn + seconds * SECOND);
/** A sample within a few days of a turn, at the turn's own second or one beside it more often than chance has it. */
const instant = (turn: number) =>
  fc.oneof(
    near(turn, 40),
    near(turn, 2),
    fc.constantFrom(-1, 0, 1).map((beside) => turn + beside * SECOND),
  );

const series = fc.constantFrom(...TURNS).chain((turn) =>
  fc.record({
    samples: fc.uniqueArray(
      fc.record({
        ms: instant(turn),
        value: fc.integer({ min: -4000, max: 4000 }).map((quarters) => quarters / 4),
        zone: fc.constantFrom(...ZONES),
      }),
      { selector: ({ ms }) => ms, maxLength: 25 },
    ),
    ends: fc.tuple(instant(turn), instant(turn)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
    zone: fc.constantFrom(...ZONES),
    how: fc.constantFrom("AVG", "MIN", "MAX", "SUM"),
    gaps: fc.constantFrom<Question["gaps"]>("LEAVE_BLANK", "PREVIOUS_VALUE", "ZERO"),
  }),
);

describe.each(usualEngines())("unit metrics read as a person reads a calendar, on $name", async (engine) => {
  const { create, get, values } = verbsOf(() => world);
  let number = 0;

  const world = await openPlatform(engine);
  afterAll(() => world.close());

  it("in days, weeks and months, around their ends and around changes of the clock", async () => {
    await fc.assert(
      fc.asyncProperty(series, async ({ samples, ends: [from, to], zone, how, gaps }) => {
        const metric = `m${number++}`;
        const unitMetricRecords = samples.map(({ ms, value, zone: where }) =>
          record(written(ms, where), value),
        );
        const settings = { defaultAggregation: how, handleEmptyValue: gaps, unitMetricRecords };
        expect((await create({ metricIdentifier: metric, ...settings })).status).toBe(200);
        for (const by of ["DAY", "WEEK", "MONTH"]) {
          const shown = await values({ from: written(from, zone), to: written(to, zone), by, metric });
          expectNear(shown, naively(samples, { from, to, by, how, gaps }));
        }
        const { total } = (await get({ from: text(from), to: text(to), metric })).body.data;
        const inside = samples.filter(({ ms }) => ms >= from && ms <= to).map(({ value }) => value);
        if (inside.length === 0) expect(total).toBeNull();
        else expect(total).toBeCloseTo(combine(how, inside), 10);
      }),
      { numRuns: casesToTry({ usual: 12, deep: 60 }) },
    );
    expect(world.errors).toEqual([]);
  });
});
