import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";
import { selectOpenPulls } from "./open-pulls.ts";
import { type PullOutcome, selectOutcome } from "./pull-outcome.ts";
import type { RepositoryIds } from "./readable.ts";

/** Number of open pull requests of a repository with the same outcome. */
export interface RepositoryOutcome {
  readonly repositoryId: number;
  readonly outcome: PullOutcome;
  readonly pulls: number;
}

/** Counts the open pull requests of these repositories by repository and outcome. */
export const countOpenPulls = (
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
): Promise<readonly RepositoryOutcome[]> =>
  selectOpenPulls(db, { repositoryIds })
    .select(["pulls.repository_id as repositoryId", selectOutcome.as("outcome")])
    .select(sql<number>`count(*)`.as("pulls"))
    .groupBy(["pulls.repository_id", selectOutcome])
    .execute();
