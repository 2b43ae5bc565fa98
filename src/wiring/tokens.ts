import { systemClock } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { revokeToken } from "../store/tokens.ts";
import {
  grantToken,
  type ListedToken,
  readTokens,
  TOKENS_REQUEST,
  TokenList,
  type TokenRequest,
  type TokenResult,
} from "../web/local/tokens.ts";
import { type Database, openDatabase } from "./database/open-database.ts";
import { readAnswer } from "./process/answer-lines.ts";
import { readStore } from "./process/read-store.ts";
import { askRunning, revokeRunning } from "./process/running-file.ts";
import { getStoreLocation } from "./process/store-location.ts";

export type { ListedToken };

/** Creates a token: through the Tollgate process that uses the data directory, otherwise in the database itself. */
export async function makeToken(settings: Settings, request: TokenRequest): Promise<TokenResult> {
  const running = await askRunning(settings, request);
  if (running !== null) return running.result;
  const { account } = settings.platform;
  return withDatabase(settings, ({ db }) => grantToken({ db, clock: systemClock, account }, request));
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
    (await revokeRunning(settings, id)) ??
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
