import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { APIS, type ApiName } from "../../platform/contract/apis.ts";
import { ACCOUNT_HEADERS } from "../../platform/contract/wire/dialect.ts";
import { getTokenKind, hasRight, type Right, type TokenKind } from "../../store/rights.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { type Token, verifyToken } from "../../store/tokens.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { useFlagKey } from "../flag-keys/handlers.ts";
import type { FlagTables } from "../flag-keys/store/keys.ts";

/**
 * The tables for authentication and authorization: the bot's tokens and project owners, and an area's
 * environment keys.
 */
export type AccessTables = Tables & FlagTables;

interface AccessDeps {
  readonly db: Kysely<AccessTables>;
  readonly clock: Clock;
}

/** The requested service, the right that its operation needs, and every place of a request that may name account, org and project. */
export interface AccessRequest {
  readonly api: ApiName;
  /** Absent: the operation is refused. */
  readonly right: Right | undefined;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
}

/** Why a token lacks a right, by its kind. */
const REFUSALS: Readonly<Record<TokenKind, string>> = {
  api: "no token opens this operation",
  import:
    "the token is bound to one org and project, and this operation needs one of the whole account (made with --for api)",
  job: "the token of a CI job sends its own plan and estimate, and opens nothing else",
  notify: "a token for notifications opens nothing here",
  read: "a token for reading Tollgate's API opens nothing here",
};

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
  const { right } = request;
  if (right === undefined || !hasRight(token, right))
    return createProblem("forbidden", REFUSALS[getTokenKind(token)]);
  return checkAccount(token, request) ?? checkNamedProject(token, request);
}

function checkAccount(token: Token, { api, headers, query, params }: AccessRequest): Problem | null {
  const place = APIS[api].account;
  const named = {
    header: ACCOUNT_HEADERS.flatMap((name) => headers.get(name) ?? []),
    query: query.getAll("accountIdentifier"),
    path: place === "path" ? [params["registry_ref"]?.split("/")[0] ?? ""] : [],
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

/** The project that a request names outside of its body. */
function checkNamedProject(token: Token, { api, query, params }: AccessRequest): Problem<"forbidden"> | null {
  if (api === "tollgate") return null;
  const read = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null);
  return checkProject(
    token,
    api === "flags"
      ? { org: read("orgIdentifier"), project: read("projectIdentifier") }
      : { org: params["org"], project: params["project"] },
  );
}

/**
 * Why the token may not access a project; null when it may. The message does not depend on whether the
 * project exists.
 */
export function checkProject(
  token: Token,
  { org, project }: { readonly org: unknown; readonly project: unknown },
): Problem<"forbidden"> | null {
  if (token.purpose === "api") return null;
  if (token.purpose === "import" && token.org === org && token.project === project) return null;
  return createProblem("forbidden", "the token is bound to another org or project");
}
