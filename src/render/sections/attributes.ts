import type { ChangeKind, ChangeRow, UnknownReason } from "../../report/facts.ts";
import { type Cell, cellName } from "../escape.ts";

/** Names of attributes that change, never values. */
export interface AttributesView {
  readonly attributes: readonly { readonly attribute: Cell }[];
  readonly moreAttributes: number;
}

const ATTRIBUTES = 4;

/** Of what is created or destroyed as a whole every attribute changes, which tells nothing. */
export function attributesView(
  names: readonly string[] | null | undefined,
  change: ChangeKind | null,
): AttributesView {
  if (names == null || change === "added" || change === "deleted")
    return { attributes: [], moreAttributes: 0 };
  return {
    attributes: names.slice(0, ATTRIBUTES).map((name) => ({ attribute: cellName(name) })),
    moreAttributes: Math.max(0, names.length - ATTRIBUTES),
  };
}

/** Of how many resources it is not known which attributes change although they were asked for, by reason. */
export function unknownAttributes(
  rows: readonly ChangeRow[],
): readonly { readonly count: number; readonly reason: UnknownReason }[] {
  const byReason = Map.groupBy(rows, ({ attributesBecause }) => attributesBecause);
  return [...byReason].flatMap(([reason, own]) =>
    reason === undefined ? [] : [{ count: own.length, reason }],
  );
}
