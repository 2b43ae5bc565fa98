import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, decimal } from "../../src/kernel/money.ts";
import {
  createDistinctStyle,
  createMoneyStyle,
  formatCount,
  formatPercent,
  formatUtcTime,
} from "../../src/render/format.ts";

describe("an amount", () => {
  it.each([
    ["USD", "1303.04", "$1,303.04", "+$1,303.04"],
    ["USD", "-560.4", "−$560.40", "−$560.40"],
    ["USD", "0", "$0.00", "$0.00"],
    ["USD", "-0.004", "−$0.004", "−$0.004"],
    ["USD", "0.005", "$0.01", "+$0.01"],
    ["USD", "-0.005", "−$0.01", "−$0.01"],
    ["USD", "1.005", "$1.01", "+$1.01"],
    [
      "USD",
      "123456789012345678901234.565",
      "$123,456,789,012,345,678,901,234.57",
      "+$123,456,789,012,345,678,901,234.57",
    ],
    ["EUR", "95", "€95.00", "+€95.00"],
    ["GBP", "-3", "−£3.00", "−£3.00"],
    ["JPY", "1199.5", "¥1,200", "+¥1,200"],
    ["CAD", "3", "CA$3.00", "+CA$3.00"],
    ["CHF", "3", "CHF\u00a03.00", "+CHF\u00a03.00"],
    ["KWD", "1.5", "KWD\u00a01.500", "+KWD\u00a01.500"],
    ["<script>", "2", "¤2.00", "+¤2.00"],
    ["", "2", "¤2.00", "+¤2.00"],
  ])("in %s: %s is %s, as a change %s", (...line) => {
    const [currency, value, amount, change] = line;
    const style = createMoneyStyle(currency);
    expect([style.amount(decimal(value)), style.change(decimal(value))]).toEqual([amount, change]);
  });

  it("has as many places as it takes to read two amounts apart and no change as none", () => {
    const amount = fc.integer({ min: -1e9, max: 1e9 }).map((n) => decimal((n / 1e5).toFixed(5)));
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const apart = createDistinctStyle("USD", [a, b]);
        expect(apart.amount(a) === apart.amount(b)).toBe(compare(a, b) === 0);
        const seen = createMoneyStyle("USD");
        expect(/[1-9]/.test(seen.change(a))).toBe(compare(a, decimal("0")) !== 0);
      }),
    );
  });

  it("follows every dollar sign with a digit, so that no two of them enclose a formula", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 9 }), (n, places) => {
        const style = createMoneyStyle("USD", places);
        expect(style.change(decimal(`${n}`)) + style.amount(decimal(`${n}`))).not.toMatch(/\$(?!\d)/);
      }),
    );
  });
});

describe("a percentage", () => {
  it.each([
    ["31.67", "+31.67%"],
    ["10.5", "+10.5%"],
    ["-43.01", "−43.01%"],
    ["-43", "−43%"],
    ["0.04", "+0.04%"],
    ["0", "0%"],
    ["123456", "+123,456%"],
  ])("%s is %s", (value, text) => expect(formatPercent(decimal(value))).toBe(text));
});

it("writes counts with separators and times in UTC", () => {
  expect([formatCount(1_234_567), formatUtcTime(1_795_269_900_000), formatUtcTime(Number.NaN)]).toEqual([
    "1,234,567",
    "21 Nov 2026, 14:05 UTC",
    "?",
  ]);
  expect([formatUtcTime(8.64e15), formatUtcTime(-8.64e15), formatUtcTime(8.64e15 + 1)]).toEqual([
    "13 Sep 275760, 00:00 UTC",
    "20 Apr -271821, 00:00 UTC",
    "?",
  ]);
});

it("writes every count as Intl does", () => {
  const format = new Intl.NumberFormat("en-US");
  fc.assert(fc.property(fc.maxSafeInteger(), (count) => formatCount(count) === format.format(count)));
});
