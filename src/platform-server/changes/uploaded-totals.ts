import {
  type Category,
  CHANGE_TYPES,
  type ChangeType,
  type CountsMarker,
} from "../../platform/contract/shapes/change-snapshot.ts";

/** The contents of a snapshot: numbers of rows by category and change type. */
export interface UploadedTotals {
  /** Returns the number of rows of the whole-category pages; `change` undefined: of every change type. */
  rows(category: Category, change?: ChangeType): number;
  /** Returns the number of elements of the pages of one change type; null: there are none. */
  ofChangeType(category: Category, change: ChangeType): number | null;
}

/** The categories that are uploaded a second time by change type (provisioning 4.2, upload rule 2). */
export const UPLOADED_BY_CHANGE_TYPE = ["planned_changes", "drift_changes"] as const;

/**
 * Returns the contradictions as texts with both numbers: totals of a counts marker that differ from the
 * uploaded rows, and rows that are uploaded twice with different numbers. Unchanged resources have a category
 * of their own; the documents do not state whether the planned totals include it, so both are accepted.
 */
export function findContradictions(marker: CountsMarker, totals: UploadedTotals): readonly string[] {
  return [...findMarkerContradictions(marker, totals), ...findRepeatedContradictions(totals)];
}

function findMarkerContradictions(marker: CountsMarker, { rows }: UploadedTotals): readonly string[] {
  const { PlannedTotal, PlannedByChangeType: planned, Drift, Resources, DataSources, Outputs } = marker;
  const unchanged = rows("unchanged");
  const totals: readonly Total[] = [
    { name: "PlannedTotal", stated: PlannedTotal, rows: rows("planned_changes"), optionalRows: unchanged },
    ...(["added", "changed", "deleted"] as const).map((change) => computePlannedTotal(planned, rows, change)),
    { ...computePlannedTotal(planned, rows, "unchanged"), optionalRows: unchanged },
    { name: "Drift", stated: Drift, rows: rows("drift_changes") },
    { name: "Resources", stated: Resources, rows: rows("resources") },
    { name: "DataSources", stated: DataSources, rows: rows("data_sources") },
    { name: "Outputs", stated: Outputs, rows: rows("outputs") },
  ];
  return totals.flatMap(({ name, stated, rows: found, optionalRows: perhaps = 0 }) => {
    if (stated === found || stated === found + perhaps) return [];
    const others = perhaps === 0 ? "" : ` (${found + perhaps} with the category unchanged)`;
    return [`${name} is ${stated}, uploaded are ${found}${others}`];
  });
}

interface Total {
  readonly name: string;
  readonly stated: number;
  readonly rows: number;
  /** Rows that the total may include or not. */
  readonly optionalRows?: number;
}

const computePlannedTotal = (
  planned: CountsMarker["PlannedByChangeType"],
  rows: UploadedTotals["rows"],
  change: keyof typeof planned,
): Total => ({
  name: `PlannedByChangeType.${change}`,
  stated: planned[change],
  rows: rows("planned_changes", change),
});

function findRepeatedContradictions({ rows, ofChangeType }: UploadedTotals): readonly string[] {
  return UPLOADED_BY_CHANGE_TYPE.flatMap((category) =>
    CHANGE_TYPES.flatMap((change) => {
      const repeated = ofChangeType(category, change);
      const whole = rows(category, change);
      return repeated === null || repeated === whole
        ? []
        : [
            `${category} has ${whole} ${change} elements in its own pages and ${repeated} in those of that type`,
          ];
    }),
  );
}
