import { systemClock } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { revokeToken } from "../store/tokens.ts";
import {
  buildRevocationRequest,
  buildTokenRequest,
  grantToken,
  type ListedToken,
  RevokedToken,
  readTokens,
  TOKENS_REQUEST,
  TokenList,
  type TokenRequest,
  TokenResult,
} from "../web/local/tokens.ts";
import { askProcess, readAnswer } from "./process/ask-process.ts";
import { useStore } from "./process/use-store.ts";

export type { ListedToken };

/** Creates a token. Throws what `useStore` throws. */
export const makeToken = (settings: Settings, request: TokenRequest): Promise<TokenResult> =>
  useStore(settings, {
    request: buildTokenRequest(request),
    readAnswer: (body) => readAnswer(body, TokenResult),
    useDatabase: (db) => grantToken({ db, clock: systemClock, account: settings.platform.account }, request),
  });

/** Requests a token from the Tollgate process that uses the data directory, which listens at `url`; null: no process answers. */
export async function askForToken(
  settings: Settings,
  request: TokenRequest,
): Promise<{ readonly url: string; readonly result: TokenResult } | null> {
  const answer = await askProcess(settings, buildTokenRequest(request));
  if (answer.state !== "answered") return null; // the process ended without removing its file
  return { url: answer.url, result: await readAnswer(answer.body, TokenResult) };
}

/** Revokes a token in the process that uses the data directory. False: no such token is valid there; null: no process answers. */
export async function askForRevocation(settings: Settings, id: string): Promise<boolean | null> {
  const answer = await askProcess(settings, buildRevocationRequest(id));
  return answer.state === "answered" ? (await readAnswer(answer.body, RevokedToken)).revoked : null;
}

/** Returns the tokens of people and CI jobs, newest first. Throws what `useStore` throws. */
export const readStoredTokens = (settings: Settings): Promise<readonly ListedToken[]> =>
  useStore(settings, {
    request: TOKENS_REQUEST,
    readAnswer: async (body) => (await readAnswer(body, TokenList)).tokens,
    useDatabase: (db) => readTokens({ db, clock: systemClock }),
  });

/**
 * Revokes a token, for running processes from their next request on.
 *
 * @throws TollgateError `usage` when no such token is valid, and what `useStore` throws
 */
export async function revokeStoredToken(settings: Settings, id: string): Promise<void> {
  const isRevoked = await useStore(settings, {
    request: buildRevocationRequest(id),
    readAnswer: async (body) => (await readAnswer(body, RevokedToken)).revoked,
    useDatabase: (db) => revokeToken(db, id, systemClock),
  });
  if (isRevoked) return;
  throw new TollgateError("usage", `no valid token has the id ${JSON.stringify(id)}`, {
    hint: "`tollgate token list --all` shows the ids, and which tokens are revoked already.",
  });
}
