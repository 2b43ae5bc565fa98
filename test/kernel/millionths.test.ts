import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromMillionths, toMillionths } from "../../src/kernel/millionths.ts";
import {
  absolute,
  compare,
  computePercentChange,
  decimal,
  minus,
  negate,
  plus,
  sum,
} from "../../src/kernel/money.ts";
import { casesToTry } from "../world/depth.ts";

const MAX = 2 ** 31 * 1e6;
/** Whole numbers of millionths of every size, many of them near zero and near the largest that fits. */
const millionths = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.maxSafeInteger().map((value) => value % MAX),
  fc.integer({ min: 0, max: 1_000 }).map((less) => MAX - less),
);
const written = (value: number): string => new Big(value).div(1_000_000).toFixed();
const amount = millionths.map((value) => decimal(written(value)));

describe("amounts in millionths", () => {
  it("are exact up to the largest that fits, and NaN beyond", () => {
    fc.assert(
      fc.property(millionths, (value) => {
        expect(toMillionths(written(value))).toBe(value === 0 ? 0 : value);
      }),
    );
    for (const beyond of ["2147483648.000001", "-2147483649", "0.0000001", "1".repeat(19)]) {
      expect(toMillionths(beyond)).toBeNaN();
    }
  });

  it("are written canonically, and not at all when they are not exact", () => {
    fc.assert(
      fc.property(millionths, (value) => {
        expect(fromMillionths(value)).toBe(written(value));
      }),
    );
    expect(fromMillionths(-0)).toBe("0");
    for (const inexact of [2 ** 53, Number.NaN, 0.5, Number.POSITIVE_INFINITY])
      expect(fromMillionths(inexact)).toBeNull();
  });
});

describe("quick arithmetic gives what long arithmetic gives", () => {
  it("for two amounts", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(plus(a, b)).toBe(new Big(a).plus(b).toFixed());
        expect(minus(a, b)).toBe(new Big(a).minus(b).toFixed());
        expect(compare(a, b)).toBe(new Big(a).cmp(b));
        expect(absolute(a)).toBe(new Big(a).abs().toFixed());
        expect(plus(a, negate(a))).toBe("0");
      }),
    );
  });

  it("for long lists, whose sum on the way is too large", () => {
    const large = decimal("2000000000.000001");
    const list = [
      ...Array.from({ length: 10 }, () => large),
      ...Array.from({ length: 10 }, () => negate(large)),
    ];
    expect(sum([...list, decimal("0.000001")])).toBe("0.000001");
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 30 }), (values) => {
        expect(sum(values)).toBe(values.reduce((total, value) => total.plus(value), new Big(0)).toFixed());
      }),
    );
  });

  it("for percentages, rounded half away from zero", () => {
    fc.assert(
      fc.property(millionths, millionths, (before, after) => {
        fc.pre(before !== 0);
        const scaled = (BigInt(after) - BigInt(before)) * 10_000n;
        const base = BigInt(Math.abs(before));
        const half = scaled < 0n ? -base : base;
        const points = (2n * scaled + half) / (2n * base);
        expect(computePercentChange(decimal(written(before)), decimal(written(after)))).toBe(
          new Big(points.toString()).div(100).toFixed(),
        );
      }),
      { numRuns: casesToTry({ usual: 500, deep: 5_000 }) },
    );
  });
});
