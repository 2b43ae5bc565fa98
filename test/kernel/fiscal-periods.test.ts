import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../src/kernel/clock.ts";
import {
  dayBefore,
  FiscalYearStart,
  findPeriod,
  findPreviousPeriod,
  PERIOD_UNITS,
} from "../../src/kernel/fiscal-periods.ts";
import { toIsoDay } from "../../src/kernel/instant.ts";

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
        "must be a day of each year as MM-DD, such as 02-01",
      );
    },
  );
});
