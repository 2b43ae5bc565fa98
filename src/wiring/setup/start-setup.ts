import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Hono } from "hono";
import type { Logger } from "pino";
import { fetch as undiciFetch } from "undici";
import { parse } from "yaml";
import { z } from "zod";
import type { Fetch } from "../../github/client/guarded-fetch.ts";
import type { AppDefinition } from "../../github/registration/manifest.ts";
import { systemClock } from "../../kernel/clock.ts";
import { getShippedFile } from "../../package/shipped-files.ts";
import { isPlatformPath } from "../../platform-server/server.ts";
import type { Settings } from "../../settings/settings.ts";
import { NO_TELEMETRY } from "../../telemetry/telemetry.ts";
import { SetupAccess } from "../../web/setup/access.ts";
import { SETUP_PATH, setupRoutes } from "../../web/setup/routes.ts";
import { createWebApp } from "../../web/web-app.ts";
import { type ConnectedPlatform, connectPlatform } from "../platform/connect.ts";
import { startHttpServer } from "../process/http-server.ts";
import { openSession } from "../process/store-session.ts";
import { loadOperatorTemplates } from "../process/templates.ts";
import { saveSettings } from "./credentials-file.ts";
import { type Registration, Registrations } from "./registrations.ts";

/** A Tollgate without a GitHub App: serves the setup pages and the embedded platform. */
export interface RunningSetup {
  /** URL of its server. The link that opens the setup pages is announced separately. */
  readonly url: string;
  /** Resolves after the credentials are saved and the last page was sent. */
  readonly registered: Promise<void>;
  stop(): Promise<void>;
}

export interface SetupOptions {
  readonly settings: Settings;
  /** The `.env` file to which the credentials are written. */
  readonly file: string;
  readonly log: Logger;
  /** Shows the operator the link that opens the pages; called again when somebody opens a used link. */
  readonly announce: (link: string) => void;
  /** Fetch for GitHub; default: undici's. */
  readonly fetch?: Fetch;
}

const HOST = "127.0.0.1";

/**
 * Starts the setup pages and the embedded platform on loopback.
 *
 * @throws TollgateError as `openSession`; `settings_invalid` for templates, which are used once the bot runs; `port_unusable`
 */
export async function startSetup(options: SetupOptions): Promise<RunningSetup> {
  const { settings, log } = options;
  loadOperatorTemplates(settings.templatesDirectory);
  const closing: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const session = await openSession(settings, log);
    closing.push(session.close);
    const platform = await connectPlatform(settings, session, { log, telemetry: NO_TELEMETRY });
    closing.push(platform.close);
    const address = { port: settings.port };
    const pages = createSetupPages(options, () => `http://${HOST}:${address.port}`);
    const app = buildSetupApp(pages, platform, log);
    const server = await startHttpServer({ port: settings.port, host: HOST, handlers: [], app });
    closing.push(server.close);
    address.port = server.port;
    options.announce(pages.link());
    return { url: `http://${HOST}:${server.port}/`, registered: pages.registered, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function buildSetupApp(pages: SetupPages, { embedded }: ConnectedPlatform, log: Logger): Hono {
  const app = createWebApp((error) => log.error({ error }, "a setup page failed"));
  app.use(async ({ req }, next) =>
    embedded !== null && isPlatformPath(req.path) ? embedded.app.fetch(req.raw) : next(),
  );
  return app.route("/", pages.app);
}

interface SetupPages {
  readonly app: Hono;
  /** Resolves after the credentials are saved. */
  readonly registered: Promise<void>;
  /** Returns the link that opens the pages next time. */
  readonly link: () => string;
}

/** Builds the setup pages alone. `setupUrl`: their URL, without a slash at the end. */
export function createSetupPages(
  { settings, file, announce, fetch = undiciFetch }: SetupOptions,
  setupUrl: () => string,
): SetupPages {
  const registered = Promise.withResolvers<void>();
  const link = (code: string) => `${setupUrl()}${SETUP_PATH}?code=${code}`;
  const access = new SetupAccess({
    createSecret: createState,
    clock: systemClock,
    announce: (code) => announce(link(code)),
  });
  const registrations = new Registrations({
    definition: readDefinition(),
    fetch,
    clock: systemClock,
    createState: createState,
  });
  const save = (found: Readonly<Record<string, string>>) => {
    saveSettings(file, found);
    registered.resolve();
  };
  const app = setupRoutes({
    known: { public_url: settings.publicUrl ?? "", host: getHost(settings.githubUrl) },
    begin: (form, origin) => registrations.begin(form, origin),
    finish: async (state, code) => {
      const finished = await registrations.finish(state, code);
      if (!finished.ok) return finished;
      save(toSettings(finished.value));
      return { ok: true, installUrl: `${finished.value.app.pageUrl}/installations/new` };
    },
    saveExisting: (form) => save(toCredentialSettings(form)),
    access,
  });
  return { app, registered: registered.promise, link: () => link(access.code) };
}

/** Returns 128 random bits as hex. */
const createState = (): string => randomBytes(16).toString("hex");

const getHost = (githubUrl: string | null): string => (githubUrl === null ? "" : new URL(githubUrl).host);

interface AppCredentials {
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
}

const toCredentialSettings = ({ appId, privateKey, webhookSecret }: AppCredentials) => ({
  APP_ID: String(appId),
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: webhookSecret,
});

const toSettings = ({ app, form: { gheHost, publicUrl } }: Registration): Record<string, string> => ({
  ...toCredentialSettings(app),
  ...(gheHost === null ? {} : { GHE_HOST: gheHost }),
  ...(publicUrl === null ? {} : { PUBLIC_URL: publicUrl }),
});

const Definition = z.object({
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.enum(["read", "write"])),
  default_events: z.array(z.string()),
});

const readDefinition = (): AppDefinition =>
  Definition.parse(parse(readFileSync(getShippedFile("app.yml"), "utf8")));
