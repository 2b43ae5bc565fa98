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
import { type Database, openDatabase } from "./database/open-database.ts";
import { readAnswer } from "./process/answer-lines.ts";
import { askProcess } from "./process/ask-process.ts";
import { readStore } from "./process/read-store.ts";
import { getStoreLocation } from "./process/store-location.ts";

export type { ListedToken };

/** Creates a token: through the Tollgate process that uses the data directory, otherwise in the database itself. */
export async function makeToken(settings: Settings, request: TokenRequest): Promise<TokenResult> {
  const running = await askForToken(settings, request);
  if (running !== null) return running.result;
  const { account } = settings.platform;
  return withDatabase(settings, ({ db }) => grantToken({ db, clock: systemClock, account }, request));
}

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

/** Returns the tokens of people and CI jobs, newest first. Throws what `readStore` throws. */
export const readStoredTokens = (settings: Settings): Promise<readonly ListedToken[]> =>
  readStore(settings, {
    request: TOKENS_REQUEST,
    readAnswer: async (body) => (await readAnswer(body, TokenList)).tokens,
    readDatabase: (db) => readTokens({ db, clock: systemClock }),
  });

/**
 * Revokes a token, for running processes from their next request on.
 *
 * @throws TollgateError `usage` when no such token is valid, and what `openDatabase` throws
 */
export async function revokeStoredToken(settings: Settings, id: string): Promise<void> {
  const isRevoked =
    (await askForRevocation(settings, id)) ??
    (await withDatabase(settings, ({ db }) => revokeToken(db, id, systemClock)));
  if (isRevoked) return;
  throw new TollgateError("usage", `no valid token has the id ${JSON.stringify(id)}`, {
    hint: "`tollgate token list --all` shows the ids, and which tokens are revoked already.",
  });
}

async function withDatabase<T>(settings: Settings, use: (store: Database) => Promise<T>): Promise<T> {
  const store = await openDatabase(getStoreLocation(settings), () => {});
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
