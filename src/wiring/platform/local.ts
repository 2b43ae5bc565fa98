import { systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { readClientSettings } from "../../settings/client.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import type { Settings } from "../../settings/settings.ts";
import { grantToken, type TokenRequest, type TokenResult } from "../../web/local/tokens.ts";
import { openDatabase } from "../database/open-database.ts";
import type { ResolveLocalPlatform } from "../import/run.ts";
import { createLog } from "../process/log.ts";
import { askRunning, revokeRunning } from "../process/running-file.ts";
import { getStoreLocation } from "../process/store-location.ts";
import { openSession } from "../process/store-session.ts";
import { startEmbeddedPlatform } from "./embedded.ts";
import { spawnPlatform } from "./process.ts";

const WHOLE_ACCOUNT: TokenRequest = { purpose: "api", repository: null, org: null, project: null };

/**
 * Returns the embedded platform of this machine for an import: the running one, or one that is started for
 * the import.
 */
export const resolveLocalPlatform: ResolveLocalPlatform = async () => {
  const environment = readEnvironment();
  const settings = readSettings(environment);
  const { account, kind } = settings.platform;
  if (kind === "remote") {
    throw new TollgateError("usage", "PLATFORM_URL is set, so this machine has no embedded platform", {
      hint: "Name the platform to import into with --url and --token.",
    });
  }
  if (readClientSettings(environment).isCi) {
    throw new TollgateError("usage", "no Tollgate is named, and a CI job has none of its own", {
      hint: "Set TOLLGATE_URL, and TOLLGATE_TOKEN or the job's `permissions: id-token: write`.",
    });
  }
  const running = await askRunning(settings, WHOLE_ACCOUNT);
  if (running?.result.state === "created") {
    const { id, secret } = running.result;
    return { url: running.url, token: secret, account, close: () => revokeRunning(settings, id) };
  }
  if (settings.databaseUrl === null) {
    return { ...(await spawnPlatform({ settings, environment }, WHOLE_ACCOUNT)), account };
  }
  const log = createLog("warn");
  const session = await openSession(settings, log);
  const embedded = await startEmbeddedPlatform(session, settings, log);
  return {
    url: embedded.url,
    token: embedded.token,
    account,
    close: async () => {
      await embedded.close();
      await session.close();
    },
  };
};

/**
 * Creates a token: through the Tollgate process that uses the data directory, otherwise in the database
 * itself.
 */
export async function makeToken(settings: Settings, request: TokenRequest): Promise<TokenResult> {
  const running = await askRunning(settings, request);
  if (running !== null) return running.result;
  const store = await openDatabase(getStoreLocation(settings), () => {});
  try {
    return await grantToken(
      { db: store.db, clock: systemClock, account: settings.platform.account },
      request,
    );
  } finally {
    await store.close();
  }
}
