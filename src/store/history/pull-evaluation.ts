import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { StoredEvaluation } from "../evaluations.ts";
import { storedEvaluation } from "../json/stored-values.ts";
import type { Tables } from "../tables/tables.ts";
import { insertLongLists, readLongLists, WITHOUT_LONG_LISTS } from "./long-lists.ts";
import { selectPullEvaluations } from "./select-evaluations.ts";

/** Which evaluation of a pull request it is, with its times. */
export interface EvaluationTimes {
  readonly evaluationId: number;
  /** When it was first, and last, evaluated to this result. */
  readonly begunAt: Date;
  readonly evaluatedAt: Date;
  /** When another evaluation followed; null: it is the newest. */
  readonly endedAt: Date | null;
}

/** One evaluation of a pull request with its times. */
export interface PullEvaluation extends EvaluationTimes {
  /** Its figures are marked as hidden where the repository's readers may not see figures now. */
  readonly stored: StoredEvaluation;
}

/**
 * An evaluation of a pull request: the one with this id, or the newest for null. Null: there is none, or it cannot be read. Past
 * ones are kept as long as retention says.
 */
export async function findPullEvaluation(
  db: Kysely<Tables>,
  pull: PullKey,
  evaluationId: number | null,
): Promise<PullEvaluation | null> {
  const row = await selectOne(db, pull, evaluationId)
    .select(["found.digest", "found.policy_blobs as policyBlobs", "repositories.figures"])
    .select(["found.row_version as rowVersion", ...WITHOUT_LONG_LISTS])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { evaluation: rest, length, rowVersion, digest, policyBlobs, figures, ...times } = row;
  const version = { evaluationId: times.evaluationId, rowVersion };
  const evaluation = length === null ? rest : await completeLists(db, pull, version, { rest, length });
  if (evaluation === null) return findPullEvaluation(db, pull, evaluationId); // it changed meanwhile
  await turnOfEventLoop(); // the driver has just parsed JSON, and the rest takes as long again
  const read = storedEvaluation.read(evaluation);
  if (read.state !== "read") return null;
  const shown = { ...read.value.pull, figures: read.value.pull.figures && figures === true };
  return { ...times, stored: { evaluation: { ...read.value, pull: shown }, digest, policyBlobs } };
}

/** Inserts the lists that were not read with the rest of an evaluation; null: it is not the same any more. */
async function completeLists(
  db: Kysely<Tables>,
  pull: PullKey,
  { evaluationId, rowVersion }: { readonly evaluationId: number; readonly rowVersion: string },
  { rest, length }: { readonly rest: unknown; readonly length: number },
): Promise<unknown> {
  const lists = await readLongLists(length, async (columns) => {
    const slice = await selectOne(db, pull, evaluationId)
      .select(["found.row_version as rowVersion", ...columns])
      .executeTakeFirst();
    return slice?.rowVersion === rowVersion ? slice : null;
  });
  return lists && insertLongLists(rest, lists);
}

/** Which version of an evaluation is stored. */
export interface EvaluationVersion extends EvaluationTimes {
  /** Another text after each change of what `findPullEvaluation` returns. */
  readonly version: string;
}

/** The version of what `findPullEvaluation` returns, without reading it. Null: there is no such evaluation. */
export async function findEvaluationVersion(
  db: Kysely<Tables>,
  pull: PullKey,
  evaluationId: number | null,
): Promise<EvaluationVersion | null> {
  const row = await selectOne(db, pull, evaluationId)
    .select(["found.row_version as rowVersion", "repositories.figures"])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { rowVersion, figures, ...times } = row;
  return { ...times, version: `${times.evaluationId} ${rowVersion} ${times.endedAt === null} ${figures}` };
}

const selectOne = (db: Kysely<Tables>, pull: PullKey, evaluationId: number | null) =>
  selectPullEvaluations(db, pull)
    .select(["found.evaluation_id as evaluationId", "found.begun_at as begunAt"])
    .select(["found.created_at as evaluatedAt", "found.ended_at as endedAt"])
    .$if(evaluationId === null, (query) => query.where("found.ended_at", "is", null))
    .$if(evaluationId !== null, (query) => query.where("found.evaluation_id", "=", evaluationId));
