import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Tables } from "../tables/tables.ts";

/**
 * Ends the rules that block a pull request when it is closed. `merged`: it was merged although they blocked, so they were
 * overridden. A repetition changes nothing.
 */
export async function closeRuleOutcomes(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
  { as, at }: { readonly as: "merged" | "closed"; readonly at: Date },
): Promise<void> {
  await db
    .updateTable("rule_outcomes")
    .set({ resolved_at: at, resolution: as })
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("resolved_at", "is", null)
    .where("effect", "in", ["blocked", "undecided"])
    .execute();
}
