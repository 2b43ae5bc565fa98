import { isPlatformId } from "../../../kernel/ids.ts";
import type { Token } from "../../../store/tokens.ts";
import { createProblem, type Problem } from "../../area/problem.ts";
import type { HookParentKey } from "../store/tables.ts";

/** Parses a registry reference: `account/…/registry/+`. */
export function parseRegistryParent(
  ref: string,
  token: Token,
): HookParentKey | Problem<"bad_request" | "forbidden"> {
  const parts = ref.split("/");
  const end = parts.pop();
  const [account = "", ...inside] = parts;
  const name = inside.pop() ?? "";
  const [org = "", project = ""] = inside;
  if (end !== "+" || inside.length > 2 || ![account, name, ...inside].every(isPlatformId))
    return createProblem(
      "bad_request",
      "registry_ref must be account/registry/+, account/org/registry/+ or account/org/project/registry/+",
    );
  if (account !== token.account)
    return createProblem("forbidden", "the token does not belong to the account in registry_ref");
  return { account, kind: "registry", org, project, name };
}

export interface SpaceQuery {
  readonly orgIdentifier?: string | undefined;
  readonly projectIdentifier?: string | undefined;
}

/** Returns the parent of a code webhook: a space, or a repository in it. */
export function parseCodeParent(
  query: SpaceQuery,
  token: Token,
  repository?: string,
): HookParentKey | Problem<"bad_request"> {
  const { orgIdentifier: org = "", projectIdentifier: project = "" } = query;
  if (project !== "" && org === "")
    return createProblem(
      "bad_request",
      "projectIdentifier needs orgIdentifier: a project belongs to an organisation",
    );
  if (repository !== undefined && !isPlatformId(repository))
    return createProblem("bad_request", "a repository is 1 to 128 letters, digits or _ . $ -");
  const { account } = token;
  return repository === undefined
    ? { account, kind: "space", org, project, name: "" }
    : { account, kind: "repo", org, project, name: repository };
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
