import { z } from "zod";
import { listInstalledRepositories } from "../../store/installations.ts";
import { findReadableRepository } from "../pages/scope.ts";
import type { Reader } from "../reader.ts";
import type { ApiDeps } from "./operation.ts";

/** Members of a query that choose repositories; without either: all that the reader can read. */
export const SCOPE = {
  owner: z.string().max(100).optional().meta({ description: "Only repositories of this account." }),
  repository: z
    .string()
    .regex(/^[^/]+\/[^/]+$/)
    .max(200)
    .optional()
    .meta({ description: "Only this repository, as `owner/name`." }),
};

/** Returns the ids of the repositories that a query chooses and the reader can read; null: there are none, or none may be seen. */
export async function findScope(
  { db }: Pick<ApiDeps, "db">,
  reader: Reader,
  { owner, repository }: { readonly owner?: string | undefined; readonly repository?: string | undefined },
): Promise<readonly number[] | null> {
  if (repository !== undefined) {
    const [first = "", name = ""] = repository.split("/");
    const found = await findReadableRepository({ db }, reader, { owner: first, name });
    return found === null ? null : [found.repositoryId];
  }
  const readable = await reader.listReadable();
  const installed = await listInstalledRepositories(db, readable, owner);
  if (owner !== undefined && installed.length === 0) return null;
  return installed.map(({ repositoryId }) => repositoryId);
}
