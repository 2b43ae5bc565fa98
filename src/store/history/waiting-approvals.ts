import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";
import type { ChangeSum } from "./open-changes.ts";
import { isReadable, type RepositoryIds, selectExactSum } from "./readable.ts";

/** Open pull requests that wait for the approval of one team or person. */
export interface WaitingApprovals {
  /** `ada`, or `acme/finops` for a team. */
  readonly approver: string;
  readonly pulls: number;
  /** Since when the one that waits longest has its current result. */
  readonly oldestAt: Date;
  /** The monthly change that waits; pull requests with an unknown or hidden change are not in it. */
  readonly sums: readonly ChangeSum[];
  /** Numbers of those whose change is not fully known, and of those whose figures this reader may not see. */
  readonly unknown: number;
  readonly hidden: number;
}

/** The approvals that open pull requests of these repositories lack, by who can give them; most pull requests first. */
export async function listWaitingApprovals(
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
): Promise<readonly WaitingApprovals[]> {
  const counts = await selectNeeds(db, repositoryIds)
    .select(["need.approver", sql<number>`count(*)`.as("pulls")])
    .select(({ fn }) => fn.min("need.begun_at").as("oldestAt"))
    .select(sql<number>`count(*) filter (where need.figures and need.cost = 'unknown')`.as("unknown"))
    .select(sql<number>`count(*) filter (where need.figures is not true)`.as("hidden"))
    .groupBy("need.approver")
    .orderBy("pulls", "desc")
    .orderBy("need.approver")
    .execute();
  const sums = await selectNeeds(db, repositoryIds)
    .innerJoin("evaluation_totals as total", "total.evaluation_id", "need.evaluation_id")
    .where("need.figures", "=", true)
    .where("total.state", "=", "known")
    .where("total.change", "is not", null)
    .select(["need.approver", "total.currency"])
    .select([selectExactSum("total.change").as("change"), sql<number>`count(*)`.as("pulls")])
    .groupBy(["need.approver", "total.currency"])
    .orderBy("total.currency")
    .execute();
  return counts.map((row) => {
    const own = sums.filter(({ approver }) => approver === row.approver);
    return { ...row, sums: own.map(({ currency, change, pulls }) => ({ currency, change, pulls })) };
  });
}

/** One row for each approver and pull request, however many rules need the approval. */
const selectNeeds = (db: Kysely<Tables>, repositoryIds: RepositoryIds) =>
  db.selectFrom((from) =>
    from
      .selectFrom("pulls")
      .innerJoin("repositories", "repositories.repository_id", "pulls.repository_id")
      .innerJoin("evaluations", (join) =>
        join
          .onRef("evaluations.repository_id", "=", "pulls.repository_id")
          .onRef("evaluations.number", "=", "pulls.number")
          .onRef("evaluations.head_sha", "=", "pulls.head_sha"),
      )
      .innerJoin("evaluation_approvals as need", "need.evaluation_id", "evaluations.evaluation_id")
      .where("pulls.state", "=", "open")
      .where(isReadable("pulls.repository_id", repositoryIds))
      .select([
        "need.approver",
        "need.evaluation_id",
        "evaluations.begun_at",
        "evaluations.cost",
        "repositories.figures",
      ])
      .distinct()
      .as("need"),
  );
