import type { Decimal } from "../../kernel/money.ts";
import { down, fromUnits, placesOf, toUnits } from "./units.ts";

/** What was paid, what changes and what will be paid: `previous + change = current`. */
export interface Row {
  readonly previous: Decimal;
  readonly change: Decimal;
  readonly current: Decimal;
}

export interface Table {
  readonly rows: readonly Row[];
  readonly total: Row;
}

/**
 * Rounds a table to `places` so that it still adds up: every row across, every column down. Each figure is one of the two
 * rounded neighbours of its exact value (an exact one stays as it is), and the total's change is the nearest. Null when the
 * exact figures do not add up themselves or when this many places do not allow it.
 */
export function addUp(table: Table, places: number): Table | null {
  const scale = Math.max(places, ...[table.total, ...table.rows].flatMap(cells).map(placesOf));
  const units = (row: Row): Units => ({
    b: toUnits(row.previous, scale),
    c: toUnits(row.change, scale),
    a: toUnits(row.current, scale),
  });
  const step = 10n ** BigInt(scale - places);
  const exact = table.rows.map(units);
  const exactTotal = units(table.total);
  if (!fits(exact, exactTotal)) return null;
  const total = candidates(exactTotal, step)[0];
  const rows = total === undefined ? null : choose(exact, total, step);
  if (total === undefined || rows === null) return null;
  return { rows: rows.map((row) => toRow(row, places)), total: toRow(total, places) };
}

/** As `addUp`, with as many more places as it takes; null only when the exact figures do not add up. */
export function addUpFrom(table: Table, places: number): { table: Table; places: number } | null {
  const most = Math.max(places, ...[table.total, ...table.rows].flatMap(cells).map(placesOf));
  for (let tried = places; tried <= most; tried += 1) {
    const rounded = addUp(table, tried);
    if (rounded !== null) return { table: rounded, places: tried };
  }
  return null;
}

/** Before, change and after in whole units of the last place. */
interface Units {
  readonly b: bigint;
  readonly c: bigint;
  readonly a: bigint;
}

const cells = (row: Row): Decimal[] => [row.previous, row.change, row.current];
const size = (value: bigint): bigint => (value < 0n ? -value : value);

function toRow(row: Units, places: number): Row {
  return {
    previous: fromUnits(row.b, places),
    change: fromUnits(row.c, places),
    current: fromUnits(row.a, places),
  };
}

function fits(rows: readonly Units[], total: Units): boolean {
  const all = [...rows, total];
  if (all.some((row) => row.b + row.c !== row.a)) return false;
  const left = rest(rows, total);
  return left.b === 0n && left.c === 0n;
}

function rest(rows: readonly Units[], total: Units): { b: bigint; c: bigint } {
  let { b, c } = total;
  for (const row of rows) {
    b -= row.b;
    c -= row.c;
  }
  return { b, c };
}

const neighbours = (value: bigint, step: bigint): bigint[] => {
  const below = down(value, step);
  return below * step === value ? [below] : [below, below + 1n];
};

/** The ways to round one row so that it adds up across, the one nearest to the truth (first in its change, then after, then before) first. */
function candidates(exact: Units, step: bigint): Units[] {
  const after = neighbours(exact.a, step);
  const all = neighbours(exact.b, step).flatMap((b) =>
    neighbours(exact.c, step).map((c) => ({ b, c, a: b + c })),
  );
  // Of two that are as near, the one farther from zero: halves are rounded up, as everywhere.
  const error = (row: Units): bigint[] => [
    size(row.c * step - exact.c),
    -size(row.c),
    size(row.a * step - exact.a),
    -size(row.a),
    size(row.b * step - exact.b),
  ];
  return all.filter((row) => after.includes(row.a)).sort((x, y) => inOrder(error(x), error(y)));
}

function inOrder(x: readonly bigint[], y: readonly bigint[]): number {
  const at = x.findIndex((value, index) => value !== y[index]);
  return at < 0 ? 0 : Number((x[at] ?? 0n) > (y[at] ?? 0n)) * 2 - 1;
}

/** Starts with the nearest way of each row, then changes the row that costs least until the columns meet the total; null when they cannot. */
function choose(exact: readonly Units[], total: Units, step: bigint): Units[] | null {
  const ways = exact.map((row) => candidates(row, step));
  const chosen = ways.flatMap((row) => row.slice(0, 1));
  let left = rest(chosen, total);
  while (distance(left) > 0n) {
    const move = bestMove({ ways, chosen, exact, left, step });
    if (move === null) return null;
    chosen[move.index] = move.way;
    left = rest(chosen, total);
  }
  return chosen;
}

const distance = ({ b, c }: { b: bigint; c: bigint }): bigint =>
  [b, c, b + c].map(size).reduce((most, value) => (value > most ? value : most));

interface Search {
  readonly ways: readonly Units[][];
  readonly chosen: readonly Units[];
  readonly exact: readonly Units[];
  readonly left: { readonly b: bigint; readonly c: bigint };
  readonly step: bigint;
}

interface Move {
  readonly index: number;
  readonly way: Units;
  readonly cost: bigint;
}

/** The change of one row that brings the columns nearer to the total and strays least from the truth. */
function bestMove(search: Search): Move | null {
  const moves = search.ways.flatMap((options, index) => movesOf(options, index, search));
  return moves.reduce<Move | null>(
    (best, move) => (best === null || move.cost < best.cost ? move : best),
    null,
  );
}

function movesOf(options: readonly Units[], index: number, { chosen, exact, left, step }: Search): Move[] {
  const [now, truth] = [chosen[index], exact[index]];
  if (now === undefined || truth === undefined) return [];
  const far = distance(left);
  return options
    .filter((way) => distance({ b: left.b - way.b + now.b, c: left.c - way.c + now.c }) < far)
    .map((way) => ({ index, way, cost: strays(way, truth, step) }));
}

const strays = (way: Units, truth: Units, step: bigint): bigint =>
  size(way.c * step - truth.c) + size(way.a * step - truth.a) + size(way.b * step - truth.b);
