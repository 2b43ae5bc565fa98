import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createAppAuth } from "@octokit/auth-app";
import type { Logger } from "pino";
import { fetch as undiciFetch } from "undici";
import { type Fetch, resolveGitHubApiUrl, resolveGitHubPagesUrl } from "../github/client/guarded-fetch.ts";
import { createOctokit } from "../github/client/octokit.ts";
import { toResult } from "../github/client/read-answer.ts";
import { readRegisteredApp } from "../github/inspection/read-app.ts";
import {
  type AppOwner,
  buildAppManifest,
  buildRegistrationUrl,
  exchangeCode,
  type RegisteredApp,
} from "../github/registration.ts";
import { createUserTokens, NO_TOKEN } from "../github/user-tokens.ts";
import { type Clock, HOUR_MS, systemClock } from "../kernel/clock.ts";
import { findKeyProblem, type Settings } from "../settings/read.ts";
import { NO_TELEMETRY } from "../telemetry/telemetry.ts";
import { createHealthRoutes } from "../web/health.ts";
import type { CredentialsForm, FormValues, RegistrationForm } from "../web/setup/form.ts";
import { type BegunRegistration, createSetupAccess, setupRoutes } from "../web/setup/routes.ts";
import { SETUP_PATH } from "../web/setup/setup-pages.ts";
import { createWebApp } from "../web/web-app.ts";
import { readAppDefinition } from "./github.ts";
import { createSessionHealth } from "./health-parts.ts";
import { openInSteps } from "./open-in-steps.ts";
import { connectPlatform } from "./platform/connect.ts";
import { startHttpServer } from "./process/http-server.ts";
import { writePrivateFile } from "./process/running-file.ts";
import { openSession } from "./process/store-session.ts";
import { readOperatorTemplates } from "./process/templates.ts";

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
  return openInSteps(async (opening) => {
    const session = await openSession(settings, log);
    opening.defer(session.close);
    const platform = await connectPlatform(settings, session, { log, telemetry: NO_TELEMETRY });
    opening.defer(platform.close);
    const address = { port: settings.port };
    const pages = createSetupPages(options, () => address.port);
    // The process can do nothing for GitHub yet: a supervisor must neither restart it nor send it deliveries.
    const noApp = { state: "failed", reason: "no App is registered yet" } as const;
    const health = createSessionHealth(session, [{ name: "github", examine: async () => noApp }]);
    const app = createWebApp((error) => log.error({ error }, "a setup page failed"));
    app.route("/", createHealthRoutes(health));
    if (platform.embedded !== null) app.route("/", platform.embedded.app);
    app.route("/", pages.app);
    const host = settings.setupHost === undefined ? LOOPBACK : (settings.host ?? undefined);
    const server = await startHttpServer({ port: settings.port, host, handlers: [], app });
    opening.defer(server.close);
    address.port = server.port;
    options.announce(pages.link());
    return {
      url: `http://${LOOPBACK}:${server.port}/`,
      registered: pages.registered,
      stop: () => opening.disposeAsync(),
    };
  });
}

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
  const access = createSetupAccess({
    createSecret: createState,
    clock: systemClock,
    announce: (code) => announce(link(code)),
  });
  const calls = { fetch, clock: systemClock };
  const registrations = createRegistrations(calls);
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
        next: {
          ...formatAppUrls(own.pageUrl, form.owner),
          ...{ publicUrl: form.publicUrl, rulesUrl, hasSignIn: own.signIn !== null },
        },
      };
    },
    saveExisting: async (entered) => {
      const form = withKnownUrl(entered);
      const app = await verifyCredentials(form, calls);
      if (!app.ok) return app;
      save(toExistingSettings(form));
      const hasSignIn = form.signIn !== null;
      const next = {
        ...formatAppUrls(app.pageUrl, app.owner),
        publicUrl: settings.publicUrl,
        rulesUrl: null,
      };
      return { ok: true, next: { ...next, hasSignIn } };
    },
    findKeyProblem,
    access,
    remoteOrigin,
  });
  return { app, registered: registered.promise, link: () => link(access.getCode()) };
}

/** GitHub's pages that install the App and that have its settings; `pageUrl`: that of the App. */
function formatAppUrls(pageUrl: string, owner: AppOwner) {
  const account = owner.kind === "organization" ? `/organizations/${owner.login}` : "";
  const [root = "", slug = ""] = pageUrl.split(/\/(?:github-)?apps\//);
  return {
    installUrl: `${pageUrl}/installations/new`,
    settingsUrl: `${root}${account}/settings/apps/${slug}`,
  };
}

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

const createState = (): string => randomBytes(16).toString("hex");

const getHost = (githubUrl: string | null): string => (githubUrl === null ? "" : new URL(githubUrl).host);

type AppCredentials = Omit<CredentialsForm, "gheHost">;

const toCredentialSettings = ({ appId, privateKey, webhookSecret, signIn }: AppCredentials) => ({
  APP_ID: String(appId),
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: webhookSecret,
  ...(signIn !== null && { GITHUB_CLIENT_ID: signIn.clientId, GITHUB_CLIENT_SECRET: signIn.clientSecret }),
});

const toExistingSettings = (form: CredentialsForm): Record<string, string> => ({
  ...toCredentialSettings(form),
  ...(form.gheHost === null ? {} : { GHE_HOST: form.gheHost }),
});

const toSettings = ({ app, form: { gheHost, publicUrl } }: Registration): Record<string, string> => ({
  ...toCredentialSettings(app),
  ...(gheHost === null ? {} : { GHE_HOST: gheHost }),
  ...(publicUrl === null ? {} : { PUBLIC_URL: publicUrl }),
});

/** Adds settings to a `.env` file that only this account can read. Existing values are replaced. */
export function saveSettings(path: string, settings: Readonly<Record<string, string>>): void {
  const known = existsSync(path) ? readFileSync(path, "utf8") : "";
  const otherLines = known
    .split("\n")
    .filter((line) => line !== "" && !Object.keys(settings).some((name) => line.startsWith(`${name}=`)));
  const added = Object.entries(settings).map(
    ([name, value]) => `${name}="${value.replaceAll(/\r?\n/g, "\\n")}"`,
  );
  writePrivateFile(path, [...otherLines, ...added, ""].join("\n"));
}

/** The result of a completed registration, to be saved. */
interface Registration {
  readonly app: RegisteredApp;
  readonly form: RegistrationForm;
}

type FinishedRegistration =
  | { readonly ok: true; readonly value: Registration }
  | { readonly ok: false; readonly problem: string };

/** GitHub's code is valid for one hour; in ms. */
const EXPIRES_MS = HOUR_MS;

/** Registrations that were begun here and are not complete yet. */
function createRegistrations({ fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock }) {
  const definition = readAppDefinition();
  const pending = new Map<string, { readonly form: RegistrationForm; readonly atMs: number }>();
  return {
    /** Begins a registration. `setupUrl`: URL of the setup pages in the browser, without a slash at the end. */
    begin: (form: RegistrationForm, setupUrl: string): BegunRegistration => {
      const state = createState();
      pending.set(state, { form, atMs: clock.monotonicMs() });
      const { publicUrl } = form;
      return {
        state,
        action: buildRegistrationUrl(resolveGitHubPagesUrl(form.gheHost), form.owner, state),
        manifest: buildAppManifest(definition, { setupUrl, publicUrl }),
        webhook: publicUrl === null ? null : `${publicUrl}/api/github/webhooks`,
      };
    },
    /** Exchanges the code of a registration that was begun here. Each registration can be completed once. */
    finish: async (state: string, code: string): Promise<FinishedRegistration> => {
      const begun = pending.get(state);
      if (begun === undefined || clock.monotonicMs() - begun.atMs > EXPIRES_MS)
        return { ok: false, problem: "This registration was not begun here, or more than an hour ago." };
      const apiUrl = resolveGitHubApiUrl(begun.form.gheHost);
      const octokit = createOctokit({ apiUrl, fetch, clock, wait: (ms) => sleep(ms) });
      const answer = await exchangeCode(octokit, code);
      if (!answer.ok) return { ok: false, problem: PROBLEMS[answer.failure.kind] ?? UNAVAILABLE };
      pending.delete(state);
      return { ok: true, value: { app: answer.value, form: begun.form } };
    },
  };
}

const UNAVAILABLE =
  "GitHub did not answer. Reload this page to try again; the registration can be finished for an hour.";

const PROBLEMS: Readonly<Record<string, string>> = {
  rejected: "The address that GitHub sent you to contains no registration code. Begin again.",
  not_found:
    "GitHub does not know this code: it was used before, or it is older than an hour. Delete the App at GitHub if it is there, and begin again.",
  malformed:
    "GitHub's response does not contain the App's credentials. Enter them by hand: the App's settings page at GitHub shows its ID and makes a private key.",
};

type VerifiedCredentials =
  | { readonly ok: true; readonly pageUrl: string; readonly owner: AppOwner }
  | { readonly ok: false; readonly problems: FormValues };

/** Asks GitHub whether it knows an App with this ID, key and client secret. Problems are sentences by field of the form. */
async function verifyCredentials(
  { appId, privateKey, signIn, gheHost }: CredentialsForm,
  { fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock },
): Promise<VerifiedCredentials> {
  const calls = { apiUrl: resolveGitHubApiUrl(gheHost), fetch, clock, wait: (ms: number) => sleep(ms) };
  const octokit = createOctokit(calls, { authStrategy: createAppAuth, auth: { appId, privateKey } });
  const refuse = (problems: FormValues) => ({ ok: false as const, problems });
  const unreached = { existing_host: "GitHub does not answer there. Correct the host, or try again." };
  const app = await toResult(readRegisteredApp(octokit));
  if (!app.ok)
    return refuse(
      app.failure.kind === "unauthorised" || app.failure.kind === "not_found"
        ? {
            app_id:
              "GitHub knows no App with this ID and this private key. Compare both with its settings page.",
          }
        : unreached,
    );
  const { html_url: pageUrl, client_id: clientId, owner } = app.value;
  if (signIn !== null) {
    if (clientId !== undefined && clientId !== signIn.clientId)
      return refuse({ client_id: `This App's client ID is ${clientId}.` });
    const tokens = createUserTokens({ ...signIn, calls, pagesUrl: resolveGitHubPagesUrl(gheHost) });
    const checked = await tokens.checkToken(NO_TOKEN);
    if (!checked.ok)
      return refuse(
        checked.failure.kind === "unauthorised"
          ? {
              client_secret:
                "GitHub rejects this client secret. Generate a new one on the App's settings page.",
            }
          : unreached,
      );
  }
  const isPersonal = owner?.type !== "Organization";
  return {
    ok: true,
    pageUrl,
    owner: isPersonal ? { kind: "personal" } : { kind: "organization", login: owner.login },
  };
}
