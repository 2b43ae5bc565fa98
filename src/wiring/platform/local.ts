import { TollgateError } from "../../kernel/errors.ts";
import { readClientSettings } from "../../settings/ci.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { INTERNAL_CREATOR } from "../../store/tokens.ts";
import type { TokenRequest } from "../../web/local/tokens.ts";
import type { ResolveLocalPlatform } from "../import/run.ts";
import { askForRevocation, askForToken } from "../local-store.ts";
import { openInSteps } from "../open-in-steps.ts";
import { createLog } from "../process/log.ts";
import { openSession } from "../process/store-session.ts";
import {
  createEmbeddedPlatform,
  createInProcessTransport,
  IN_PROCESS_URL,
  workPlatformJobs,
} from "./embedded.ts";

const WHOLE_ACCOUNT: TokenRequest = {
  ...{ purpose: "api", repository: null, org: null, project: null },
  created_by: INTERNAL_CREATOR,
};

/** Returns the embedded platform of this machine for a command: that of the running process, or one in this process. */
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
  const running = await askForToken(settings, WHOLE_ACCOUNT);
  if (running !== null) {
    const { id, secret } = running.output;
    return { url: running.url, token: secret, account, close: () => askForRevocation(settings, id) };
  }
  return openInSteps(async (opening) => {
    const log = createLog("warn");
    const session = await openSession(settings, log);
    opening.defer(session.close);
    const embedded = await createEmbeddedPlatform(session, settings, { log });
    opening.defer(embedded.close);
    // Nobody else does what operations leave to a job; a database of several processes has a server that does.
    if (settings.databaseUrl === null) await workPlatformJobs(session, embedded);
    return {
      ...{ url: IN_PROCESS_URL, token: embedded.token, account },
      transport: createInProcessTransport((request) => embedded.app.fetch(request)),
      close: () => opening.disposeAsync(),
    };
  });
};
