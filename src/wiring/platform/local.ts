import { TollgateError } from "../../kernel/errors.ts";
import { readClientSettings } from "../../settings/client.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { INTERNAL_CREATOR } from "../../store/tokens.ts";
import type { TokenRequest } from "../../web/local/tokens.ts";
import type { ResolveLocalPlatform } from "../import/run.ts";
import { createLog } from "../process/log.ts";
import { askRunning, revokeRunning } from "../process/running-file.ts";
import { openSession } from "../process/store-session.ts";
import { startEmbeddedPlatform } from "./embedded.ts";
import { spawnPlatform } from "./process.ts";

const WHOLE_ACCOUNT: TokenRequest = {
  ...{ purpose: "api", repository: null, org: null, project: null },
  created_by: INTERNAL_CREATOR,
};

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
      hint: "Name the platform to import into: set TOLLGATE_URL and TOLLGATE_TOKEN.",
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
    const close = async () => void (await revokeRunning(settings, id));
    return { url: running.url, token: secret, account, close };
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
