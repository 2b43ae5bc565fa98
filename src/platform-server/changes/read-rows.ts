import type { Kysely } from "kysely";
import type { z } from "zod";
import type {
  Category,
  ChangeRow,
  ChangeRowDetail,
  ChangeType,
} from "../../platform/contract/shapes/change-snapshot.ts";
import { type Detail, withhold } from "./element-detail.ts";
import type { FoundRow } from "./snapshot-index.ts";
import { detailAt } from "./store/details.ts";
import { type CategoryKey, type FullRow, rowsAt } from "./store/rows.ts";
import { findCoveringRuns } from "./store/runs.ts";
import type { ChangeTables } from "./store/tables.ts";

export type WireRow = z.input<typeof ChangeRow>;
export type WireDetail = Omit<z.input<typeof ChangeRowDetail>, keyof WireRow>;

/** The key of one category of a committed snapshot. */
export type RowsKey = CategoryKey & { readonly category: Category };

/**
 * Returns the places of the rows with ordinals from `from` (inclusive) to `to` (exclusive). Ordinals without
 * a row are omitted.
 */
export async function findPlaces(
  db: Kysely<ChangeTables>,
  key: RowsKey,
  range: { readonly from: number; readonly to: number },
): Promise<FoundRow[]> {
  const runs = await findCoveringRuns(db, key, range);
  return runs.flatMap(({ run, first_ordinal, elements }) => {
    const from = Math.max(range.from, first_ordinal);
    const to = Math.min(range.to, first_ordinal + elements);
    return Array.from({ length: to - from }, (_, index) => ({
      run,
      position: from + index - first_ordinal,
      ordinal: from + index,
    }));
  });
}

/** Returns the rows at the given places as a listing contains them. */
export async function readRows(
  db: Kysely<ChangeTables>,
  key: RowsKey,
  places: readonly FoundRow[],
): Promise<WireRow[]> {
  const rows = await rowsAt(db, key, places);
  const ordinals = new Map(places.map(({ run, position, ordinal }) => [`${run}/${position}`, ordinal]));
  return rows.map((row) => toWireRow(key.category, ordinals.get(`${row.run}/${row.position}`) ?? 0, row));
}

/** Returns the attribute data at a place; null when it is past retention. */
export async function readDetail(
  db: Kysely<ChangeTables>,
  key: RowsKey,
  place: FoundRow,
): Promise<WireDetail | null> {
  const detail = await detailAt(db, key, place);
  // Withheld when it was written, but perhaps by an earlier version that withheld less.
  return detail === null ? null : (withhold(JSON.parse(detail) as Detail) as WireDetail); // a change type that is unknown to us leaves as it came
}

function toWireRow(category: Category, ordinal: number, row: FullRow): WireRow {
  const { name, resource_address, detail_bytes } = row;
  const common = {
    category,
    ordinal,
    name,
    resource_address,
    detail_bytes,
    drift: category === "drift_changes",
  };
  // Only a ChangeType is ever stored there.
  const change =
    row.change === null ? {} : { change: row.change as ChangeType, change_count: row.change_count };
  if (category === "outputs")
    return {
      ...common,
      ...change,
      sensitive: row.sensitive ?? false,
      // Written as JSON text by `pageElement`.
      ...(row.value === null ? {} : { value: JSON.parse(row.value) as unknown }),
    };
  const { provider, type, module } = row;
  return {
    ...common,
    ...change,
    provider,
    type,
    module,
    ...(row.mode === null ? {} : { mode: row.mode }),
    ...(row.previous_address === null ? {} : { previous_address: row.previous_address }),
    ...(row.resource_id === null ? {} : { resource_id: row.resource_id }),
  };
}
