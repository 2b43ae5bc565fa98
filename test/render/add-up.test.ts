import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decimal, decimal, minus, plus, sum, toPlaces } from "../../src/kernel/money.ts";
import { addUp, addUpFrom, type Row, type Table } from "../../src/render/format/add-up.ts";

const amount = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.integer({ min: 0, max: 6 }))
  .map(([negative, digits, places]) => {
    const text = digits.toString().padStart(places + 1, "0");
    const written = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
    return decimal(negative ? `-${written}` : written);
  });

/** New, deleted, unchanged and other rows, in the mix in which rounding goes wrong. */
const row = fc
  .tuple(amount, amount, fc.constantFrom("new", "deleted", "same", "other"))
  .map(([a, b, kind]): Row => {
    if (kind === "new") return { previous: decimal("0"), change: a, current: a };
    if (kind === "deleted") return { previous: a, change: minus(decimal("0"), a), current: decimal("0") };
    if (kind === "same") return { previous: a, change: decimal("0"), current: a };
    return { previous: a, change: b, current: plus(a, b) };
  });

const tableOf = (rows: readonly Row[]): Table => ({
  rows,
  total: {
    previous: sum(rows.map(({ previous }) => previous)),
    change: sum(rows.map(({ change }) => change)),
    current: sum(rows.map(({ current }) => current)),
  },
});

const hasAtMost = (figure: Decimal, places: number): boolean => (figure.split(".")[1]?.length ?? 0) <= places;

function must<T>(value: T | null): T {
  if (value === null) throw new RangeError("this table adds up");
  return value;
}

const table = fc.array(row, { minLength: 1, maxLength: 15 }).map(tableOf);
const figures = (one: Row): Decimal[] => [one.previous, one.change, one.current];
const allOf = ({ rows, total }: Table): Decimal[] => [...rows, total].flatMap(figures);

describe("a rounded table", () => {
  it("adds up across and down, and no figure strays by a whole unit of its last place", () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 0, max: 3 }), (exact, from) => {
        const { table: rounded, places } = must(addUpFrom(exact, from));
        expect(tableOf(rounded.rows)).toEqual(rounded);
        const all = [...rounded.rows, rounded.total];
        expect(all.map(({ previous, change }) => plus(previous, change))).toEqual(
          all.map(({ current }) => current),
        );
        const truth = allOf(exact);
        const strays = allOf(rounded).map((figure, at) =>
          Math.abs(Number(minus(figure, truth[at] ?? figure))),
        );
        expect(Math.max(...strays)).toBeLessThan(Number(`1e-${places}`));
      }),
      { numRuns: 1_000 },
    );
  });

  it("rounds the total's change to the nearest and keeps exact figures as they are", () => {
    fc.assert(
      fc.property(table, (exact) => {
        const { table: rounded, places } = must(addUpFrom(exact, 2));
        expect(toPlaces(rounded.total.change, places)).toBe(toPlaces(exact.total.change, places));
        const shown = allOf({ rows: rounded.rows, total: exact.total });
        const whole = allOf(exact).map((figure, at) => (hasAtMost(figure, places) ? figure : shown[at]));
        expect(shown).toEqual(whole);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is refused when the exact figures do not add up", () => {
    const rows = [{ previous: decimal("1"), change: decimal("1"), current: decimal("2") }];
    const total = { previous: decimal("1"), change: decimal("1"), current: decimal("2.01") };
    expect(addUpFrom({ rows, total }, 2)).toBeNull();
    expect(addUpFrom({ rows: [...rows, ...rows], total: { ...total, current: decimal("2") } }, 2)).toBeNull();
  });

  it("splits a cent among three thirds", () => {
    const third = { previous: decimal("0"), change: decimal("33.335"), current: decimal("33.335") };
    const changes = addUp(tableOf([third, third, third]), 2)?.rows.map(({ change }) => change);
    expect(changes?.toSorted()).toEqual(["33.33", "33.34", "33.34"]);
  });
});
