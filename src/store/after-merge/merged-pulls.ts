import { type Insertable, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { startOfWeek } from "../../kernel/instant.ts";
import { absolute, compare, type Decimal, sum, ZERO } from "../../kernel/money.ts";
import { toStorableJson } from "../../kernel/storable.ts";
import type { CostLine, ModuleReport, TagReport } from "../../report/model/report.ts";
import { insertNew, isOf, isSamePull } from "../database/statements.ts";
import { transact } from "../database/transaction.ts";
import { computeDigest } from "../digest.ts";
import type { MergeConsent } from "../tables/after-merge.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db, Tables, Trx } from "../tables/tables.ts";
import { bumpBudgets, lockBudgets } from "./budget-use.ts";
import { type MergedStage, recordMergedStages } from "./workspace-costs.ts";

export interface Merge extends PullKey {
  readonly mergedMs: number;
  /** The commit that brought it to its base branch; null or absent: unknown. */
  readonly mergeSha?: string | null;
  /** When the estimate is to be compared with the applied result, in ms since 1970; null: never. */
  readonly compareMs: number | null;
  readonly outcome: MergeOutcome;
}

/** How a pull request got through, and what of its evaluation is kept for lists. Amounts are kept also where readers may not see them. */
export interface MergeOutcome extends Pick<Insertable<Tables["merged_pulls"]>, "verdict" | "way" | "cost"> {
  readonly author: string | null;
  readonly mergedBy: { readonly id: number | null; readonly login: string } | null;
  readonly consents: readonly MergeConsent[];
  readonly modules: readonly ModuleReport[];
  /** Null: the policy chooses no tag. */
  readonly byTag: { readonly key: string; readonly lines: readonly TagReport[] } | null;
}

/** GitHub states whole seconds, so a plan made in the same second may be older than the merge. In ms since 1970. */
export const toEndOfSecond = (ms: number): number => ms + 999;

/** Saves a merged pull request and its cost per stage at the time of the merge; false: they were saved before. */
export function recordMerge(db: Db, merge: Merge, stages: readonly MergedStage[]): Promise<boolean> {
  const { repositoryId, number, mergedMs, mergeSha = null, compareMs, outcome } = merge;
  const { author, mergedBy, consents, modules: _, byTag: __, ...columns } = outcome;
  const mergedAt = new Date(mergedMs);
  return transact(db, async (trx) => {
    await lockBudgets(trx, repositoryId);
    const inserted = await insertNew(trx, "merged_pulls", {
      ...toPullColumns(merge),
      merge_sha: mergeSha,
      merged_at: mergedAt,
      compare_at: compareMs === null ? null : new Date(compareMs),
      author_login: author,
      merged_by_id: mergedBy?.id ?? null,
      merged_by_login: mergedBy?.login ?? null,
      ...columns,
      consents: toStorableJson(consents),
    });
    if (inserted === 0) return false;
    await insertParts(trx, merge, stages);
    await recordMergedStages(trx, { repositoryId, number, mergedAt }, stages);
    await bumpBudgets(trx, repositoryId);
    return true;
  });
}

/** Inserts what it is made of in one statement. */
async function insertParts(
  trx: Trx,
  { repositoryId, number, mergedMs, outcome }: Merge,
  stages: readonly MergedStage[],
): Promise<void> {
  const merged_at = new Date(mergedMs).toISOString();
  const week = new Date(startOfWeek(mergedMs)).toISOString();
  const rows = listParts(outcome, stages, week).map(({ change, ...named }, position) => {
    const item = { repository_id: repositoryId, kind: null, detail: null, week: null, ...named };
    return { ...item, item_id: computeDigest(item), number, position, merged_at, change };
  });
  const read = (table: string) =>
    sql`${sql.table(table)} select distinct * from jsonb_populate_recordset(null::${sql.table(table)}, ${toStorableJson(rows)}::jsonb)`;
  await sql`with items as (insert into ${read("merged_items")} on conflict do nothing) insert into ${read("merged_parts")}`.execute(
    trx,
  );
}

function listParts(
  { author, way, modules, byTag }: MergeOutcome,
  stages: readonly MergedStage[],
  week: string,
) {
  const known = stages.filter(({ currency, change }) => currency !== null && change !== null);
  const totals = [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, own]) => {
    const change = sum(own.map((one) => one.change ?? ZERO));
    return { part: "total" as const, name: author, kind: way, currency, change };
  });
  return [
    ...totals.sort((a, b) => compare(absolute(b.change), absolute(a.change))),
    ...listChanged(modules).map(({ unattributed, module, currency, change }) => {
      return { part: "module" as const, name: unattributed ? null : module, currency, change };
    }),
    ...listChanged(byTag?.lines ?? []).map(({ kind, value, currency, change }) => {
      return { part: "tag" as const, name: value, kind, detail: byTag?.key ?? null, currency, change };
    }),
    ...stages.map(({ stage: name, workspace: detail, currency, change }) => {
      return { part: "stage" as const, name, detail, week, currency, change };
    }),
  ];
}

/** The lines with a change, which is unknown where the line is not fully known. */
const listChanged = <Line extends CostLine>(lines: readonly Line[]) =>
  lines.flatMap(({ currency, state, change, ...line }) =>
    currency === null || change === ZERO
      ? []
      : [{ ...line, currency, change: state === "known" ? change : null }],
  );

/** Returns when a merged pull request is to be compared with its estimate; null: never, or the comparison is done. */
export async function findPendingComparison(db: Db, pull: PullKey) {
  const row = await db
    .selectFrom("merged_pulls")
    .select(["merged_at", "compare_at"])
    .where(isOf(pull))
    .where("compared_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || row.compare_at === null) return null;
  return { mergedMs: row.merged_at.getTime(), compareMs: row.compare_at.getTime() };
}

export async function markCompared(db: Db, pull: PullKey, now: Date): Promise<void> {
  await db.updateTable("merged_pulls").set({ compared_at: now }).where(isOf(pull)).execute();
}

/** Returns the comparisons that are overdue: their alarm was lost, or every attempt failed. */
export const listOverdueComparisons = (
  db: Db,
  between: { readonly after: Date; readonly before: Date },
  limit: number,
): Promise<readonly PullKey[]> =>
  db
    .selectFrom("merged_pulls")
    .select(["repository_id as repositoryId", "number"])
    .where("compared_at", "is", null)
    .where("compare_at", ">", between.after)
    .where("compare_at", "<", between.before)
    .orderBy("compare_at")
    .limit(limit)
    .execute();

/** The cost that a merged pull request stated for one workspace, and when the next pull request that changes the workspace was merged. */
export interface MergedStageRow extends Omit<MergedStage, "plannedMs" | "stage" | "divided"> {
  readonly mergedMs: number;
  /** In ms since 1970; null: no later one was merged. */
  readonly nextMs: number | null;
}

export async function listMergedStages(db: Db, pull: PullKey): Promise<readonly MergedStageRow[]> {
  const rows = await db
    .selectFrom("merged_stages as own")
    .select(["own.org", "own.project", "own.workspace", "own.currency"])
    .select(["own.before", "own.after", "own.change", "own.merged_at"])
    .select((of) =>
      of
        .selectFrom("merged_stages as later")
        .whereRef("later.repository_id", "=", "own.repository_id")
        .whereRef("later.org", "=", "own.org")
        .whereRef("later.project", "=", "own.project")
        .whereRef("later.workspace", "=", "own.workspace")
        .whereRef("later.merged_at", ">", "own.merged_at")
        .select(({ fn }) => fn.min("later.merged_at").as("at"))
        .as("next_at"),
    )
    .where("own.repository_id", "=", pull.repositoryId)
    .where("own.number", "=", pull.number)
    .execute();
  return rows.map(({ merged_at, next_at, before, after, change, ...place }) => ({
    ...place,
    before: before as Decimal | null, // all three were written from a Decimal
    after: after as Decimal | null,
    change: change as Decimal | null,
    mergedMs: merged_at.getTime(),
    nextMs: next_at?.getTime() ?? null,
  }));
}

/** The stages of the pull requests that were merged into a base branch after a moment, in ms since 1970. */
export async function listStagesMergedAfter(
  db: Db,
  { repositoryId, baseRef }: { readonly repositoryId: number; readonly baseRef: string },
  afterMs: number,
) {
  const rows = await db
    .selectFrom("merged_stages as own")
    .innerJoin("pulls", (join) => join.on(isSamePull("pulls", "own")))
    .where("own.repository_id", "=", repositoryId)
    .where("own.merged_at", ">", new Date(afterMs))
    .where("pulls.base_ref", "=", baseRef)
    .select(["own.number", "own.org", "own.project", "own.workspace", "own.merged_at"])
    .select("pulls.head_sha as headSha")
    .execute();
  return rows.map(({ merged_at, ...stage }) => ({ ...stage, mergedMs: merged_at.getTime() }));
}
