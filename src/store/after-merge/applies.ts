import type { PullKey } from "../../kernel/ids.ts";
import { selectDifferences } from "../../policy/model/apply.ts";
import type { ApplyRecord } from "../audit/decision-record.ts";
import { appendRecord } from "../audit/decisions.ts";
import { transact } from "../database/transaction.ts";
import type { ApplyDetails } from "../json/stored-values.ts";
import { storedApply } from "../json/stored-values.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db } from "../tables/tables.ts";

/** Records what the apply gate answered, and appends it to the chain of decisions. */
export function recordApply(
  db: Db,
  apply: Omit<ApplyRecord, "kind" | "result" | "because" | "differences"> &
    ApplyDetails & { readonly stage: string; readonly mergedMs: number | null },
  now: Date,
): Promise<void> {
  const { stage, mergedMs, result, tolerance, ...record } = apply;
  const { baseRef: base_ref, sha, workspace, actor, pulls } = record;
  return transact(db, async (trx) => {
    await trx
      .insertInto("applies")
      .values({
        ...{ ...toPullColumns(record), base_ref, sha, stage, workspace, actor },
        merged_at: mergedMs === null ? null : new Date(mergedMs),
        result: result.kind,
        details: storedApply.write({ result, tolerance, pulls }),
        at: now,
      })
      .execute();
    const differences = result.kind === "exceeds" ? result.differences.length + result.more : 0;
    const because = result.kind === "undecided" ? result.because : [];
    await appendRecord(trx, { kind: "apply", ...record, result: result.kind, because, differences }, now);
  });
}

/** Most applies of a pull request that are listed. */
const MAX_LISTED = 100;

/** What the apply gate answered about a pull request, the newest first. Without amounts where readers may not see them. */
export async function listApplies(db: Db, pull: PullKey) {
  const rows = await db
    .selectFrom("applies")
    .innerJoin("repositories", "repositories.repository_id", "applies.repository_id")
    .where("applies.repository_id", "=", pull.repositoryId)
    .where("applies.number", "=", pull.number)
    .select(["applies.sha", "applies.stage", "applies.workspace", "applies.details", "applies.actor"])
    .select(["applies.at", "repositories.figures"])
    .orderBy("applies.apply_id", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.flatMap(({ details, figures, at, ...row }) => {
    const read = storedApply.read(details);
    if (read.state !== "read") return [];
    const shown = { ...row, atMs: at.getTime(), ...read.value };
    if (figures === true) return [shown];
    const result = selectDifferences(shown.result, (all) => all.filter(({ kind }) => kind !== "cost"));
    return [{ ...shown, tolerance: null, result }];
  });
}
export type ListedApply = Awaited<ReturnType<typeof listApplies>>[number];
