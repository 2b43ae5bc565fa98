import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compare,
  computePercentChange,
  type Decimal,
  decimal,
  minus,
  parseDecimal,
  plus,
  sum,
  sumKnown,
  toPlaces,
} from "../../src/kernel/money.ts";

/** Any amount with up to six digits after the point, as text, beside its value in millionths. */
const amounts = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((micros) => {
  const sign = micros < 0n ? "-" : "";
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, "0");
  return { micros, text: `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}` };
});
const read = (text: string): Decimal => decimal(text);
const micros = (value: Decimal): bigint => {
  const [whole = "0", fraction = ""] = value.replace("-", "").split(".");
  const amount = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
  return value.startsWith("-") ? -amount : amount;
};

describe("a decimal amount", () => {
  it.each([
    ...["", " ", "NaN", "Infinity", "1e5", "0x10", "1,2", "1_000", "+1", ".5", "5.", "--1", "٣", "1 "],
    "9".repeat(65),
  ])("refuses %j: it would be unknown, never zero", (text) => expect(parseDecimal(text)).toBeNull());

  it.each([
    ["007.10", null],
    ["7.10", "7.1"],
    ["-0", "0"],
    ["-0.00", "0"],
    ["123456789012345678901234.5650", "123456789012345678901234.565"],
  ])("reads %j as %j", (text, canonical) => expect(parseDecimal(text)).toBe(canonical));

  it("adds and subtracts exactly, whatever the size", () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        expect(micros(plus(read(a.text), read(b.text)))).toBe(a.micros + b.micros);
        expect(micros(minus(read(a.text), read(b.text)))).toBe(a.micros - b.micros);
        expect(compare(read(a.text), read(b.text))).toBe(
          a.micros < b.micros ? -1 : a.micros > b.micros ? 1 : 0,
        );
      }),
    );
  });

  it("sums any list exactly, in any order", () => {
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 60 }), (list) => {
        const values = list.map(({ text }) => read(text));
        expect(micros(sum(values))).toBe(list.reduce((total, one) => total + one.micros, 0n));
        expect(sum([...values].reverse())).toBe(sum(values));
      }),
    );
  });

  it("has no known sum as soon as one part is not known", () => {
    expect(sumKnown([read("1"), null, read("2")])).toBeNull();
    expect(sumKnown([])).toBe("0");
  });

  it.each([
    ["1.005", 2, "1.01"],
    ["-1.005", 2, "-1.01"],
    ["-0.004", 2, "0.00"],
    ["12", 2, "12.00"],
  ])("rounds %s to %i places as %s", (text, places, rounded) =>
    expect(toPlaces(read(text), places)).toBe(rounded),
  );
});

describe("a percentage", () => {
  it.each([
    ["0", "0", "0"],
    ["0", "5", null],
    ["0", "-5", null],
    ["100", "150", "50"],
    ["100", "0", "-100"],
    ["-100", "-50", "50"],
    ["3", "4", "33.33"],
    ["200", "200.01", "0.01"],
    ["200", "199.99", "-0.01"],
    ["-200", "-199.99", "0.01"],
    ["200", "200.009", "0"],
    ["1.000001", "1.000002", "0"],
  ])("from %s to %s is %s", (before, after, percent) => {
    expect(computePercentChange(read(before), read(after))).toBe(percent);
  });
});
