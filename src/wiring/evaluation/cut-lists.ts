/** A part of a list that was cut out of a value. */
export interface ListPiece {
  /** Path of the list in the value. */
  readonly path: readonly (string | number)[];
  readonly items: readonly unknown[];
}

export interface CutValue {
  /** The value with empty lists instead of long ones. */
  readonly rest: unknown;
  readonly pieces: readonly ListPiece[];
}

/** Longest list, in elements, that is not cut out. */
const SHORT = 50;
/** Elements of one piece: its transfer takes a few ms. */
const PIECE = 1_000;

/** Cuts long lists out of plain data, so that the data can be transferred in pieces. */
export function cutLists(value: unknown): CutValue {
  const pieces: ListPiece[] = [];
  return { rest: cutValue(value, [], pieces), pieces };
}

function cutValue(value: unknown, path: ListPiece["path"], pieces: ListPiece[]): unknown {
  if (Array.isArray(value)) {
    if (value.length <= SHORT) return value.map((item: unknown, at) => cutValue(item, [...path, at], pieces));
    for (let from = 0; from < value.length; from += PIECE)
      pieces.push({ path, items: value.slice(from, from + PIECE) });
    return [];
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutValue(member, [...path, key], pieces)]),
  );
}

/** Inserts the pieces, in order, into the rest of the value. */
export function joinLists({ rest, pieces }: CutValue): unknown {
  for (const { path, items } of pieces) {
    const list = path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], rest); // the path was derived from this value
    if (Array.isArray(list)) for (const item of items) list.push(item);
  }
  return rest;
}
