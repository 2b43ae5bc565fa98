import { APIS, type ApiName } from "../../platform/contract/endpoint.ts";
import { ACCOUNT_HEADERS } from "../../platform/contract/wire/translate.ts";
import { getTokenKind, hasRight, type Right, type TokenKind } from "../../store/rights.ts";
import { type Token, verifyToken } from "../../store/tokens.ts";
import type { Deps } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { useFlagKey } from "../flag-keys/handlers.ts";

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

/** Identifies the caller. An environment's key is recognised and its use recorded, but it grants no access. @throws Refusal */
export async function authenticate(deps: Pick<Deps, "db" | "clock">, headers: Headers): Promise<Token> {
  const key = headers.get("x-api-key") ?? "";
  const token = await verifyToken(deps.db, key, deps.clock);
  if (token !== null) return token;
  if (await useFlagKey(deps, key))
    refuse("forbidden", "a key of an environment is for SDKs and gives no access to this API");
  refuse("unauthorized", "the header x-api-key holds no valid token");
}

/** Refuses what the token may not do. The token determines the account, and the request must not name another one. @throws Refusal */
export function checkAccess(token: Token, request: AccessRequest): void {
  const { right } = request;
  if (right === undefined || !hasRight(token, right)) refuse("forbidden", REFUSALS[getTokenKind(token)]);
  checkAccount(token, request);
  checkNamedProject(token, request);
}

function checkAccount(token: Token, { api, headers, query, params }: AccessRequest): void {
  const place = APIS[api].account;
  const named = {
    header: ACCOUNT_HEADERS.flatMap((name) => headers.get(name) ?? []),
    query: query.getAll("accountIdentifier"),
    path: place === "path" ? [params["registry_ref"]?.split("/")[0] ?? ""] : [],
  };
  if (named[place].length === 0) {
    if (place === "header") refuse("bad_request", "the header Platform-Account is missing");
    const fields = [{ field: "accountIdentifier", error: "is required" }];
    refuse("bad_request", "the query parameter accountIdentifier is missing", { fields });
  }
  const accounts = Object.values(named).flat();
  if (accounts.some((account) => account.length > 128 || account === ""))
    refuse("bad_request", "an account identifier has 1 to 128 characters");
  if (accounts.some((account) => account !== token.account))
    refuse("forbidden", "the token does not belong to the account that the request names");
}

function checkNamedProject(token: Token, { api, query, params }: AccessRequest): void {
  if (api === "tollgate") return;
  const read = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null);
  checkProject(
    token,
    api === "flags"
      ? { org: read("orgIdentifier"), project: read("projectIdentifier") }
      : { org: params["org"], project: params["project"] },
  );
}

/** Refuses a project that the token may not access. The message does not depend on whether the project exists. @throws Refusal */
export function checkProject(
  token: Token,
  { org, project }: { readonly org: unknown; readonly project: unknown },
): void {
  if (token.purpose === "api") return;
  if (token.purpose === "import" && token.org === org && token.project === project) return;
  refuse("forbidden", "the token is bound to another org or project");
}
