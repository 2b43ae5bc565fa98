import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../src/kernel/clock.ts";
import {
  dayBefore,
  FiscalYearStart,
  findPeriod,
  findPreviousPeriod,
  findYearRest,
  fromMonthParts,
  PERIOD_UNITS,
  startAt,
  toMonthParts,
  toSpanEnd,
} from "../../src/kernel/fiscal-periods.ts";
import { toIsoDay } from "../../src/kernel/instant.ts";
import { compare, decimal, plus, sum, times } from "../../src/kernel/money.ts";

describe("the period with a day", () => {
  it.each([
    ["month", "2026-01-31", "07-01", "2026-01-01 to 2026-01-31"],
    ["month", "2028-02-29", "02-15", "2028-02-01 to 2028-02-29"],
    ["quarter", "2026-03-31", "01-01", "2026-01-01 to 2026-03-31"],
    ["quarter", "2026-04-01", "01-01", "2026-04-01 to 2026-06-30"],
    ["quarter", "2026-01-31", "02-01", "2025-11-01 to 2026-01-31"],
    ["quarter", "2026-02-01", "02-01", "2026-02-01 to 2026-04-30"],
    ["quarter", "2026-02-28", "08-31", "2026-02-28 to 2026-05-30"],
    ["quarter", "2028-02-28", "08-31", "2027-11-30 to 2028-02-28"],
    ["quarter", "2028-02-29", "08-31", "2028-02-29 to 2028-05-30"],
    ["year", "2026-12-31", "01-01", "2026-01-01 to 2026-12-31"],
    ["year", "2026-01-31", "02-01", "2025-02-01 to 2026-01-31"],
    ["year", "2026-02-01", "02-01", "2026-02-01 to 2027-01-31"],
    ["year", "2026-04-05", "04-06", "2025-04-06 to 2026-04-05"],
    ["year", "2026-04-06", "04-06", "2026-04-06 to 2027-04-05"],
  ] as const)("is, for the %s of %s where years start on %s, %s", (unit, day, start, expected) => {
    const { from, to } = findPeriod(unit, day, start);
    expect(`${from} to ${to}`).toBe(expected);
  });

  const day = fc.integer({ min: 0, max: 60_000 }).map((days) => toIsoDay(days * DAY_MS));
  const start = fc
    .integer({ min: 0, max: 364 })
    .map((days) => toIsoDay(Date.UTC(2027, 0, 1) + days * DAY_MS).slice(5));
  const unit = fc.constantFrom(...PERIOD_UNITS);

  it("contains the day, is the same for each of its days, and follows the previous one without a gap", () => {
    fc.assert(
      fc.property(unit, day, start, (ofUnit, ofDay, from) => {
        const period = findPeriod(ofUnit, ofDay, from);
        expect(period.from <= ofDay && ofDay <= period.to).toBe(true);
        for (const edge of [period.from, period.to]) expect(findPeriod(ofUnit, edge, from)).toEqual(period);
        expect(findPreviousPeriod(ofUnit, ofDay, from).to).toBe(dayBefore(period.from));
      }),
    );
  });

  it("makes four quarters of each fiscal year", () => {
    fc.assert(
      fc.property(day, start, (ofDay, from) => {
        const year = findPeriod("year", ofDay, from);
        expect(year.from.slice(5)).toBe(from);
        const quarters = [year.to];
        for (const _ of "123") quarters.push(findPreviousPeriod("quarter", quarters.at(-1) ?? "", from).to);
        expect(findPeriod("quarter", quarters.at(-1) ?? "", from).from).toBe(year.from);
      }),
    );
  });
});

describe("the start of fiscal years", () => {
  it.each(["01-01", "02-28", "12-31"])("may be %s", (text) => {
    expect(FiscalYearStart.parse(text)).toBe(text);
  });

  it.each(["02-29", "02-30", "13-01", "00-10", "2-1", "02/01", "2027-02-01", "", "1"])(
    "is not %j",
    (text) => {
      expect(FiscalYearStart.safeParse(text).error?.issues[0]?.message).toBe(
        "a day of each year as MM-DD, such as 02-01",
      );
    },
  );
});

describe("what a monthly amount costs in a span of days", () => {
  const span = (from: string, to: string) => ({ from, to });
  it.each([
    ["100", "2026-01-01", "2026-01-31", "100"],
    ["100", "2026-02-01", "2026-02-28", "100"],
    ["100", "2028-02-01", "2028-02-29", "100"],
    ["29", "2028-02-29", "2028-02-29", "1"],
    ["28", "2026-02-28", "2026-02-28", "1"],
    ["0.31", "2026-12-31", "2026-12-31", "0.01"],
    ["100", "2026-01-01", "2026-12-31", "1200"],
    ["100", "2028-01-01", "2028-12-31", "1200"],
    ["100", "2026-02-01", "2027-01-31", "1200"],
    ["300", "2026-04-06", "2027-04-05", "3600"],
    ["30", "2026-11-16", "2027-01-31", "75"],
    ["-30", "2026-11-30", "2026-11-30", "-1"],
    ["100", "2026-12-01", "2026-11-30", "0"],
    ["100", "2026-12-31", "2026-12-01", "0"],
    ["100", "2026-01-01", "2026-01-01", "3.2258064516"],
  ])("of %s from %s to %s is %s", (monthly, from, to, expected) => {
    expect(fromMonthParts(toMonthParts(decimal(monthly), span(from, to)))).toBe(expected);
  });

  const days = fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.array(fc.integer({ min: 1, max: 500 })));
  const amount = fc
    .integer({ min: -100_000_000, max: 100_000_000 })
    .map((units) => decimal(String(units / 100)));

  it("adds up exactly: of the parts of a span, and of the parts of an amount", () => {
    fc.assert(
      fc.property(days, amount, amount, ([first, lengths], one, other) => {
        let start = first * DAY_MS;
        const parts = lengths.map((length) => {
          const part = span(toIsoDay(start), toIsoDay(start + (length - 1) * DAY_MS));
          start += length * DAY_MS;
          return part;
        });
        const whole = span(toIsoDay(first * DAY_MS), toIsoDay(start - DAY_MS));
        expect(sum(parts.map((part) => toMonthParts(one, part)))).toBe(toMonthParts(one, whole));
        expect(plus(toMonthParts(one, whole), toMonthParts(other, whole))).toBe(
          toMonthParts(plus(one, other), whole),
        );
      }),
    );
  });

  it("of a rest of a period is never more than of the period, for an increase, and all of it before the period", () => {
    const day = fc.integer({ min: 0, max: 20_000 }).map((at) => toIsoDay(at * DAY_MS));
    fc.assert(
      fc.property(day, day, fc.constantFrom(...PERIOD_UNITS), (now, merged, unit) => {
        const period = findPeriod(unit, now, "02-15");
        const rest = toMonthParts(decimal("7.5"), startAt(period, merged));
        expect(compare(rest, toMonthParts(decimal("7.5"), period))).not.toBe(1);
        if (merged <= period.from) expect(rest).toBe(toMonthParts(decimal("7.5"), period));
        if (merged > period.to) expect(rest).toBe("0");
        expect(toIsoDay(toSpanEnd(period)) > period.to).toBe(true);
      }),
    );
    expect(times(decimal("2"), toMonthParts(decimal("1"), span("2026-05-01", "2026-05-31")))).toBe(
      toMonthParts(decimal("1"), span("2026-05-01", "2026-06-30")),
    );
  });
});

describe("the rest of the fiscal year", () => {
  const ms = (text: string) => Date.parse(`${text}Z`);
  it.each([
    ["2026-11-20T10:00", "2026-11-29T23:59:59", "2026-11-20 to 2027-01-31"],
    ["2026-11-20T10:00", "2026-12-01T00:00", "2026-12-01 to 2027-01-31"],
    ["2026-11-20T10:00", "2027-02-01T00:00", "2027-02-01 to 2028-01-31"],
    ["2027-01-31T23:59:59", "2027-01-31T23:59:59", "2027-01-31 to 2027-01-31"],
  ])("of a head of %s is on %s from %s", (first, now, expected) => {
    const { from, to } = findYearRest(ms(first), ms(now), "02-01");
    expect(`${from} to ${to}`).toBe(expected);
  });
});
