import { type Kysely, sql } from "kysely";
import type { RecommendationTables } from "./tables.ts";

interface One {
  readonly account: string;
  readonly id: string;
}

const findRecommendation = (db: Kysely<RecommendationTables>, { account, id }: One) =>
  db.updateTable("platform_recommendations").where("account", "=", account).where("id", "=", id);

/**
 * Returns the state of a recommendation that decides about possible calls, and locks it until the transaction
 * ends; null: there is no such recommendation.
 */
export async function lockRecommendation(
  trx: Kysely<RecommendationTables>,
  { account, id }: One,
): Promise<{ state: string; verification_status: string | null } | null> {
  const row = await trx
    .selectFrom("platform_recommendations")
    .select(["state", "verification_status"])
    .where("account", "=", account)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Marks a recommendation as applied now. `savings` per month; null: its current saving. */
export async function setApplied(
  trx: Kysely<RecommendationTables>,
  one: One,
  applied: { readonly savings: number | null; readonly userId: string; readonly ms: number },
): Promise<void> {
  const { savings, userId, ms } = applied;
  await findRecommendation(trx, one)
    .set({
      state: "APPLIED",
      state_set: true,
      applied_ms: ms,
      applied_savings: sql<string | null>`coalesce(${toAmountText(savings)}::numeric, saving)`,
      applied_by_user_id: userId,
      applied_by_user_name: null,
      updated_ms: ms,
    })
    .execute();
}

/** Sets the savings per month of an applied recommendation. */
export async function setAppliedSavings(
  trx: Kysely<RecommendationTables>,
  one: One,
  applied: { readonly savings: number; readonly ms: number },
): Promise<void> {
  await findRecommendation(trx, one)
    .set({ applied_savings: toAmountText(applied.savings), state_set: true, updated_ms: applied.ms })
    .execute();
}

/** Reopens a recommendation; deletes when and by whom it was applied, and its savings. */
export async function setOpen(trx: Kysely<RecommendationTables>, one: One, ms: number): Promise<void> {
  await findRecommendation(trx, one)
    .set({
      state: "OPEN",
      state_set: true,
      applied_ms: null,
      applied_savings: null,
      applied_by_user_id: null,
      applied_by_user_name: null,
      updated_ms: ms,
    })
    .execute();
}

/** Sets the verification. A null comment leaves the existing comment unchanged. */
export async function setVerification(
  trx: Kysely<RecommendationTables>,
  one: One,
  verification: { readonly status: string; readonly comment: string | null; readonly ms: number },
): Promise<void> {
  const { status, comment, ms } = verification;
  await findRecommendation(trx, one)
    .set({
      verification_status: status,
      verification_set: true,
      updated_ms: ms,
      ...(comment === null ? {} : { variance_notes: comment }),
    })
    .execute();
}

/** Sets the overridden savings. False: there is no such recommendation. */
export async function setOverriddenSavings(
  db: Kysely<RecommendationTables>,
  one: One,
  override: { readonly savings: number; readonly ms: number },
): Promise<boolean> {
  const { numUpdatedRows } = await findRecommendation(db, one)
    .set({ overridden_savings: toAmountText(override.savings), savings_set: true, updated_ms: override.ms })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const toAmountText = (value: number | null): string | null => (value === null ? null : String(value));
