import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Hono } from "hono";
import type { Logger } from "pino";
import { fetch as undiciFetch } from "undici";
import { parse } from "yaml";
import { z } from "zod";
import { resolveGitHubPagesUrl } from "../../github/client/api-addresses.ts";
import type { Fetch } from "../../github/client/guarded-fetch.ts";
import type { AppDefinition } from "../../github/registration/manifest.ts";
import { systemClock } from "../../kernel/clock.ts";
import { getShippedFile } from "../../package/shipped-files.ts";
import { isPlatformPath } from "../../platform-server/server.ts";
import { findKeyProblem } from "../../settings/private-key.ts";
import type { Settings } from "../../settings/settings.ts";
import { NO_TELEMETRY } from "../../telemetry/telemetry.ts";
import { createHealth, createHealthRoutes } from "../../web/health.ts";
import { SetupAccess } from "../../web/setup/access.ts";
import type { CredentialsForm, RegistrationForm } from "../../web/setup/form.ts";
import { SETUP_PATH } from "../../web/setup/pages.ts";
import { setupRoutes } from "../../web/setup/routes.ts";
import { createWebApp } from "../../web/web-app.ts";
import { buildMigrationsPart } from "../health-parts.ts";
import { type ConnectedPlatform, connectPlatform } from "../platform/connect.ts";
import { startHttpServer } from "../process/http-server.ts";
import { openSession, type StoreSession } from "../process/store-session.ts";
import { readOperatorTemplates } from "../process/templates.ts";
import { saveSettings } from "./credentials-file.ts";
import { type Registration, Registrations } from "./registrations.ts";
import { verifyCredentials } from "./verify-credentials.ts";

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

const LOOPBACK = "127.0.0.1";

/**
 * Starts the setup pages and the embedded platform: on loopback, or with SETUP_HOST on the addresses of HOST.
 *
 * @throws TollgateError as `openSession`; `settings_invalid` for templates, which are used once the bot runs; `port_unusable`
 */
export async function startSetup(options: SetupOptions): Promise<RunningSetup> {
  const { settings, log } = options;
  readOperatorTemplates(settings.templatesDirectory);
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
    const pages = createSetupPages(options, () => address.port);
    const app = createWebApp((error) => log.error({ error }, "a setup page failed"))
      .route("/", buildHealthRoutes(session))
      .route("/", buildPages(pages, platform));
    const host = settings.setupHost === undefined ? LOOPBACK : (settings.host ?? undefined);
    const server = await startHttpServer({ port: settings.port, host, handlers: [], app });
    closing.push(server.close);
    address.port = server.port;
    options.announce(pages.link());
    return { url: `http://${LOOPBACK}:${server.port}/`, registered: pages.registered, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function buildPages(pages: SetupPages, { embedded }: ConnectedPlatform): Hono {
  const app = new Hono();
  app.use(async ({ req }, next) =>
    embedded !== null && isPlatformPath(req.path) ? embedded.app.fetch(req.raw) : next(),
  );
  return app.route("/", pages.app);
}

/** The process works, and can do nothing for GitHub yet: a supervisor must neither restart it nor send it deliveries. */
const buildHealthRoutes = (session: StoreSession): Hono =>
  createHealthRoutes(
    createHealth({
      findDatabaseFault: session.findFault,
      parts: [
        buildMigrationsPart(session),
        { name: "github", examine: async () => ({ state: "failed", reason: "no App is registered yet" }) },
      ],
    }),
  );

interface SetupPages {
  readonly app: ReturnType<typeof setupRoutes>;
  /** Resolves after the credentials are saved. */
  readonly registered: Promise<void>;
  /** Returns the link that opens the pages next time. */
  readonly link: () => string;
}

/** Builds the setup pages alone. `getPort`: the port on which they are served. */
export function createSetupPages(
  { settings, file, announce, fetch = undiciFetch }: SetupOptions,
  getPort: () => number,
): SetupPages {
  const registered = Promise.withResolvers<void>();
  const remoteOrigin = () => formatRemoteOrigin(settings.setupHost, getPort());
  const link = (code: string) =>
    `${remoteOrigin() ?? `http://${LOOPBACK}:${getPort()}`}${SETUP_PATH}?code=${code}`;
  const access = new SetupAccess({
    createSecret: createState,
    clock: systemClock,
    announce: (code) => announce(link(code)),
  });
  const calls = { fetch, clock: systemClock };
  const registrations = new Registrations({ ...calls, definition: readDefinition(), createState });
  const save = (found: Readonly<Record<string, string>>) => {
    saveSettings(file, found);
    registered.resolve();
  };
  const withKnownUrl = <T extends { readonly gheHost: string | null }>(form: T): T =>
    form.gheHost !== null && form.gheHost === getHost(settings.githubUrl)
      ? { ...form, gheHost: settings.githubUrl }
      : form;
  const app = setupRoutes({
    known: { public_url: settings.publicUrl ?? "", host: getHost(settings.githubUrl) },
    begin: (form, origin) => registrations.begin(withKnownUrl(form), origin),
    finish: async (state, code) => {
      const finished = await registrations.finish(state, code);
      if (!finished.ok) return finished;
      save(toSettings(finished.value));
      const { app: own, form } = finished.value;
      const rulesUrl = formatRulesUrl(form);
      return {
        ok: true,
        next: { installUrl: formatInstallUrl(own.pageUrl), publicUrl: form.publicUrl, rulesUrl },
      };
    },
    saveExisting: async (entered) => {
      const form = withKnownUrl(entered);
      const app = await verifyCredentials(form, calls);
      if (!app.ok) return app;
      save(toExistingSettings(form));
      const installUrl = formatInstallUrl(app.pageUrl);
      return { ok: true, next: { installUrl, publicUrl: settings.publicUrl, rulesUrl: null } };
    },
    findKeyProblem,
    access,
    remoteOrigin,
  });
  return { app, registered: registered.promise, link: () => link(access.code) };
}

const formatInstallUrl = (pageUrl: string): string => `${pageUrl}/installations/new`;

/** The organisation's page for rulesets; null for a personal account. */
const formatRulesUrl = ({ owner, gheHost }: RegistrationForm): string | null =>
  owner.kind === "personal"
    ? null
    : `${resolveGitHubPagesUrl(gheHost)}/organizations/${owner.login}/settings/rules`;

/** The origin of SETUP_HOST: a URL as it is, a host with its port or with that of the server. */
function formatRemoteOrigin(setupHost: string | undefined, port: number): string | null {
  if (setupHost === undefined) return null;
  if (setupHost.includes("://")) return setupHost;
  return `http://${/:\d+$/.test(setupHost) ? setupHost : `${setupHost}:${port}`}`;
}

/** Returns 128 random bits as hex. */
const createState = (): string => randomBytes(16).toString("hex");

const getHost = (githubUrl: string | null): string => (githubUrl === null ? "" : new URL(githubUrl).host);

type AppCredentials = Omit<CredentialsForm, "gheHost">;

const toCredentialSettings = ({ appId, privateKey, webhookSecret }: AppCredentials) => ({
  APP_ID: String(appId),
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: webhookSecret,
});

const toExistingSettings = (form: CredentialsForm): Record<string, string> => ({
  ...toCredentialSettings(form),
  ...(form.gheHost === null ? {} : { GHE_HOST: form.gheHost }),
});

const toSettings = ({ app, form: { gheHost, publicUrl } }: Registration): Record<string, string> => ({
  ...toCredentialSettings(app),
  ...(app.signIn === null
    ? {}
    : { GITHUB_CLIENT_ID: app.signIn.clientId, GITHUB_CLIENT_SECRET: app.signIn.clientSecret }),
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
