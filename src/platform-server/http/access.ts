import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { ACCOUNT_HEADERS } from "../../platform/contract/dialect.ts";
import type { Tables } from "../../store/tables.ts";
import { type Token, verifyToken } from "../../store/tokens.ts";
import { useFlagKey } from "../flag-keys/use.ts";
import { type Problem, problem } from "./problem.ts";

interface Door {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/** Who is calling, or why they may not: 401 without a valid token, then the account header. The token says which account it is. */
export async function authenticate(door: Door, headers: Headers): Promise<Token | Problem> {
  const key = headers.get("x-api-key") ?? "";
  const token = await verifyToken(door.db, key, door.clock);
  if (token === null)
    return (await useFlagKey(door, key)) === "valid"
      ? problem("forbidden", "a key of an environment opens nothing here: it is for SDKs")
      : problem("unauthorized", "the header x-api-key holds no valid token");
  const accounts = ACCOUNT_HEADERS.flatMap((name) => headers.get(name) ?? []);
  if (accounts.length === 0) return problem("bad_request", "the header Platform-Account is missing");
  if (accounts.some((account) => account.length > 128 || account === ""))
    return problem("bad_request", "the header Platform-Account must have 1 to 128 characters");
  if (accounts.some((account) => account !== token.account))
    return problem("forbidden", "the token does not belong to the account in the header Platform-Account");
  if (token.purpose === "notify") return problem("forbidden", "a token for notifications opens nothing here");
  return token;
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
