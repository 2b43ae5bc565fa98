import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import { collectRecentNames } from "../../policy/scope/pull-scope.ts";
import { listNewestEvaluations } from "../../store/evaluations.ts";
import { listEvaluatedRepositories } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { createLocalAccess, type LocalConnection, type LocalRefusal, REFUSED_STATUS } from "./access.ts";
import { resolveRepositoryId } from "./repository-id.ts";

const NameList = z.object({ names: z.array(z.string()).readonly(), pulls: z.number() });

/** Names that occur in the recent pull requests of a repository. */
export const RepositoryNames = z.object({
  /** `owner/name`, or the name in the request. */
  repository: z.string(),
  workspaces: NameList,
  modules: NameList,
  resourceTypes: NameList,
});
export type RepositoryNames = Readonly<z.infer<typeof RepositoryNames>>;

/** Returns names of recent pull requests. `repository`: `owner/name` or GitHub's numeric id; null: the only evaluated repository. */
export async function readRecentNames(
  db: Kysely<Tables>,
  repository: string | null,
): Promise<{ readonly state: "read"; readonly names: RepositoryNames } | LocalRefusal> {
  const repositoryId =
    repository === null ? await findOnlyRepository(db) : await resolveRepositoryId(db, repository);
  if (repositoryId === undefined) return createRefusal(repository);
  const evaluations = await listNewestEvaluations(db, { repositoryId, number: NO_PULL });
  const label = evaluations[0]?.pull.repository ?? repository ?? String(repositoryId);
  return { state: "read", names: { repository: label, ...collectRecentNames(evaluations) } };
}

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

const PATH = "/tollgate/v1/recent-names";
export const RECENT_NAMES_TYPE = "application/json";

const Query = z.strictObject({ repository: z.string().optional() });

/** Returns the path and query of `createRecentNamesRoute`. */
export const buildRecentNamesAddress = (repository: string | null): string =>
  repository === null ? PATH : `${PATH}?${new URLSearchParams({ repository })}`;

/** `GET /tollgate/v1/recent-names`: names only, no figure. */
export function createRecentNamesRoute(
  { db }: { readonly db: Kysely<Tables> },
  key: string,
): Hono<{ Bindings: LocalConnection }> {
  return new Hono<{ Bindings: LocalConnection }>().get(PATH, createLocalAccess(key), async (context) => {
    const query = Query.safeParse(context.req.query());
    if (!query.success) return context.json({ message: "not a repository" }, 400);
    const read = await readRecentNames(db, query.data.repository ?? null);
    return read.state === "refused" ? context.json(read, REFUSED_STATUS) : context.json(read.names, 200);
  });
}
