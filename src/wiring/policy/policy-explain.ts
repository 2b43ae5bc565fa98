import { TollgateError } from "../../kernel/errors.ts";
import type { Evaluation } from "../../policy/evaluation.ts";
import type { Settings } from "../../settings/settings.ts";
import { findEvaluation } from "../../store/evaluations.ts";
import { openStore } from "../../store/open.ts";
import { findRepositoryByName } from "../../store/repositories.ts";
import { storeLocation } from "../store-location.ts";

export interface PullName {
  /** `owner/name`, or GitHub's numeric id. */
  readonly repository: string;
  readonly number: number;
}

/** The newest evaluation of a pull request in the store of this machine. Throws `usage` when there is none. */
export async function storedEvaluation(
  settings: Settings,
  { repository, number }: PullName,
): Promise<Evaluation> {
  const store = await openStore(storeLocation(settings), () => {});
  try {
    const isId = /^[1-9]\d{0,15}$/.test(repository);
    const repositoryId = isId
      ? Number(repository)
      : (await findRepositoryByName(store.db, repository))?.repository_id;
    const kept = repositoryId === undefined ? null : await findEvaluation(store.db, { repositoryId, number });
    if (kept !== null) return kept.evaluation;
    const what = repositoryId === undefined ? `the repository ${repository}` : `#${number} of ${repository}`;
    throw new TollgateError("usage", `Nothing is known here about ${what}`, {
      hint: "Name a pull request that Tollgate has judged, and run this where its database is.",
    });
  } finally {
    await store.close();
  }
}
