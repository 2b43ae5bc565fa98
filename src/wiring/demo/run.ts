import { randomUUID } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { createChatSandbox } from "../../../sandbox/chat.ts";
import { createSandbox, type Sandbox } from "../../../sandbox/sandbox.ts";
import { systemRandom } from "../../../sandbox/state/random.ts";
import type { Account, Installation } from "../../../sandbox/state/records.ts";
import { MINUTE_MS, systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { NOTIFICATION_EVENTS } from "../../kernel/notification-events.ts";
import { NO_ROOTS } from "../../plan-files/estimate/code-place.ts";
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
    for await (const played of playScenes(stage))
      output.result(once ? formatResult(played) : formatAddress(played));
    if (once) return;
    for (const line of formatInvitation(stage)) output.message(line);
    await waitForSignal();
  } finally {
    await stage.close();
  }
}

/** Plays every scene; yields what Tollgate made of each. */
export async function* playScenes(stage: DemoEnvironment): AsyncGenerator<DemoResult> {
  const opened: number[] = [];
  for (const scene of readScenes()) opened.push(await playScene(stage, scene));
  for (const number of opened) yield await waitForResult(stage, number);
}

const formatAddress = ({ url, title, checkName, conclusion }: DemoResult): string =>
  `${url}  ${title}  (${checkName}  ${conclusion})`;

const formatInvitation = ({ sandbox, bot, chat }: DemoEnvironment): readonly string[] => [
  `Play: open ${sandbox.url}/${FULL_NAME}/pull/2 and choose at its top who you are.`,
  `1. ${APPROVER} sends the command that Tollgate's comment shows, and the check passes. ${AUTHOR}, the author, and ${CODE_OWNER} are refused.`,
  `2. Let ${AUTHOR} push a smaller or larger version, press Re-check, merge. ${APPROVER} objects with a review that requests changes.`,
  `3. Tollgate's pages: ${bot.url}/ (sign in as one of them); its messages to Slack: ${chat.url}`,
  "Press Ctrl+C to end the demo.",
];

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
  const { folder: branch, title, body } = scene;
  const push = (folder: string, message: string) =>
    sandbox.push({ repository: FULL_NAME, branch, files: readCode(folder), message, by: AUTHOR });
  push(branch, title);
  const spec = { repository: FULL_NAME, head: branch, title, body, author: AUTHOR };
  const pull = sandbox.openPullRequest(spec);
  const runPipelines = async (folder: string) => {
    const sha = parseSha(sandbox.pullRequest(pull).headSha);
    if (sha === null) throw new TollgateError("internal", "the sandbox made a commit without an id");
    for (const workspace of WORKSPACES) await runPipeline(stage, { branch, folder, workspace, sha });
  };
  await runPipelines(branch);
  sandbox.offerPushes(
    pull,
    scene.versions.map(({ folder, label, description }) => ({
      ...{ label, description },
      run: async () => {
        if (existsSync(join(EXAMPLES, folder, "infra"))) push(folder, description);
        await runPipelines(folder);
      },
    })),
  );
  return pull.number;
}

/** Reads the Terraform code in a folder of `examples/demo`, by its path in the repository. */
function readCode(folder: string): Readonly<Record<string, string>> {
  const root = join(EXAMPLES, folder, "infra");
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".tf"),
  );
  return Object.fromEntries(
    paths.map((path) => [`infra/${path.replaceAll("\\", "/")}`, readFileSync(join(root, path), "utf8")]),
  );
}

interface Pipeline {
  readonly branch: string;
  /** Its files are read here; those that it lacks, in the folder of the scene, which is called like the branch. */
  readonly folder: string;
  readonly workspace: string;
  readonly sha: Sha;
}

/** Does the work of a team's CI: plan, estimate, record both on the platform, post a commit status. */
async function runPipeline(
  stage: DemoEnvironment,
  { branch, folder, workspace, sha }: Pipeline,
): Promise<void> {
  const { sandbox } = stage;
  const executionId = randomUUID();
  const targetUrl = stage.executionUrl(executionId);
  const status = { repository: FULL_NAME, sha, context: `infra-${workspace}`, targetUrl, creator: CI };
  sandbox.postStatus({ ...status, state: "pending" });
  const open = (kind: string) => {
    const own = join(EXAMPLES, folder, `${workspace}.${kind}.json`);
    const file = existsSync(own) ? own : join(EXAMPLES, branch, `${workspace}.${kind}.json`);
    return { file, bytes: createReadStream(file) };
  };
  const { plan, estimate } = await readWorkspaceFiles({
    workspace,
    plan: open("plan"),
    estimate: { ...open("infracost"), roots: NO_ROOTS },
  });
  const place = { org: OWNER, project: REPOSITORY, workspace, pipeline: "infra" };
  const repositoryUrl = `${sandbox.url}/${FULL_NAME}.git`;
  const commit = { repository: FULL_NAME, repositoryUrl, sha, branch };
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
    return {
      ...{ number, title: pull.title, url: `${sandbox.url}/${FULL_NAME}/pull/${number}` },
      ...{ checkName: run.name, conclusion: run.conclusion, comment: removeJoiners(comment.body) },
    };
  }
  throw new TollgateError("internal", `the demo's pull request ${number} got no verdict within a minute`);
}

const text = z.string();
/** A pull request of the demo, and what its author can push later. A folder without code is another run of the pipelines for the same commit. */
const Scene = z.object({
  ...{ folder: text, title: text, body: text },
  versions: z.array(z.object({ folder: text, label: text, description: text })),
});
type Scene = z.infer<typeof Scene>;

/** The pull requests of the demo; the code, plans and estimates of each are in the folder that it names. */
const readScenes = (): readonly Scene[] =>
  z.array(Scene).parse(JSON.parse(readFileSync(join(EXAMPLES, "scenes.json"), "utf8")));

const WORKSPACES = ["production", "staging"] as const;

type DemoEnvironment = Awaited<ReturnType<typeof buildDemoEnvironment>>;

interface EnvironmentOptions {
  sandboxPort: number;
  hasPast: boolean;
}

/**
 * Builds the demo's environment: the same bot as `tollgate start`, with a sandbox GitHub on loopback and a temporary data directory.
 * `hasPast`: whether the organisation has repositories with pull requests of the last months.
 */
export async function buildDemoEnvironment({ sandboxPort, hasPast }: Readonly<EnvironmentOptions>) {
  return openInSteps(async (opening) => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-demo-"));
    opening.defer(() => rmSync(folder, { recursive: true, force: true }));
    const clock = new DemoClock();
    const sandbox = await createSandbox({ clock, random: systemRandom, port: sandboxPort });
    opening.defer(() => sandbox.close());
    const people = createPeople(sandbox);
    const policy = readFileSync(join(EXAMPLES, "tollgate.yml"), "utf8");
    const files = {
      ...{ ".github/tollgate.yml": policy, ".github/CODEOWNERS": `/infra/ @${CODE_OWNER}\n` },
      ...{ "README.md": "# shop-infra\n", ...readCode("main") },
    };
    const repository = sandbox.createRepository({ owner: OWNER, name: REPOSITORY, files });
    for (const login of [AUTHOR, APPROVER, CODE_OWNER])
      sandbox.setCollaborator({ repository: FULL_NAME, login, permission: "write" });
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

const [AUTHOR, APPROVER, CODE_OWNER, STRANGER] = ["octocat", "grace", "bob", "monalisa"];
const ADMIN = `${OWNER}-admin`;

function createPeople(sandbox: Sandbox): Readonly<Record<"ci" | "admin" | "owner", Account>> {
  const admin = sandbox.createOwner({ login: ADMIN, type: "user" });
  const owner = sandbox.createOwner({ login: OWNER, type: "organisation", admin: ADMIN });
  for (const login of [AUTHOR, CODE_OWNER]) sandbox.addMember({ organisation: OWNER, login });
  sandbox.createTeam({ organisation: OWNER, slug: "finops", members: [APPROVER] });
  sandbox.createOwner({ login: STRANGER, type: "user" });
  sandbox.offerPeople({
    [AUTHOR]: "wrote the pull requests",
    [APPROVER]: "team finops: approves rising cost",
    [CODE_OWNER]: "owns the code in infra/",
    [ADMIN]: "administers the organisation, and Tollgate",
    [STRANGER]: "has no access",
  });
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
  const { secret } = await createToken(bot.session.store.db, { purpose: "import", ...bound }, systemClock, {
    name: "the demo's pipelines",
  });
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
