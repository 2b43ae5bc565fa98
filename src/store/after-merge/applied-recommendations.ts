import type { Selectable } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { insertNew, isOf, updateRows } from "../database/statements.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db, Tables } from "../tables/tables.ts";

export type AppliedRecommendation = Selectable<Tables["applied_recommendations"]>;
type NewAppliedRecommendation = Omit<
  AppliedRecommendation,
  "repository_id" | "number" | "state" | "updated_at"
>;

/**
 * Saves the recommendations that a merged pull request carried out, before any report of them.
 * Recommendations that are stored already stay unchanged.
 */
export async function saveAppliedRecommendations(
  db: Db,
  pull: PullKey,
  { found, now }: { readonly found: readonly NewAppliedRecommendation[]; readonly now: Date },
): Promise<void> {
  const rest = { ...toPullColumns(pull), state: "found" as const, updated_at: now };
  await insertNew(
    db,
    "applied_recommendations",
    found.map((one) => ({ ...one, ...rest })),
  );
}

export function listAppliedRecommendations(db: Db, pull: PullKey): Promise<readonly AppliedRecommendation[]> {
  return db
    .selectFrom("applied_recommendations")
    .selectAll()
    .where(isOf(pull))
    .orderBy("recommendation_id")
    .execute();
}

export async function setAppliedState(
  db: Db,
  { repository_id, number, recommendation_id }: AppliedRecommendation,
  { state, now }: { readonly state: AppliedRecommendation["state"]; readonly now: Date },
): Promise<void> {
  await updateRows(
    db,
    "applied_recommendations",
    { repository_id, number, recommendation_id },
    { state, updated_at: now },
  );
}
