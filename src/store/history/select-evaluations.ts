import { type Kysely, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Tables } from "../tables/tables.ts";

const COLUMNS = [
  "repository_id",
  "evaluation_id",
  "head_sha",
  "base_ref",
  "digest",
  "decision",
  "policy_blobs",
  "situation",
  "verdict",
  "cost",
  "evaluation",
  "begun_at",
  "created_at",
] as const;

/** Changes with every update of the row: the transaction that wrote it. */
const VERSION = sql<string>`xmin::text`.as("row_version");

/**
 * All evaluations of a pull request as the table `found`, with the table `repositories`, which says whether readers may see
 * figures. The newest one has no `ended_at`.
 */
export const selectPullEvaluations = (db: Kysely<Tables>, { repositoryId, number }: PullKey) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("past_evaluations")
        .select([...COLUMNS, sql<Date | null>`ended_at`.as("ended_at"), VERSION])
        .where("repository_id", "=", repositoryId)
        .where("number", "=", number)
        .unionAll(
          from
            .selectFrom("evaluations")
            .select([...COLUMNS, sql<Date | null>`null::timestamptz`.as("ended_at"), VERSION])
            .where("repository_id", "=", repositoryId)
            .where("number", "=", number),
        )
        .as("found"),
    )
    .innerJoin("repositories", "repositories.repository_id", "found.repository_id");
