import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import { recentNames } from "../../policy/scope/recent-names.ts";
import { newestEvaluations } from "../../store/evaluations.ts";
import { evaluatedRepositories } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { type LocalConnection, type LocalRefusal, localAccess, REFUSED } from "./access.ts";
import { resolveRepositoryId } from "./repository-id.ts";

const NameList = z.object({ names: z.array(z.string()).readonly(), pulls: z.number() });

/** What the recent pull requests of a repository were about. */
export const RepositoryNames = z.object({
  /** `owner/name`, or what it was asked for as. */
  repository: z.string(),
  workspaces: NameList,
  modules: NameList,
  resourceTypes: NameList,
});
export type RepositoryNames = Readonly<z.infer<typeof RepositoryNames>>;

/** How many pull requests count as recent: as many as an edited policy is tried on. */
const RECENT_PULLS = 20;

/** `repository`: `owner/name` or GitHub's numeric id; null: the only one of which pull requests were evaluated. */
export async function readRecentNames(
  db: Kysely<Tables>,
  repository: string | null,
): Promise<{ readonly state: "read"; readonly names: RepositoryNames } | LocalRefusal> {
  const repositoryId =
    repository === null ? await onlyRepository(db) : await resolveRepositoryId(db, repository);
  if (repositoryId === undefined) return refusal(repository);
  const evaluations = await newestEvaluations(db, { repositoryId, number: NO_PULL }, RECENT_PULLS);
  const label = evaluations[0]?.pull.repository ?? repository ?? String(repositoryId);
  return { state: "read", names: { repository: label, ...recentNames(evaluations) } };
}

/** No pull request has this number, so none is left out. */
const NO_PULL = 0;

async function onlyRepository(db: Kysely<Tables>): Promise<number | undefined> {
  const [only, ...others] = await evaluatedRepositories(db, 2);
  return others.length === 0 ? only : undefined;
}

const refusal = (repository: string | null): LocalRefusal => ({
  state: "refused",
  message:
    repository === null
      ? "There is not exactly one repository here"
      : `Nothing is known here about the repository ${repository}`,
  hint: "Name a repository that Tollgate looks after, as owner/name or by GitHub's numeric id, and run this where its database is.",
});

const PATH = "/tollgate/v1/recent-names";
export const RECENT_NAMES_TYPE = "application/json";

const Query = z.strictObject({ repository: z.string().optional() });

/** The address that `recentNamesRoute` answers. */
export const recentNamesAddress = (repository: string | null): string =>
  repository === null ? PATH : `${PATH}?${new URLSearchParams({ repository })}`;

/** `GET /tollgate/v1/recent-names`: names only, no figure. */
export function recentNamesRoute(
  { db }: { readonly db: Kysely<Tables> },
  key: string,
): Hono<{ Bindings: LocalConnection }> {
  return new Hono<{ Bindings: LocalConnection }>().get(PATH, localAccess(key), async (context) => {
    const query = Query.safeParse(context.req.query());
    if (!query.success) return context.json({ message: "not a repository" }, 400);
    const read = await readRecentNames(db, query.data.repository ?? null);
    return read.state === "refused" ? context.json(read, REFUSED) : context.json(read.names, 200);
  });
}
