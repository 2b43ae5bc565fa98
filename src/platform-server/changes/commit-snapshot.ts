import type { Kysely } from "kysely";
import { CountsMarker } from "../../platform/contract/shapes/change-snapshot.ts";
import { transact } from "../../store/one-connection.ts";
import type { SnapshotKey, StageKey } from "../../store/platform/keys.ts";
import { wholePages } from "../../store/platform/pages.ts";
import { numberRuns } from "../../store/platform/runs.ts";
import { commitSnapshot, lockSnapshot } from "../../store/platform/snapshots.ts";
import type { Tables } from "../../store/tables.ts";
import { type Problem, problem } from "../http/problem.ts";
import { sortRuns } from "./sort-runs.ts";

/**
 * Takes the counts marker: from now on the snapshot is visible and final. The same marker again changes nothing. The counts are
 * kept as they are said to be: which rows an uploader counts as planned is its own affair.
 */
export async function commitChanges(
  db: Kysely<Tables>,
  stage: StageKey,
  marker: { readonly body: Uint8Array; readonly nowMs: number; readonly retentionMs: number },
): Promise<SnapshotKey | Problem<"bad_request" | "conflict">> {
  const counts = readCounts(marker.body);
  if (counts === null)
    return problem("bad_request", "the body is not the JSON object of counts that commits resource changes");
  return transact(db, async (trx) => {
    const snapshot = await lockSnapshot(trx, stage);
    const { account, snapshot_id } = snapshot;
    if (snapshot.state === "committed")
      return snapshot.counts === counts
        ? { account, snapshot_id }
        : problem("conflict", "the resource changes of this stage are committed with other counts");
    const gap = firstGap(await wholePages(trx, snapshot));
    if (gap !== null) return problem("conflict", `page ${gap.page} of ${gap.category} has not been uploaded`);
    await sortRuns(trx, snapshot);
    await numberRuns(trx, snapshot);
    await commitSnapshot(trx, snapshot, {
      counts,
      committed_ms: marker.nowMs,
      details_until_ms: marker.nowMs + marker.retentionMs,
    });
    return { account, snapshot_id };
  });
}

function readCounts(body: Uint8Array): string | null {
  try {
    const parsed = CountsMarker.safeParse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
    return parsed.success ? JSON.stringify(parsed.data) : null;
  } catch {
    return null;
  }
}

/** The first page that is missing between page 1 and a category's last one. */
function firstGap(
  pages: readonly { readonly category: string; readonly page: number }[],
): { category: string; page: number } | null {
  let expected = { category: "", page: 1 };
  for (const { category, page } of pages) {
    if (category !== expected.category) expected = { category, page: 1 };
    if (page !== expected.page) return expected;
    expected = { category, page: page + 1 };
  }
  return null;
}
