import { isPlatformId } from "../../kernel/ids.ts";
import { findRow, has, insertNew } from "../../store/database/statements.ts";
import type { Token } from "../../store/tokens.ts";
import { refuse } from "../area/problem.ts";
import type { Db } from "../tables/tables.ts";
import type { HookParentKey } from "../tables/webhooks.ts";

/** Parses a registry reference: `account/…/registry/+`. @throws Refusal */
export function parseRegistryParent(ref: string, token: Token): HookParentKey {
  const parts = ref.split("/");
  const end = parts.pop();
  const [account = "", ...inside] = parts;
  const name = inside.pop() ?? "";
  const [org = "", project = ""] = inside;
  if (end !== "+" || inside.length > 2 || ![account, name, ...inside].every(isPlatformId))
    refuse(
      "bad_request",
      "registry_ref must be account/registry/+, account/org/registry/+ or account/org/project/registry/+",
    );
  if (account !== token.account)
    refuse("forbidden", "the token does not belong to the account in registry_ref");
  return { account, kind: "registry", org, project, name };
}

export interface SpaceQuery {
  readonly orgIdentifier?: string | undefined;
  readonly projectIdentifier?: string | undefined;
}

/** Returns the parent of a code webhook: a space, or a repository in it. @throws Refusal */
export function parseCodeParent(query: SpaceQuery, { account }: Token, repository?: string): HookParentKey {
  const { orgIdentifier: org = "", projectIdentifier: project = "" } = query;
  if (project !== "" && org === "")
    refuse("bad_request", "projectIdentifier needs orgIdentifier: a project belongs to an organisation");
  if (repository === undefined) return { account, kind: "space", org, project, name: "" };
  if (!isPlatformId(repository)) refuse("bad_request", "a repository is 1 to 128 letters, digits or _ . $ -");
  return { account, kind: "repo", org, project, name: repository };
}

/** Returns the spaces that contain a repository, innermost first; their webhooks receive its events too. */
export function listSpacesAbove({ account, org, project }: HookParentKey): readonly HookParentKey[] {
  const space = { account, kind: "space", name: "" } as const;
  return [
    ...(project === "" ? [] : [{ ...space, org, project }]),
    ...(org === "" ? [] : [{ ...space, org, project: "" }]),
    { ...space, org: "", project: "" },
  ];
}

/** Returns the numeric id of a parent; null when it was never named. */
export async function findParentId(db: Db, key: HookParentKey): Promise<number | null> {
  return (await findRow(db, "platform_hook_parents", key))?.parent_id ?? null;
}

export async function ensureParent(db: Db, key: HookParentKey): Promise<number> {
  await insertNew(db, "platform_hook_parents", key);
  const { parent_id } = await db
    .selectFrom("platform_hook_parents")
    .select("parent_id")
    .where(has(key))
    .executeTakeFirstOrThrow();
  return parent_id;
}
