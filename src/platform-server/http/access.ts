import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { APIS, type ApiName } from "../../platform/contract/apis.ts";
import { createExecution, recordAuditEvent } from "../../platform/contract/executions.ts";
import { ingest } from "../../platform/contract/own-operations.ts";
import { uploadChangeCounts, uploadChangePage } from "../../platform/contract/resource-changes.ts";
import { getPushDisabled } from "../../platform/contract/settings.ts";
import { ACCOUNT_HEADERS } from "../../platform/contract/wire/dialect.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { type Token, verifyToken } from "../../store/tokens.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import type { FlagTables } from "../flag-keys/store/tables.ts";
import { useFlagKey } from "../flag-keys/use-flag-key.ts";

/**
 * The tables for authentication and authorization: the bot's tokens and project owners, and an area's
 * environment keys.
 */
export type AccessTables = Tables & FlagTables;

interface AccessDeps {
  readonly db: Kysely<AccessTables>;
  readonly clock: Clock;
}

/** The requested service, and every place of a request that may name account, org and project. */
export interface AccessRequest {
  readonly api: ApiName;
  readonly area: string;
  readonly operation: string;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Identifies the caller; 401 without a valid token. An environment's key is recognised and its use recorded,
 * but it grants no access: 403.
 */
export async function authenticate(deps: AccessDeps, headers: Headers): Promise<Token | Problem> {
  const key = headers.get("x-api-key") ?? "";
  const token = await verifyToken(deps.db, key, deps.clock);
  if (token !== null) return token;
  return (await useFlagKey(deps, key)) === "valid"
    ? createProblem("forbidden", "a key of an environment is for SDKs and gives no access to this API")
    : createProblem("unauthorized", "the header x-api-key holds no valid token");
}

/**
 * Why the token may not make this request; null when it may. The token determines the account, and the
 * request must not name another one.
 */
export function checkAccess(token: Token, request: AccessRequest): Problem | null {
  if (token.purpose === "notify")
    return createProblem("forbidden", "a token for notifications opens nothing here");
  if (token.purpose === "read")
    return createProblem("forbidden", "a token for reading Tollgate's API opens nothing here");
  return (
    checkAccount(token, request) ??
    (token.purpose === "import" ? checkProjectScope(token, request) : null) ??
    checkJobCall(token, request)
  );
}

/** What an import sends. The token of a CI job, which its pull request's author can read, opens nothing else. */
const JOB_CALLS: ReadonlySet<string> = new Set(
  [createExecution, getPushDisabled, uploadChangePage, uploadChangeCounts, recordAuditEvent, ingest].map(
    ({ area, operation }) => `${area}/${operation}`,
  ),
);

function checkJobCall(token: Token, { area, operation }: AccessRequest): Problem<"forbidden"> | null {
  if (token.headSha === null || JOB_CALLS.has(`${area}/${operation}`)) return null;
  return createProblem(
    "forbidden",
    "the token of a CI job sends its own plan and estimate, and opens nothing else",
  );
}

function checkAccount(token: Token, { api, headers, query, params }: AccessRequest): Problem | null {
  const place = APIS[api].account;
  const named = {
    header: ACCOUNT_HEADERS.flatMap((name) => headers.get(name) ?? []),
    query: query.getAll("accountIdentifier"),
    path: place === "path" ? [splitRegistryReference(params)[0] ?? ""] : [],
  };
  if (named[place].length === 0) return createMissingAccountProblem(place);
  const accounts = Object.values(named).flat();
  if (accounts.some((account) => account.length > 128 || account === ""))
    return createProblem("bad_request", "an account identifier has 1 to 128 characters");
  if (accounts.some((account) => account !== token.account))
    return createProblem("forbidden", "the token does not belong to the account that the request names");
  return null;
}

function createMissingAccountProblem(place: "header" | "query" | "path"): Problem {
  if (place === "header") return createProblem("bad_request", "the header Platform-Account is missing");
  const fields = [{ field: "accountIdentifier", error: "is required" }];
  return createProblem("bad_request", "the query parameter accountIdentifier is missing", { fields });
}

/** The pieces of a registry's reference, without the plus sign at its end. */
const splitRegistryReference = ({ registry_ref = "" }: AccessRequest["params"]): readonly string[] =>
  registry_ref.split("/").slice(0, -1);

type ProjectScope = { readonly org: string | undefined; readonly project: string | undefined };

/** Where a request reaches, by service; null: the whole account; `body`: its handler reads it in the body. */
const SCOPES: Readonly<Record<ApiName, (request: AccessRequest) => ProjectScope | "body" | null>> = {
  provisioning: ({ params }) => ({ org: params["org"], project: params["project"] }),
  cost: () => null,
  flags: ({ query }) => parseQueryScope(query),
  code: ({ query }) => parseQueryScope(query),
  registry: ({ params }) => {
    const [, org, project, registry] = splitRegistryReference(params);
    return registry === undefined ? null : { org, project };
  },
  tollgate: ({ operation }) => (operation === "ingest" ? "body" : null),
};

const parseQueryScope = (query: URLSearchParams): ProjectScope | null => {
  const [orgs, projects] = [query.getAll("orgIdentifier"), query.getAll("projectIdentifier")];
  return orgs.length === 1 && projects.length === 1 ? { org: orgs[0], project: projects[0] } : null;
};

function checkProjectScope(token: Token, request: AccessRequest): Problem<"forbidden"> | null {
  const scope = SCOPES[request.api](request);
  if (scope === "body") return null;
  return scope === null || scope.org === undefined || scope.project === undefined
    ? createProblem(
        "forbidden",
        "the token is bound to one org and project, and this operation is the account's",
      )
    : checkProject(token, { org: scope.org, project: scope.project });
}

/** Why the token may not write data of a commit; null when it may. */
export const checkCommit = (token: Token, sha: string): Problem<"forbidden"> | null =>
  token.headSha === null || token.headSha === sha
    ? null
    : createProblem("forbidden", `the token of this CI job is bound to the commit ${token.headSha}`);

/**
 * Why the token may not access a project; null when it may. The message does not depend on whether the
 * project exists.
 */
export function checkProject(
  token: Token,
  project: { org: string; project: string },
): Problem<"forbidden"> | null {
  if (token.purpose === "api") return null;
  if (token.purpose !== "read" && token.org === project.org && token.project === project.project) return null;
  return createProblem("forbidden", "the token is bound to another org or project");
}
