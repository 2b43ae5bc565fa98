import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { APIS, type ApiName } from "../../platform/contract/apis.ts";
import { ACCOUNT_HEADERS } from "../../platform/contract/wire/dialect.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { type Token, verifyToken } from "../../store/tokens.ts";
import { type Problem, problem } from "../area/problem.ts";
import type { FlagTables } from "../flag-keys/store/tables.ts";
import { useFlagKey } from "../flag-keys/use.ts";

/** The tables that say who may call: tokens and owners of projects are the bot's own, keys of environments an area's. */
export type AccessTables = Tables & FlagTables;

interface AccessDeps {
  readonly db: Kysely<AccessTables>;
  readonly clock: Clock;
}

/** Which service is asked, and all places in which a request may name account, org and project. */
export interface AccessRequest {
  readonly api: ApiName;
  readonly operation: string;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
}

/** Who is calling; 401 without a valid token. A key of an environment is known, and noted as used, but opens nothing: 403. */
export async function authenticate(door: AccessDeps, headers: Headers): Promise<Token | Problem> {
  const key = headers.get("x-api-key") ?? "";
  const token = await verifyToken(door.db, key, door.clock);
  if (token !== null) return token;
  return (await useFlagKey(door, key)) === "valid"
    ? problem("forbidden", "a key of an environment is for SDKs and opens nothing here")
    : problem("unauthorized", "the header x-api-key holds no valid token");
}

/** Why the token may not ask this; null when it may. The token says which account it is, and the request must not say another. */
export function mayNot(token: Token, asked: AccessRequest): Problem | null {
  if (token.purpose === "notify") return problem("forbidden", "a token for notifications opens nothing here");
  return wrongAccount(token, asked) ?? (token.purpose === "import" ? outside(token, asked) : null);
}

function wrongAccount(token: Token, { api, headers, query, params }: AccessRequest): Problem | null {
  const place = APIS[api].account;
  const named = {
    header: ACCOUNT_HEADERS.flatMap((name) => headers.get(name) ?? []),
    query: query.getAll("accountIdentifier"),
    path: place === "path" ? [piecesOf(params)[0] ?? ""] : [],
  };
  if (named[place].length === 0) return missing(place);
  const accounts = Object.values(named).flat();
  if (accounts.some((account) => account.length > 128 || account === ""))
    return problem("bad_request", "an account identifier has 1 to 128 characters");
  if (accounts.some((account) => account !== token.account))
    return problem("forbidden", "the token does not belong to the account that the request names");
  return null;
}

function missing(place: "header" | "query" | "path"): Problem {
  if (place === "header") return problem("bad_request", "the header Platform-Account is missing");
  const fields = [{ field: "accountIdentifier", error: "is required" }];
  return problem("bad_request", "the query parameter accountIdentifier is missing", { fields });
}

/** The pieces of a registry's reference, without the plus sign at its end. */
const piecesOf = ({ registry_ref = "" }: AccessRequest["params"]): readonly string[] =>
  registry_ref.split("/").slice(0, -1);

type ProjectScope = { readonly org: string | undefined; readonly project: string | undefined };

/** Where a request reaches, by service; null: the whole account; `body`: its handler reads it in the body. */
const SCOPES: Readonly<Record<ApiName, (asked: AccessRequest) => ProjectScope | "body" | null>> = {
  provisioning: ({ params }) => ({ org: params["org"], project: params["project"] }),
  cost: () => null,
  flags: ({ query }) => inQuery(query),
  code: ({ query }) => inQuery(query),
  registry: ({ params }) => {
    const [, org, project, registry] = piecesOf(params);
    return registry === undefined ? null : { org, project };
  },
  tollgate: ({ operation }) => (operation === "ingest" ? "body" : null),
};

const inQuery = (query: URLSearchParams): ProjectScope | null => {
  const [orgs, projects] = [query.getAll("orgIdentifier"), query.getAll("projectIdentifier")];
  return orgs.length === 1 && projects.length === 1 ? { org: orgs[0], project: projects[0] } : null;
};

function outside(token: Token, asked: AccessRequest): Problem<"forbidden"> | null {
  const scope = SCOPES[asked.api](asked);
  if (scope === "body") return null;
  return scope === null || scope.org === undefined || scope.project === undefined
    ? problem("forbidden", "the token is bound to one org and project, and this operation is the account's")
    : refusal(token, { org: scope.org, project: scope.project });
}

/** Why the token may not touch a project; null when it may. The same words whether the project exists or not. */
export function refusal(
  token: Token,
  project: { org: string; project: string },
): Problem<"forbidden"> | null {
  if (token.purpose === "api") return null;
  if (token.org === project.org && token.project === project.project) return null;
  return problem("forbidden", "the token is bound to another org or project");
}
