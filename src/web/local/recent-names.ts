import type { Kysely } from "kysely";
import { z } from "zod";
import type { ValueOf } from "../../kernel/schemas.ts";
import { collectRecentNames, RecentNames } from "../../policy/recent-names.ts";
import { listNewestEvaluations } from "../../store/evaluations.ts";
import { listEvaluatedRepositories } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { LocalRefusal } from "./access.ts";
import { LOCAL_PATH, type LocalOperation } from "./operation.ts";
import { resolveRepositoryId } from "./repository-id.ts";

/** Names that occur in the recent pull requests of a repository. */
export const RepositoryNames = RecentNames.extend({
  /** `owner/name`, or the name in the request. */
  repository: z.string(),
});
export type RepositoryNames = ValueOf<typeof RepositoryNames>;

const NamesRequest = z.strictObject({
  /** `owner/name` or GitHub's numeric id; null: the only evaluated repository. */
  repository: z.string().nullable(),
});

/** Returns names of recent pull requests, and no figure. */
export const READ_RECENT_NAMES: LocalOperation<z.infer<typeof NamesRequest>, RepositoryNames> = {
  path: `${LOCAL_PATH}/read-recent-names`,
  input: NamesRequest,
  output: RepositoryNames,
  perform: async ({ db }, { repository }) => {
    const repositoryId =
      repository === null ? await findOnlyRepository(db) : await resolveRepositoryId(db, repository);
    if (repositoryId === undefined) return createRefusal(repository);
    const evaluations = await listNewestEvaluations(db, { repositoryId, number: NO_PULL });
    const label = evaluations[0]?.pull.repository ?? repository ?? String(repositoryId);
    return { repository: label, ...collectRecentNames(evaluations) };
  },
};

/** No pull request has this number, so none is excluded. */
const NO_PULL = 0;

async function findOnlyRepository(db: Kysely<Tables>): Promise<number | undefined> {
  const [only, ...others] = await listEvaluatedRepositories(db, 2);
  return others.length === 0 ? only : undefined;
}

const createRefusal = (repository: string | null): LocalRefusal => ({
  state: "refused",
  message:
    repository === null
      ? "There is not exactly one repository here"
      : `The repository ${repository} is not known here`,
  hint: "Name a repository that has Tollgate installed, as owner/name or by GitHub's numeric id, and run this where its database is.",
});
