import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { TollgateError } from "../../kernel/errors.ts";
import { getCodeFile } from "../../package/shipped-files.ts";
import { readClientSettings } from "../../settings/client.ts";
import { type Environment, readEnvironment, readSettings } from "../../settings/read.ts";
import type { Settings } from "../../settings/settings.ts";
import { INTERNAL_CREATOR } from "../../store/tokens.ts";
import type { TokenRequest } from "../../web/local/tokens.ts";
import type { ResolveLocalPlatform } from "../import/run.ts";
import { askForRevocation, askForToken } from "../local-store.ts";
import { createLog } from "../process/log.ts";
import { openSession } from "../process/store-session.ts";
import { startEmbeddedPlatform } from "./embedded.ts";

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
  const running = await askForToken(settings, WHOLE_ACCOUNT);
  if (running?.result.state === "created") {
    const { id, secret } = running.result;
    const close = () => askForRevocation(settings, id);
    return { url: running.url, token: secret, account, close };
  }
  if (settings.databaseUrl === null) {
    return { ...(await spawnPlatform(settings, environment)), account };
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

const COMMAND = getCodeFile("cli/tollgate.js");
const PATIENCE_MS = 30_000;

/**
 * Runs the embedded platform in a separate process while a command needs it, so that its memory does not add
 * to that of the command. V8's optimising WebAssembly compiler alone would need half a gigabyte, so it is
 * disabled there.
 *
 * @throws TollgateError `platform_failed`, with the output of the process
 */
async function spawnPlatform(settings: Settings, environment: Environment) {
  const child = spawn(process.execPath, ["--liftoff-only", COMMAND, "platform", "serve"], {
    env: { ...environment, HOST: "127.0.0.1", PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderrChunks: string[] = [];
  child.stderr.on("data", (chunk) => stderrChunks.push(String(chunk)));
  const ended = once(child, "exit").then(() => {
    throw new TollgateError(
      "platform_failed",
      `the embedded platform did not start: ${stderrChunks.join("").trim()}`,
    );
  });
  ended.catch(() => {}); // the process also ends when it is not needed any longer
  const { url, id, token } = await Promise.race([ended, waitUntilReady(settings)]);
  return {
    url,
    token,
    close: async () => {
      await askForRevocation(settings, id);
      child.kill("SIGTERM");
      await ended.catch(() => {});
    },
  };
}

async function waitUntilReady(settings: Settings): Promise<{ url: string; id: string; token: string }> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(100)) {
    const running = await askForToken(settings, WHOLE_ACCOUNT);
    if (running?.result.state === "created")
      return { url: running.url, id: running.result.id, token: running.result.secret };
  }
  throw new TollgateError("platform_failed", "the embedded platform did not answer within 30 s");
}
