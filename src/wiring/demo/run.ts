import { randomUUID } from "node:crypto";
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createChatSandbox } from "../../../sandbox/chat.ts";
import { createSandbox, type Sandbox } from "../../../sandbox/sandbox.ts";
import { systemRandom } from "../../../sandbox/state/random.ts";
import type { Account, Installation } from "../../../sandbox/state/records.ts";
import { MINUTE_MS, systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { NOTIFICATION_EVENTS } from "../../kernel/notification-events.ts";
import { createPlatformClient, type PlatformClient } from "../../platform/client.ts";
import { removeJoiners } from "../../render/sign-joiners.ts";
import { type Environment, readSettings } from "../../settings/read.ts";
import { createToken } from "../../store/tokens.ts";
import type { AppSettings } from "../compose.ts";
import { importExecution } from "../import/run.ts";
import { readWorkspaceFiles } from "../import/workspace-files.ts";
import { openInSteps } from "../open-in-steps.ts";
import { findFreePort } from "../process/free-port.ts";
import { waitForSignal } from "../process/http-server.ts";
import { createLog } from "../process/log.ts";
import { type RunningBot, startBot } from "../start.ts";
import { DemoClock, EXAMPLES, playHistory } from "./history.ts";

export interface DemoOutput {
  result(text: string): void;
  message(text: string): void;
}

export interface DemoOptions {
  /** Whether to end after the comments are printed. */
  readonly once: boolean;
  /** Port of the sandbox GitHub; 0 lets the operating system choose. */
  readonly port: number;
  readonly output: DemoOutput;
}

/** Plays every scene. Prints the comments, or the addresses of the pages and then waits for Ctrl+C. */
export async function runDemo({ once, port, output }: DemoOptions): Promise<void> {
  output.message("Starting Tollgate with a sandbox GitHub on this machine …");
  const stage = await buildDemoEnvironment({ sandboxPort: port, hasPast: !once });
  try {
    const opened: number[] = [];
    for (const scene of SCENES) opened.push(await playScene(stage, scene));
    for (const number of opened) {
      const played = await waitForResult(stage, number);
      output.result(once ? formatResult(played) : formatAddress(played));
    }
    if (once) return;
    output.message(
      `Tollgate's pages: ${stage.bot.url}/ — sign in as ${PEOPLE.reader}, as ${PEOPLE.admin} (admin), or as ${PEOPLE.stranger}, who may read nothing.`,
    );
    output.message(`What Tollgate sent to Slack: ${stage.chat.url}`);
    output.message(`All pull requests: ${stage.sandbox.url}/ — press Ctrl+C to end the demo.`);
    await waitForSignal();
  } finally {
    await stage.close();
  }
}

const formatAddress = ({ url, title, checkName, conclusion }: DemoResult): string =>
  `${url}  ${title}  (${checkName}  ${conclusion})`;

const formatResult = ({ number, title, checkName, conclusion, comment }: DemoResult): string =>
  [`# ${title} (#${number})`, "", `${checkName}  ${conclusion}`, "", comment.trimEnd(), ""].join("\n");

interface DemoResult {
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly checkName: string;
  readonly conclusion: string;
  readonly comment: string;
}

const OWNER = "example";
const REPOSITORY = "shop-infra";
const ACCOUNT = "demo";
/** Login that runs the pipelines and posts their statuses. */
const CI = "example-ci";
const FULL_NAME = `${OWNER}/${REPOSITORY}`;
const PATIENCE_MS = MINUTE_MS;

/**
 * Opens the pull request as a person; its pipelines run, report to the platform and post their statuses.
 * Tollgate does the rest. Returns the number of the pull request.
 */
async function playScene(stage: DemoEnvironment, scene: Scene): Promise<number> {
  const { sandbox } = stage;
  const push = { repository: FULL_NAME, branch: scene.folder, files: { [scene.file.path]: scene.file.text } };
  sandbox.push({ ...push, message: scene.title });
  const { title, body } = scene;
  const pull = sandbox.openPullRequest({ repository: FULL_NAME, head: scene.folder, title, body });
  const sha = parseSha(pull.headSha);
  if (sha === null) throw new TollgateError("internal", "the sandbox made a commit without an id");
  for (const workspace of WORKSPACES) await runPipeline(stage, { scene, workspace, sha });
  return pull.number;
}

interface Pipeline {
  readonly scene: Scene;
  readonly workspace: string;
  readonly sha: Sha;
}

/** Does the work of a team's CI: plan, estimate, record both on the platform, post a commit status. */
async function runPipeline(stage: DemoEnvironment, { scene, workspace, sha }: Pipeline): Promise<void> {
  const { sandbox } = stage;
  const executionId = randomUUID();
  const targetUrl = stage.executionUrl(executionId);
  const status = { repository: FULL_NAME, sha, context: `infra-${workspace}`, targetUrl, creator: CI };
  sandbox.postStatus({ ...status, state: "pending" });
  const open = (kind: string) => {
    const file = join(EXAMPLES, scene.folder, `${workspace}.${kind}.json`);
    return { file, bytes: createReadStream(file) };
  };
  const { plan, estimate } = await readWorkspaceFiles({
    workspace,
    plan: open("plan"),
    estimate: open("infracost"),
  });
  const place = { org: OWNER, project: REPOSITORY, workspace, pipeline: "infra" };
  const commit = {
    repository: FULL_NAME,
    repositoryUrl: `${sandbox.url}/${FULL_NAME}.git`,
    sha,
    branch: scene.folder,
  };
  const run = { executionId, stageId: `${workspace}-plan`, plan, estimate };
  await importExecution(stage.platform, { ...place, ...commit, ...run }, RETRY_OPTIONS);
  sandbox.postStatus({ ...status, state: "success" });
}

const RETRY_OPTIONS = { tries: 3, pauseMs: 500, sleep: (ms: number) => sleep(ms) };

/** Waits until no job and no delivery is pending, then reads the results from GitHub. */
async function waitForResult(stage: DemoEnvironment, number: number): Promise<DemoResult> {
  const { sandbox, appId, repositoryId } = stage;
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(50)) {
    await sandbox.deliveries.settled();
    if (!(await stage.bot.session.queue.isIdle())) continue;
    const pull = sandbox.pullRequest({ repositoryId, number });
    const [run] = sandbox.checkRuns({ repository: FULL_NAME, sha: pull.headSha, appId });
    const comment = sandbox.comments({ repositoryId, number }).find((one) => one.appId === appId);
    if (!run?.conclusion || comment === undefined) continue;
    const url = `${sandbox.url}/${FULL_NAME}/pull/${number}`;
    return {
      number,
      title: pull.title,
      url,
      checkName: run.name,
      conclusion: run.conclusion,
      comment: removeJoiners(comment.body),
    };
  }
  throw new TollgateError("internal", `the demo's pull request ${number} got no verdict within a minute`);
}

/** One pull request of the demo; its plans and estimates are in `examples/demo/<folder>`. */
interface Scene {
  readonly folder: string;
  readonly title: string;
  readonly body: string;
  /** The file under `infra/` that the branch changes. */
  readonly file: { readonly path: string; readonly text: string };
}

const WORKSPACES = ["production", "staging"] as const;

const SCENES: readonly Scene[] = [
  {
    folder: "right-size",
    title: "Right-size the web tier and its database",
    body: "The new machines do the same work on half the cores.",
    file: { path: "infra/web.tf", text: 'instance_type = "m7g.xlarge"\n' },
  },
  {
    folder: "three-zones",
    title: "Run the shop in three zones",
    body: "Checkout must survive the loss of a zone.",
    file: { path: "infra/network.tf", text: 'zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]\n' },
  },
  {
    folder: "report-queue",
    title: "Move reports to a queue",
    body: "Reports no longer slow down checkout.",
    file: {
      path: "infra/reports.tf",
      text: 'module "queue" {\n  source = "registry.example.com/platform/queue/aws"\n}\n',
    },
  },
];

type DemoEnvironment = Awaited<ReturnType<typeof buildDemoEnvironment>>;

/**
 * Builds the demo's environment: the same bot as `tollgate start`, with a sandbox GitHub on loopback and a temporary data directory.
 * `hasPast`: whether the organisation has repositories with pull requests of the last months.
 */
async function buildDemoEnvironment({
  sandboxPort,
  hasPast,
}: {
  readonly sandboxPort: number;
  readonly hasPast: boolean;
}) {
  return openInSteps(async (opening) => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-demo-"));
    opening.defer(() => rmSync(folder, { recursive: true, force: true }));
    const clock = new DemoClock();
    const sandbox = await createSandbox({ clock, random: systemRandom, port: sandboxPort });
    opening.defer(() => sandbox.close());
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
    opening.defer(() => chat.close());
    const operator = {
      trusted_posters: { users: [people.ci.id] },
      admins: { users: [people.admin.id] },
      notifications: {
        targets: [{ name: "finops", kind: "slack", url: chat.webhookUrl, on: NOTIFICATION_EVENTS }],
      },
    };
    const operatorFile = join(folder, "operator.yml");
    writeFileSync(operatorFile, JSON.stringify(operator)); // JSON is YAML
    const settings = readAppSettings({
      ...{ APP_ID: String(app.id), PRIVATE_KEY: app.privateKey, WEBHOOK_SECRET: app.webhookSecret },
      ...{ GITHUB_CLIENT_ID: app.clientId, GITHUB_CLIENT_SECRET: app.clientSecret, GHE_HOST: sandbox.url },
      ...{ GITHUB_WRITE_SPACING_MS: "100", OIDC_ISSUER: "none", PLATFORM_ACCOUNT: ACCOUNT },
      ...{ HOST: "127.0.0.1", PORT: String(port), PUBLIC_URL: publicUrl },
      ...{ TOLLGATE_DATA: join(folder, "data"), TOLLGATE_SETTINGS: operatorFile },
    });
    const bot = await startBot(settings, { log: createLog("silent") });
    opening.defer(() => bot.stop());
    const { id: installationId } = installApp(sandbox, app.id);
    await saveHistory?.(bot.session.store.db, { ownerId: people.owner.id, installationId });
    const platform = await createDemoPlatform(bot, repository.id);
    opening.defer(() => platform.close());
    return {
      sandbox,
      chat,
      bot,
      appId: app.id,
      platform,
      repositoryId: repository.id,
      executionUrl: (id: string) =>
        `${bot.url}/ng/account/${ACCOUNT}/module/iacm/orgs/${OWNER}/projects/${REPOSITORY}/pipelines/infra/executions/${id}/pipeline`,
      close: () => opening.disposeAsync(),
    };
  });
}

function readAppSettings(environment: Environment): AppSettings {
  const { github, ...settings } = readSettings(environment);
  if (github === null) throw new TollgateError("internal", "the demo's GitHub App has no credentials");
  return { ...settings, github };
}

/** The people of the demo, who can sign in: an admin of Tollgate, a reader, and somebody who can read nothing. */
const PEOPLE = { admin: `${OWNER}-admin`, reader: "octocat", stranger: "monalisa" } as const;

function createPeople(sandbox: Sandbox): Readonly<Record<"ci" | "admin" | "owner", Account>> {
  const admin = sandbox.createOwner({ login: PEOPLE.admin, type: "user" });
  const owner = sandbox.createOwner({ login: OWNER, type: "organisation", admin: PEOPLE.admin });
  sandbox.addMember({ organisation: OWNER, login: PEOPLE.reader });
  sandbox.createOwner({ login: PEOPLE.stranger, type: "user" });
  return { ci: sandbox.createOwner({ login: CI, type: "user" }), admin, owner };
}

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
