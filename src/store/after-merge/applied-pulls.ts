import { sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { has, isFound, isOf, isSamePull } from "../database/statements.ts";
import type { Db } from "../tables/tables.ts";

/** The pull request of a commit that is to be applied. */
export interface AppliedPull {
  readonly number: number;
  readonly headSha: string;
  readonly baseRef: string;
  /** In ms since 1970; null: it is open. */
  readonly mergedMs: number | null;
}

/** Returns the pull request that a commit merged into its base branch, else the only open one with this head; null: there is none. */
export async function findAppliedPull(
  db: Db,
  repositoryId: number,
  sha: string,
): Promise<AppliedPull | null> {
  const rows = await db
    .selectFrom("pulls")
    .leftJoin("merged_pulls", (join) => join.on(isSamePull("merged_pulls", "pulls")))
    .where("pulls.repository_id", "=", repositoryId)
    .where(({ or, and, eb }) =>
      or([
        eb("merged_pulls.merge_sha", "=", sha),
        and([eb("pulls.head_sha", "=", sha), eb("pulls.state", "=", "open")]),
      ]),
    )
    .select(["pulls.number", "pulls.head_sha as headSha", "pulls.base_ref as baseRef"])
    .select("merged_pulls.merged_at as mergedAt")
    .orderBy("merged_pulls.merged_at", "desc")
    .orderBy("pulls.number", "desc")
    .execute();
  const found = rows.map(({ mergedAt, ...pull }) => ({ ...pull, mergedMs: mergedAt?.getTime() ?? null }));
  const open = found.length === 1 ? found[0] : undefined;
  return found.find(({ mergedMs }) => mergedMs !== null) ?? open ?? null;
}

/** Whether the chain of decisions says that the pull request was merged although its check did not pass. */
export const isMergedOverCheck = (db: Db, pull: PullKey): Promise<boolean> =>
  isFound(db.selectFrom("decisions").select("seq").where(isOf(pull)).where("kind", "=", "merge"));

/** The base branch and workspace that are applied; `workspace`: a name by `isStageNamed`. */
export interface ApplyTarget {
  readonly repositoryId: number;
  readonly baseRef: string;
  readonly workspace: string;
}

/** The condition of `isStageNamed` on a stage's key. */
const isNamed = (stage: string, workspace: string) => {
  const key = sql.raw(stage);
  return sql<boolean>`${workspace} in (${key}, regexp_replace(${key}, '^[^/]*/', ''), regexp_replace(${key}, '^[^/]*/[^/]*/', ''))`;
};

/** Most commits with accepted applies, and most merged pull requests, that one apply looks back at. */
const MAX_LOOKED_AT = 50;

/**
 * The commits of a workspace whose apply was accepted: those that were merged last, and the heads of open pull requests that were applied
 * last. `stage`: null: any of this name. Applies of other workspaces and of open pull requests cannot hide that of a later merge.
 */
export async function listAcceptedApplies(
  db: Db,
  { repositoryId, baseRef, workspace, stage }: ApplyTarget & { readonly stage: string | null },
) {
  const accepted = db
    .selectFrom("applies")
    .where(has({ repository_id: repositoryId, base_ref: baseRef, result: "within" as const }))
    .where((eb) => (stage === null ? isNamed("stage", workspace) : eb("stage", "=", stage)))
    .select(["sha", "merged_at"])
    .groupBy(["sha", "merged_at"])
    .limit(MAX_LOOKED_AT);
  const merged = accepted.where("merged_at", "is not", null).orderBy("merged_at", "desc");
  const open = accepted.where("merged_at", "is", null).orderBy(({ fn }) => fn.max("at"), "desc");
  const rows = [...(await merged.execute()), ...(await open.execute())];
  return rows.map(({ sha, merged_at }) => ({ sha, mergedMs: merged_at?.getTime() ?? null }));
}

/** Pull requests with an evaluated plan of a workspace that were merged until a moment, in ms since 1970, the newest first. */
export async function listMergedPulls(
  db: Db,
  { repositoryId, baseRef, workspace }: ApplyTarget,
  untilMs: number,
): Promise<readonly (AppliedPull & { readonly mergedMs: number; readonly mergeSha: string | null })[]> {
  const rows = await db
    .selectFrom("merged_pulls")
    .innerJoin("pulls", (join) => join.on(isSamePull("pulls", "merged_pulls")))
    .innerJoin("evaluations", (join) => join.on(isSamePull("evaluations", "merged_pulls")))
    .where("merged_pulls.repository_id", "=", repositoryId)
    .where("pulls.base_ref", "=", baseRef)
    .where("merged_pulls.merged_at", "<=", new Date(untilMs))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("evaluation_stages as stage")
          .whereRef("stage.evaluation_id", "=", "evaluations.evaluation_id")
          .where(isNamed("org || '/' || project || '/' || workspace", workspace))
          .select("workspace"),
      ),
    )
    .select(["pulls.number", "pulls.head_sha as headSha", "pulls.base_ref as baseRef"])
    .select(["merged_pulls.merged_at as mergedAt", "merged_pulls.merge_sha as mergeSha"])
    .orderBy("merged_pulls.merged_at", "desc")
    .limit(MAX_LOOKED_AT)
    .execute();
  return rows.map(({ mergedAt, ...pull }) => ({ ...pull, mergedMs: mergedAt.getTime() }));
}
