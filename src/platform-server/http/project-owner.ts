import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { claimProject, findProjectOwner } from "../../store/bindings.ts";
import { findRepository } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { Token } from "../../store/tokens.ts";
import { createProblem, type Problem } from "../area/problem.ts";

/**
 * Why a repository's token may not access the project with the repository's name: a repository that had this
 * name before owns the project. The first repository that writes to a project owns it, whichever repository
 * has the name later. Null: it may, or the project has another name, which the operator chose.
 */
export async function checkProjectOwner(
  { db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock },
  token: Token,
  method: string,
): Promise<Problem<"forbidden"> | null> {
  if (token.purpose !== "import") return null;
  const { account, org, project, repositoryId } = token;
  const repository = await findRepository(db, repositoryId);
  if (repository?.owner_login !== org || repository.name !== project) return null;
  const key = { account, org, project };
  const owner =
    method === "GET"
      ? await findProjectOwner(db, key)
      : await claimProject(db, key, { repositoryId, nowMs: clock.now() });
  if (owner === null || owner === repositoryId) return null;
  return createProblem(
    "forbidden",
    "the project belongs to another repository, which had this name before; the operator can release it, or grant another project",
  );
}
