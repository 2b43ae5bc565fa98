import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { TollgateError } from "../../kernel/errors.ts";
import { getCodeFile } from "../../package/shipped-files.ts";
import type { Environment } from "../../settings/read.ts";
import type { Settings } from "../../settings/settings.ts";
import type { TokenRequest } from "../../web/local/tokens.ts";
import { askRunning, revokeRunning } from "../process/running-file.ts";

const COMMAND = getCodeFile("cli/tollgate.js");
const PATIENCE_MS = 30_000;

export interface PlatformProcess {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Runs the embedded platform in a separate process while a command needs it, so that its memory does not add
 * to that of the command. V8's optimising WebAssembly compiler alone would need half a gigabyte, so it is
 * disabled there.
 *
 * @throws TollgateError `platform_failed`, with the output of the process
 */
export async function spawnPlatform(
  { settings, environment }: { settings: Settings; environment: Environment },
  request: TokenRequest,
): Promise<PlatformProcess> {
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
  const { url, id, token } = await Promise.race([ended, waitUntilReady(settings, request)]);
  return {
    url,
    token,
    close: async () => {
      await revokeRunning(settings, id);
      child.kill("SIGTERM");
      await ended.catch(() => {});
    },
  };
}

async function waitUntilReady(
  settings: Settings,
  request: TokenRequest,
): Promise<{ url: string; id: string; token: string }> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(100)) {
    const running = await askRunning(settings, request);
    if (running?.result.state === "created")
      return { url: running.url, id: running.result.id, token: running.result.secret };
  }
  throw new TollgateError("platform_failed", "the embedded platform did not answer within 30 s");
}
