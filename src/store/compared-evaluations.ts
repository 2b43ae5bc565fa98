import { type Kysely, sql } from "kysely";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { findEvaluation, MAX_LISTED_BYTES } from "./evaluations.ts";
import type { Tables } from "./tables/tables.ts";

/**
 * Reads the newest evaluation of each of a repository's pull requests, the newest first, one at a time: all of them together may
 * need much memory. Very large and unreadable ones are left out.
 */
export async function* readNewestEvaluations(
  db: Kysely<Tables>,
  repositoryId: number,
  limit: number,
): AsyncGenerator<Evaluation> {
  const rows = await db
    .selectFrom("evaluations")
    .select("number")
    .where("repository_id", "=", repositoryId)
    .where(sql<number>`pg_column_size(evaluation)`, "<=", MAX_LISTED_BYTES)
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  for (const { number } of rows) {
    const stored = await findEvaluation(db, { repositoryId, number });
    if (stored !== null) yield stored.evaluation;
  }
}
