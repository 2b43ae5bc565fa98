import { type Decimal, sumKnown } from "../../kernel/money.ts";
import type { Workspace } from "../../policy/model/context.ts";
import type { DividedAmount } from "../../report/model/report.ts";
import { addDivided } from "../../report/tags.ts";
import { findRow, has, insertNew, upsert } from "../database/statements.ts";
import { transact } from "../database/transaction.ts";
import type { Db, Trx } from "../tables/tables.ts";
import { bumpBudgets, lockBudgets, parseDivided, writeDivided } from "./budget-use.ts";

/** The monthly cost of a workspace before the changes of a plan. */
export interface PlanBaseline extends Workspace {
  readonly currency: string;
  readonly before: Decimal;
  /** Null or absent: unknown. */
  readonly divided?: DividedAmount | null;
  /** When the plan was made, ms since 1970. */
  readonly plannedMs: number;
}

/** The monthly cost that a merged pull request stated for one workspace; null: unknown. */
export interface MergedStage extends Workspace {
  /** The name that the policy gave to the stage. */
  readonly stage: string;
  readonly currency: string | null;
  readonly before: Decimal | null;
  readonly after: Decimal | null;
  readonly change: Decimal | null;
  /** The change, and the cost afterwards; null or absent: unknown. */
  readonly divided?: { readonly change: DividedAmount | null; readonly after: DividedAmount | null };
  readonly plannedMs: number;
}

/**
 * Saves the workspace costs that plans started from. A plan older than the stored cost is ignored. So is a plan that still starts from
 * the cost before a merge: the merged change is not applied yet and still counts. True: the amounts that count towards budgets changed.
 */
export function recordPlans(db: Db, repositoryId: number, plans: readonly PlanBaseline[]): Promise<boolean> {
  if (plans.length === 0) return Promise.resolve(false);
  return transact(db, async (trx) => {
    await lockBudgets(trx, repositoryId);
    const news: boolean[] = [];
    for (const plan of plans) news.push(await recordPlan(trx, repositoryId, plan));
    if (!news.includes(true)) return false;
    await bumpBudgets(trx, repositoryId);
    return true;
  });
}

async function recordPlan(
  trx: Trx,
  repositoryId: number,
  { plannedMs, before, currency, divided: parts, ...workspace }: PlanBaseline,
): Promise<boolean> {
  const known = await selectCost(trx, repositoryId, workspace);
  if (known !== undefined && known.known_at.getTime() >= plannedMs) return false;
  const isUnapplied = known?.merged_from === before && known.currency === currency;
  if (isUnapplied) return false;
  const divided = writeDivided(parts ?? null);
  await upsert(trx, "workspace_costs", {
    repository_id: repositoryId,
    ...workspace,
    currency,
    amount: before,
    divided,
    known_at: new Date(plannedMs),
    merged_from: null,
  });
  return known?.amount !== before || known.currency !== currency || known.divided !== divided;
}

/**
 * Saves the costs that a pull request stated when it was merged. The new cost of each workspace includes what was merged since the plan.
 */
export async function recordMergedStages(
  trx: Trx,
  { repositoryId, number, mergedAt }: { repositoryId: number; number: number; mergedAt: Date },
  stages: readonly MergedStage[],
): Promise<void> {
  for (const stage of stages) {
    const { plannedMs: _, stage: __, divided: parts, ...columns } = stage;
    const { org, project, workspace, currency, before, after, change } = columns;
    const missed = await selectMergesSince(trx, repositoryId, stage);
    const isSame = missed.every((other) => other.currency === currency);
    const amount = isSame
      ? sumKnown([after, ...missed.map((other) => other.change as Decimal | null)])
      : null;
    const divided = addDivided([parts?.after ?? null, ...missed.map((other) => parseDivided(other.divided))]);
    const rest = {
      currency,
      amount,
      divided: isSame ? writeDivided(divided) : null,
      known_at: mergedAt,
      merged_from: change === "0" ? null : before,
    };
    const place = { repository_id: repositoryId, org, project, workspace };
    await upsert(trx, "workspace_costs", { ...place, ...rest });
    await insertNew(trx, "merged_stages", {
      repository_id: repositoryId,
      number,
      ...columns,
      divided: writeDivided(parts?.change ?? null),
      merged_at: mergedAt,
    });
  }
}

const selectMergesSince = (
  trx: Trx,
  repositoryId: number,
  { org, project, workspace, plannedMs }: MergedStage,
) =>
  trx
    .selectFrom("merged_stages")
    .select(["currency", "change", "divided"])
    .where(has({ repository_id: repositoryId, org, project, workspace }))
    .where("merged_at", ">", new Date(plannedMs))
    .execute();

const selectCost = (trx: Trx, repositoryId: number, { org, project, workspace }: Workspace) =>
  findRow(trx, "workspace_costs", { repository_id: repositoryId, org, project, workspace });
