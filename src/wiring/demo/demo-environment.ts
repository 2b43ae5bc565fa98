import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { systemClock } from "../../kernel/clock.ts";
import { getShippedFile } from "../../package/shipped-files.ts";
import { createPlatformClient, type PlatformClient } from "../../platform/client.ts";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import type { Account } from "../../sandbox/state/accounts.ts";
import type { App } from "../../sandbox/state/apps.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { OperatorFile } from "../../settings/operator.ts";
import { createToken } from "../../store/tokens.ts";
import type { AppSettings } from "../compose.ts";
import { findFreePort } from "../process/free-port.ts";
import { type RunningBot, startBot } from "../start.ts";

/** Folder of the demo's policy, plans and estimates. */
export const EXAMPLES = getShippedFile("examples/demo");
export const OWNER = "example";
export const REPOSITORY = "shop-infra";
const ACCOUNT = "demo";
/** Login that runs the pipelines and posts their statuses. */
const CI = "example-ci";

/** A sandbox GitHub with one organisation and one repository, and a Tollgate that is installed on it. */
export interface DemoEnvironment {
  readonly sandbox: Sandbox;
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

/**
 * Builds the demo's environment: the same bot as `tollgate start`, with a sandbox GitHub on loopback and a
 * temporary data directory.
 */
export async function buildDemoEnvironment(log: Logger, sandboxPort: number): Promise<DemoEnvironment> {
  const sandbox = await createSandbox({ clock: systemClock, random: systemRandom, port: sandboxPort });
  sandbox.createOwner({ login: OWNER, type: "organisation" });
  const ci = sandbox.createOwner({ login: CI, type: "user" });
  const policy = readFileSync(join(EXAMPLES, "tollgate.yml"), "utf8");
  const files = { ".github/tollgate.yml": policy, "README.md": "# shop-infra\n" };
  const repository = sandbox.createRepository({ owner: OWNER, name: REPOSITORY, files });
  const port = await findFreePort();
  const webhookUrl = `http://127.0.0.1:${port}/api/github/webhooks`;
  const app = await sandbox.registerApp({ name: "Tollgate", webhookUrl });
  const dataDirectory = mkdtempSync(join(tmpdir(), "tollgate-demo-"));
  const bot = await startBot(buildDemoSettings({ sandbox, app, ci, port, dataDirectory }), { log });
  installApp(sandbox, app.id);
  const platform = await createDemoPlatform(bot, repository.id);
  return {
    sandbox,
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
      await sandbox.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

interface DemoParts {
  readonly sandbox: Sandbox;
  readonly app: App;
  readonly ci: Account;
  readonly port: number;
  readonly dataDirectory: string;
}

const buildDemoSettings = ({ sandbox, app, ci, port, dataDirectory }: DemoParts): AppSettings => ({
  dataDirectory,
  databaseUrl: null,
  platform: { kind: "embedded", account: ACCOUNT },
  github: { appId: app.id, privateKey: app.privateKey, webhookSecret: app.webhookSecret },
  githubUrl: sandbox.url,
  githubWriteSpacingMs: 100,
  laneSpacingMs: 2_000,
  port,
  host: "127.0.0.1",
  publicUrl: null,
  oidcIssuer: null,
  trustedProxies: [],
  operator: OperatorFile.parse({ trusted_posters: { users: [ci.id] } }),
  encryptionKey: null,
  orgPolicy: "read",
  alwaysCheck: false,
  logLevel: "silent",
});

function installApp(sandbox: Sandbox, appId: number): void {
  sandbox.installApp({ appId, owner: OWNER });
  const requiredChecks = [{ context: "tollgate: main", appId }];
  sandbox.protectBranch({ repository: `${OWNER}/${REPOSITORY}`, branch: "main", requiredChecks });
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
