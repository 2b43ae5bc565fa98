import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type ChatSandbox, createChatSandbox } from "../../../sandbox/chat.ts";
import { createSandbox, type Sandbox } from "../../../sandbox/sandbox.ts";
import { systemRandom } from "../../../sandbox/state/random.ts";
import type { Account, App, Installation } from "../../../sandbox/state/records.ts";
import { systemClock } from "../../kernel/clock.ts";
import { NOTIFICATION_EVENTS } from "../../kernel/notification-events.ts";
import { createPlatformClient, type PlatformClient } from "../../platform/client.ts";
import { OperatorFile } from "../../settings/operator.ts";
import { createToken } from "../../store/tokens.ts";
import type { AppSettings } from "../compose.ts";
import { findFreePort } from "../process/free-port.ts";
import { type RunningBot, startBot } from "../start.ts";
import { DemoClock, EXAMPLES, playHistory } from "./history.ts";

export const OWNER = "example";
export const REPOSITORY = "shop-infra";
const ACCOUNT = "demo";
/** Login that runs the pipelines and posts their statuses. */
const CI = "example-ci";

/** A sandbox GitHub with one organisation and one repository, and a Tollgate that is installed on it. */
export interface DemoEnvironment {
  readonly sandbox: Sandbox;
  /** Receives what Tollgate sends to Slack. */
  readonly chat: ChatSandbox;
  readonly bot: RunningBot;
  readonly appId: number;
  /** Client of the embedded platform with the permissions of this repository's pipelines. */
  readonly platform: PlatformClient;
  readonly repositoryId: number;
  readonly ci: string;
  /** Returns the address at which the platform would show an execution. */
  executionUrl(executionId: string): string;
  close(): Promise<void>;
}

interface DemoEnvironmentOptions {
  readonly sandboxPort: number;
  /** Whether the organisation has repositories with pull requests of the last months. */
  readonly hasPast: boolean;
}

/**
 * Builds the demo's environment: the same bot as `tollgate start`, with a sandbox GitHub on loopback and a
 * temporary data directory.
 */
export async function buildDemoEnvironment(
  log: Logger,
  { sandboxPort, hasPast }: DemoEnvironmentOptions,
): Promise<DemoEnvironment> {
  const clock = new DemoClock();
  const sandbox = await createSandbox({ clock, random: systemRandom, port: sandboxPort });
  const people = createPeople(sandbox);
  const policy = readFileSync(join(EXAMPLES, "tollgate.yml"), "utf8");
  const files = { ".github/tollgate.yml": policy, "README.md": "# shop-infra\n" };
  const repository = sandbox.createRepository({ owner: OWNER, name: REPOSITORY, files });
  const saveHistory = hasPast ? playHistory(sandbox, clock, OWNER) : null;
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const app = await sandbox.registerApp({
    name: "Tollgate",
    webhookUrl: `${publicUrl}/api/github/webhooks`,
    callbackUrls: [`${publicUrl}/sign-in/callback`],
  });
  const chat = await createChatSandbox({ clock: systemClock, port: 0 });
  const dataDirectory = mkdtempSync(join(tmpdir(), "tollgate-demo-"));
  const bot = await startBot(buildDemoSettings({ sandbox, app, ...people, chat, port, dataDirectory }), {
    log,
  });
  const { id: installationId } = installApp(sandbox, app.id);
  await saveHistory?.(bot.session.store.db, { ownerId: people.owner.id, installationId });
  const platform = await createDemoPlatform(bot, repository.id);
  return {
    sandbox,
    chat,
    bot,
    appId: app.id,
    platform,
    repositoryId: repository.id,
    ci: CI,
    executionUrl: (id) =>
      `${bot.url}/ng/account/${ACCOUNT}/module/iacm/orgs/${OWNER}/projects/${REPOSITORY}/pipelines/infra/executions/${id}/pipeline`,
    close: async () => {
      await platform.close();
      await bot.stop();
      await chat.close();
      await sandbox.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** The people of the demo, who can sign in: an admin of Tollgate, a reader, and somebody who can read nothing. */
export const PEOPLE = { admin: `${OWNER}-admin`, reader: "octocat", stranger: "monalisa" } as const;

function createPeople(sandbox: Sandbox): Readonly<Record<"ci" | "admin" | "owner", Account>> {
  const admin = sandbox.createOwner({ login: PEOPLE.admin, type: "user" });
  const owner = sandbox.createOwner({ login: OWNER, type: "organisation", admin: PEOPLE.admin });
  sandbox.addMember({ organisation: OWNER, login: PEOPLE.reader });
  sandbox.createOwner({ login: PEOPLE.stranger, type: "user" });
  return { ci: sandbox.createOwner({ login: CI, type: "user" }), admin, owner };
}

interface DemoParts {
  readonly sandbox: Sandbox;
  readonly chat: ChatSandbox;
  readonly app: App;
  readonly ci: Account;
  readonly admin: Account;
  readonly port: number;
  readonly dataDirectory: string;
}

const buildDemoSettings = ({
  sandbox,
  chat,
  app,
  ci,
  admin,
  port,
  dataDirectory,
}: DemoParts): AppSettings => ({
  dataDirectory,
  databaseUrl: null,
  platform: { kind: "embedded", account: ACCOUNT },
  github: { appId: app.id, privateKey: app.privateKey, webhookSecret: app.webhookSecret },
  signIn: { clientId: app.clientId, clientSecret: app.clientSecret },
  githubUrl: sandbox.url,
  githubWriteSpacingMs: 100,
  laneSpacingMs: 2_000,
  port,
  host: "127.0.0.1",
  publicUrl: `http://127.0.0.1:${port}`,
  oidcIssuer: null,
  trustedProxies: [],
  operator: OperatorFile.parse({
    trusted_posters: { users: [ci.id] },
    admins: { users: [admin.id] },
    notifications: {
      targets: [{ name: "finops", kind: "slack", url: chat.webhookUrl, on: [...NOTIFICATION_EVENTS] }],
    },
  }),
  encryptionKey: null,
  orgPolicy: "read",
  alwaysCheck: false,
  logLevel: "silent",
});

function installApp(sandbox: Sandbox, appId: number): Installation {
  const installation = sandbox.installApp({ appId, owner: OWNER });
  const requiredChecks = [{ context: "tollgate: main", appId }];
  sandbox.protectBranch({ repository: `${OWNER}/${REPOSITORY}`, branch: "main", requiredChecks });
  return installation;
}

async function createDemoPlatform(bot: RunningBot, repositoryId: number): Promise<PlatformClient> {
  const bound = { account: ACCOUNT, repositoryId, org: OWNER, project: REPOSITORY };
  const { secret } = await createToken(bot.session.store.db, { purpose: "import", ...bound }, systemClock);
  return createPlatformClient({
    url: bot.url,
    token: secret,
    account: ACCOUNT,
    dialect: "neutral",
    clock: systemClock,
    random: Math.random,
    sleep: (ms) => sleep(ms),
  });
}
