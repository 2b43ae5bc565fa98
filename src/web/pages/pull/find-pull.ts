import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import type { Kysely, Selectable } from "kysely";
import type { PullKey } from "../../../kernel/ids.ts";
import {
  type EvaluationTimes,
  type EvaluationVersion,
  findEvaluationVersion,
  findPullEvaluation,
} from "../../../store/history/pull-history.ts";
import { findPull } from "../../../store/pulls.ts";
import type { Tables } from "../../../store/tables/tables.ts";
import type { EvaluationCache, ReadEvaluation } from "./subject/evaluation-cache.ts";

/** An evaluation with its times. */
export interface FoundEvaluation extends EvaluationTimes {
  readonly read: ReadEvaluation;
}

export interface FoundPull {
  /** What is known of the pull request beside its evaluations; null: only its evaluation is stored. */
  readonly pull: Selectable<Tables["pulls"]> | null;
  readonly evaluation: FoundEvaluation;
}

/** What is stored of a pull request. `unreadable`: its evaluation was written by a newer version, or damaged. */
export type PullSearch =
  | ({ readonly state: "found" } & FoundPull)
  | { readonly state: "not_evaluated" | "unreadable" }
  | { readonly state: "none" };

interface SearchDeps {
  readonly db: Kysely<Tables>;
  readonly cache: EvaluationCache;
}

/** Finds an evaluation of a pull request: the one with this id, or the newest for null. */
export async function searchPull(
  deps: SearchDeps,
  key: PullKey,
  evaluationId: number | null,
): Promise<PullSearch> {
  const [pull = null, version] = await Promise.all([
    findPull(deps.db, key),
    findEvaluationVersion(deps.db, key, evaluationId),
  ]);
  if (version === null) return { state: pull === null || evaluationId !== null ? "none" : "not_evaluated" };
  const read = await readEvaluation(deps, key, version);
  if (read === null) return { state: "unreadable" };
  const { version: _, ...times } = version;
  return { state: "found", pull, evaluation: { read, ...times } };
}

/** Null: it cannot be read. */
async function readEvaluation(
  { db, cache }: SearchDeps,
  key: PullKey,
  { version, evaluationId }: EvaluationVersion,
): Promise<ReadEvaluation | null> {
  const cacheKey = `${key.repositoryId} ${key.number} ${version}`;
  const known = cache.find(cacheKey);
  if (known !== null) return known;
  const found = await findPullEvaluation(db, key, evaluationId);
  if (found === null) return null;
  await turnOfEventLoop(); // other requests wait neither for this nor for the views of it
  return cache.add(cacheKey, found.stored.evaluation);
}
