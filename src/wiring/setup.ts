import { existsSync, readFileSync } from "node:fs";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "pino";
import { type Credentials, startSetup } from "../github/setup.ts";
import { isPlatformPath } from "../platform-server/server.ts";
import type { Settings } from "../settings/settings.ts";
import { connectPlatform } from "./platform/connect.ts";
import { writePrivately } from "./process/private-file.ts";
import { openSession } from "./store-session.ts";

/** A Tollgate without a GitHub App: the pages that register one, and the embedded platform. */
export interface SetupRunning {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the setup pages on loopback; the embedded platform answers beside them. Credentials go to the `.env` file. */
export async function startUnconfigured(
  settings: Settings,
  environment: Record<string, string | undefined>,
  log: Logger,
): Promise<SetupRunning> {
  const session = await openSession(settings, log);
  const platform = await connectPlatform(settings, session, log);
  const setup = await startSetup({
    port: settings.port,
    publicUrl: settings.publicUrl,
    environment,
    save: (credentials) => saveCredentials(".env", credentials),
    log: log.child({}, { level: "warn" }),
  });
  const { embedded } = platform;
  if (embedded !== null) {
    const listener = getRequestListener(embedded.app.fetch);
    setup.addHandler(async (request, response) => {
      if (!isPlatformPath(new URL(request.url ?? "/", "http://localhost").pathname)) return false;
      await listener(request, response);
      return true;
    });
  }
  return {
    url: setup.url,
    stop: async () => {
      await setup.stop();
      await platform.close();
      await session.close();
    },
  };
}

/** Adds what registering the App brought to a `.env` file that only this account can read; a value that is there is replaced. */
export function saveCredentials(path: string, credentials: Credentials): void {
  const known = existsSync(path) ? readFileSync(path, "utf8") : "";
  const kept = known
    .split("\n")
    .filter((line) => line !== "" && !Object.keys(credentials).some((name) => line.startsWith(`${name}=`)));
  const added = Object.entries(credentials).map(
    ([name, value]) => `${name}="${value.replaceAll(/\r?\n/g, "\\n")}"`,
  );
  writePrivately(path, [...kept, ...added, ""].join("\n"));
}
