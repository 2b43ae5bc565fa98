import type { Kysely } from "kysely";
import { CHANGE_TYPES, CountsMarker } from "../../platform/contract/shapes/change-snapshot.ts";
import { transact } from "../../store/database/one-connection.ts";
import type { SnapshotKey, StageKey } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { sortRuns } from "./sort-runs.ts";
import { listUploadedPages, type UploadedPage } from "./store/pages.ts";
import { numberRuns, type RowTotal, readRowTotals } from "./store/runs.ts";
import { commitSnapshot, lockSnapshot } from "./store/snapshots.ts";
import type { ChangeTables } from "./store/tables.ts";
import { findContradictions, type UploadedTotals } from "./uploaded-totals.ts";

/**
 * Accepts the counts marker, which makes the snapshot visible and final. The same marker again has no effect.
 * A marker that contradicts the uploaded pages is refused, because a page was probably lost.
 */
export async function commitChanges(
  db: Kysely<ChangeTables>,
  stage: StageKey,
  marker: { readonly body: Uint8Array; readonly nowMs: number; readonly retentionMs: number },
): Promise<SnapshotKey | Problem<"bad_request" | "conflict">> {
  const counts = readCounts(marker.body);
  if (counts === null)
    return createProblem(
      "bad_request",
      "the body is not the JSON object of counts that commits resource changes",
    );
  return transact(db, async (trx) => {
    const snapshot = await lockSnapshot(trx, stage);
    const { account, snapshot_id } = snapshot;
    if (snapshot.state !== "uploading")
      return snapshot.counts === JSON.stringify(counts)
        ? { account, snapshot_id }
        : createProblem("conflict", "the resource changes of this stage are committed with other counts");
    const incomplete = describeMissingParts(
      counts,
      await listUploadedPages(trx, snapshot),
      await readRowTotals(trx, snapshot),
    );
    if (incomplete !== null) return createProblem("conflict", incomplete);
    await sortRuns(trx, snapshot);
    await numberRuns(trx, snapshot);
    await commitSnapshot(trx, snapshot, {
      counts: JSON.stringify(counts),
      committed_ms: marker.nowMs,
      details_until_ms: marker.nowMs + marker.retentionMs,
    });
    return { account, snapshot_id };
  });
}

function readCounts(body: Uint8Array): CountsMarker | null {
  try {
    const parsed = CountsMarker.safeParse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Why the uploaded pages are not all that the marker commits; null: they are. */
function describeMissingParts(
  marker: CountsMarker,
  pages: readonly UploadedPage[],
  rows: readonly RowTotal[],
): string | null {
  const gap = findFirstGap(pages);
  if (gap !== null) {
    const of = gap.change === "" ? gap.category : `the ${gap.change} elements of ${gap.category}`;
    return `page ${gap.page} of ${of} has not been uploaded`;
  }
  const found = findContradictions(marker, sumUploads(pages, rows));
  if (found.length === 0) return null;
  return `the counts contradict the uploaded pages: ${found.join("; ")}. Upload the pages that are missing, or the counts of those that came`;
}

/** The first page that is missing between page 1 and the last one of a category, or of a change type of it. */
function findFirstGap(pages: readonly UploadedPage[]): Omit<UploadedPage, "elements"> | null {
  let expected = { category: "", change: "", page: 1 };
  for (const { category, change, page } of pages) {
    if (category !== expected.category || change !== expected.change)
      expected = { category, change, page: 1 };
    if (page !== expected.page) return expected;
    expected = { category, change, page: page + 1 };
  }
  return null;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function sumUploads(pages: readonly UploadedPage[], rows: readonly RowTotal[]): UploadedTotals {
  return {
    rows: (category, change) => {
      const priority = change === undefined ? null : CHANGE_TYPES.indexOf(change);
      const those = rows.filter(
        (own) => own.category === category && (priority ?? own.priority) === own.priority,
      );
      return sum(those.map((own) => own.rows));
    },
    ofChangeType: (category, change) => {
      const those = pages.filter((page) => page.category === category && page.change === change);
      return those.length === 0 ? null : sum(those.map(({ elements }) => elements));
    },
  };
}
