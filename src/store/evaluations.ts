import { sql } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import { type Evaluation, redactFigures } from "../policy/model/evaluation.ts";
import type { CheckDecision } from "../policy/model/situation.ts";
import { lockBudgets, replaceClaims } from "./after-merge/budget-use.ts";
import type { CheckSlot } from "./check-runs.ts";
import { type Fence, lockFence } from "./database/lanes.ts";
import { has, isFound, isOf, isSamePull, updateRows } from "./database/statements.ts";
import { transact } from "./database/transaction.ts";
import { type MergeComparison, saveComparison } from "./history/accuracy.ts";
import { writeNewestEvaluation } from "./history/write-evaluation.ts";
import { storedEvaluation } from "./json/stored-values.ts";
import { toPullColumns } from "./tables/pull-key.ts";
import type { Db } from "./tables/tables.ts";

export interface StoredEvaluation {
  readonly evaluation: Evaluation;
  /** Digest of head, base branch, policy blobs and facts. */
  readonly digest: string;
  /** Blob ids of the policy files in force, joined; equal texts mean equal policies. */
  readonly policyBlobs: string;
}

/** An evaluation that was read; `isPublished`: GitHub is known to show it. */
export interface SavedEvaluation extends StoredEvaluation {
  readonly isPublished: boolean;
}

/** Returns `in_progress`, `none` or the conclusion of a check decision. */
export const formatDecision = (check: CheckDecision): string =>
  check.status === "completed" ? check.conclusion : check.status;

/**
 * Saves an evaluation as the newest of its pull request. False: a later run of the lane has begun, and
 * nothing was saved. The evaluation counts as settled once GitHub is known to show it.
 */
export async function saveEvaluation(
  db: Db,
  stored: StoredEvaluation,
  { fence, now }: { readonly fence: Fence; readonly now: Date },
): Promise<boolean> {
  return (await saveDecision(db, stored, { fence, now, budgetVersion: null })).state === "saved";
}

/**
 * The result of saving a decision. `overtaken`: the amounts that count towards budgets changed after the
 * decision, so that it must be made again.
 */
export type SavedDecision =
  | {
      readonly state: "saved";
      readonly budgetsChanged: boolean;
      /** Whether the policy of these blobs is stored, see `savePolicy`. */
      readonly isPolicyStored: boolean;
    }
  | { readonly state: "superseded" }
  | { readonly state: "overtaken" };

/**
 * Saves an evaluation whose verdict may depend on the budgets as of `budgetVersion` (null: it does not). The claims count towards the
 * budgets in the same transaction: when two pull requests fit only one at a time, the second one sees the claims of the first.
 */
export function saveDecision(
  db: Db,
  stored: StoredEvaluation,
  saving: { readonly fence: Fence; readonly now: Date; readonly budgetVersion: number | null },
): Promise<SavedDecision> {
  const { fence, now, budgetVersion } = saving;
  return transact(db, async (trx): Promise<SavedDecision> => {
    if (!(await lockFence(trx, fence))) return { state: "superseded" };
    const version = await lockBudgets(trx, stored.evaluation.pull.repositoryId);
    if (budgetVersion !== null && version !== budgetVersion) return { state: "overtaken" };
    const decided = { ...stored, decision: formatDecision(stored.evaluation.check) };
    const { isPolicyStored } = await writeNewestEvaluation(trx, decided, now);
    return { state: "saved", budgetsChanged: await replaceClaims(trx, stored.evaluation), isPolicyStored };
  });
}

/** Marks an evaluation as shown by GitHub. An evaluation that was replaced in the meantime stays unchanged. */
export async function markPublished(db: Db, pull: PullKey, digest: string): Promise<void> {
  await updateRows(db, "evaluations", { ...toPullColumns(pull), digest }, { settled: true });
}

/** Adds facts that the verdict does not depend on to an evaluation, if it is still the newest of its pull request and of its lane. */
export function completeEvaluation(
  db: Db,
  { evaluation, digest }: StoredEvaluation,
  fence: Fence,
): Promise<void> {
  return transact(db, async (trx) => {
    if (!(await lockFence(trx, fence))) return;
    await updateRows(
      trx,
      "evaluations",
      { ...toPullColumns(evaluation.pull), digest },
      { evaluation: storedEvaluation.write(evaluation) },
    );
  });
}

/** Adds the result after the merge to a pull request's newest evaluation, and its amounts to the comparisons. */
export function setAfterMerge(db: Db, pull: PullKey, comparison: MergeComparison): Promise<void> {
  return transact(db, async (trx) => {
    const row = await selectRow(trx, pull).forUpdate().executeTakeFirst();
    const stored = storedEvaluation.read(row?.evaluation);
    if (stored.state !== "read") return;
    await trx
      .updateTable("evaluations")
      .set({
        evaluation: storedEvaluation.write({ ...stored.value, afterMerge: comparison.afterMerge }),
      })
      .where(isOf(pull))
      .execute();
    if (stored.value.pull.figures) await saveComparison(trx, pull, comparison);
  });
}

/** Whether readers may see figures now: a repository may have become public since its evaluations. */
const IS_SHOWN = sql<boolean>`exists (select from repositories
  where repositories.repository_id = evaluations.repository_id and repositories.figures)`.as("isShown");

const selectRow = (db: Db, pull: PullKey) =>
  db
    .selectFrom("evaluations")
    .select(["evaluation", "digest", "policy_blobs", "settled", IS_SHOWN])
    .where(isOf(pull));

/** The newest evaluation; null: there is none, or it cannot be read, so the pull request has to be evaluated. */
export async function findEvaluation(db: Db, pull: PullKey): Promise<SavedEvaluation | null> {
  const row = await selectRow(db, pull).executeTakeFirst();
  const stored = storedEvaluation.read(row?.evaluation);
  if (row === undefined || stored.state !== "read") return null;
  const { digest, policy_blobs: policyBlobs, settled: isPublished } = row;
  return { evaluation: showTo(row, stored.value), digest, policyBlobs, isPublished };
}

const showTo = ({ isShown }: { readonly isShown: boolean }, evaluation: Evaluation): Evaluation =>
  isShown ? evaluation : redactFigures(evaluation);

/** The digest of the newest evaluation; null: there is none. */
export async function findDigest(db: Db, pull: PullKey): Promise<string | null> {
  const row = await selectRow(db, pull).clearSelect().select("digest").executeTakeFirst();
  return row?.digest ?? null;
}

/** Largest evaluation that is read for another pull request, in stored bytes. */
export const MAX_LISTED_BYTES = 200_000;
/** Most evaluations that are read of a repository's other pull requests. Retention keeps as many of each repository. */
export const MAX_NEWEST = 20;

/** The newest evaluations of a repository's pull requests but `exceptNumber`, without very large and unreadable ones. */
export async function listNewestEvaluations(
  db: Db,
  { repositoryId, exceptNumber }: { readonly repositoryId: number; readonly exceptNumber?: number },
  limit = MAX_NEWEST,
): Promise<readonly Evaluation[]> {
  const rows = await db
    .selectFrom("evaluations")
    .select(["evaluation", IS_SHOWN])
    .where("repository_id", "=", repositoryId)
    .where("number", "is distinct from", exceptNumber ?? null)
    .where(sql<number>`pg_column_size(evaluation)`, "<=", MAX_LISTED_BYTES)
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  return rows.flatMap((row) => {
    const stored = storedEvaluation.read(row.evaluation);
    return stored.state === "read" ? [showTo(row, stored.value)] : [];
  });
}

export interface CheckEvaluation extends StoredEvaluation {
  readonly savedMs: number;
}

/**
 * The evaluations of every open pull request that shares this head and check name.
 *
 * @throws TollgateError `stored_value_unreadable`
 */
export async function listCheckEvaluations(db: Db, check: CheckSlot): Promise<readonly CheckEvaluation[]> {
  const rows = await db
    .selectFrom("evaluations")
    .innerJoin("pulls", (join) =>
      join.on(isSamePull("pulls", "evaluations")).onRef("pulls.head_sha", "=", "evaluations.head_sha"),
    )
    .where("pulls.state", "=", "open")
    .where("evaluations.repository_id", "=", check.repositoryId)
    .where("evaluations.head_sha", "=", check.headSha)
    .where("evaluations.check_name", "=", check.checkName)
    .select([
      "evaluations.number",
      "evaluations.evaluation",
      "evaluations.digest",
      "evaluations.policy_blobs",
      "evaluations.created_at",
      IS_SHOWN,
    ])
    .orderBy("evaluations.number")
    .execute();
  return rows.map((row) => ({
    evaluation: showTo(
      row,
      storedEvaluation.require(row.evaluation, `of #${row.number} in repository ${check.repositoryId}`),
    ),
    digest: row.digest,
    policyBlobs: row.policy_blobs,
    savedMs: row.created_at.getTime(),
  }));
}

/**
 * Whether an open pull request has this head, or will have it by what a delivery announced, and no evaluation of it. One into this base
 * branch that has another name of the check does not count as one.
 */
export function hasUnevaluatedPull(
  db: Db,
  { repositoryId, headSha, baseRef, checkName }: CheckSlot & { readonly baseRef: string },
): Promise<boolean> {
  return isFound(
    db
      .selectFrom("pulls")
      .leftJoin("evaluations", (join) =>
        join
          .on(isSamePull("evaluations", "pulls"))
          .onRef("evaluations.base_ref", "=", "pulls.base_ref")
          .on("evaluations.head_sha", "=", headSha)
          .on(({ or, eb }) =>
            or([eb("evaluations.base_ref", "!=", baseRef), eb("evaluations.check_name", "=", checkName)]),
          ),
      )
      .select("pulls.number")
      .where("pulls.repository_id", "=", repositoryId)
      .where("pulls.state", "=", "open")
      .where(({ or, eb }) =>
        or([eb("pulls.head_sha", "=", headSha), eb("pulls.announced_sha", "=", headSha)]),
      )
      .where("evaluations.number", "is", null),
  );
}

/** Returns other open pull requests with this head, whose decision GitHub does not show yet. */
export async function listUnpublishedPulls(
  db: Db,
  { repositoryId, number, headSha }: PullKey & { readonly headSha: string },
): Promise<readonly PullKey[]> {
  return selectOpenKeys(db, repositoryId)
    .where("evaluations.head_sha", "=", headSha)
    .where("evaluations.settled", "=", false)
    .where("evaluations.number", "!=", number)
    .execute();
}

const selectOpenKeys = (db: Db, repositoryId: number) =>
  db
    .selectFrom("evaluations")
    .innerJoin("pulls", (join) => join.on(isSamePull("pulls", "evaluations")))
    .select(["pulls.repository_id as repositoryId", "pulls.number as number"])
    .where("evaluations.repository_id", "=", repositoryId)
    .where("pulls.state", "=", "open")
    .orderBy("pulls.number");

/** Returns the open pull requests that were above this one in a stack when they were last evaluated. */
export const listPullsAbove = (db: Db, { repositoryId, number }: PullKey): Promise<readonly PullKey[]> =>
  selectOpenKeys(db, repositoryId)
    .where(sql<boolean>`${String(number)} = any(evaluations.below)`)
    .execute();

/** Returns the name of the check of the newest evaluation into a base branch; null: there is none. */
export async function findLastCheckName(
  db: Db,
  { repositoryId, baseRef }: { readonly repositoryId: number; readonly baseRef: string },
): Promise<string | null> {
  const row = await db
    .selectFrom("evaluations")
    .select("check_name")
    .where(has({ repository_id: repositoryId, base_ref: baseRef }))
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.check_name ?? null;
}
