import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import { removeJoiners } from "../../render/sign-joiners.ts";
import { importExecution } from "../import/run.ts";
import { createLog } from "../process/log.ts";
import { waitForSignal } from "../process/wait-for-signal.ts";
import { buildDemoEnvironment, type DemoEnvironment, OWNER, PEOPLE, REPOSITORY } from "./demo-environment.ts";
import { EXAMPLES } from "./history.ts";

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
  const stage = await buildDemoEnvironment(createLog("silent"), { sandboxPort: port, hasPast: !once });
  try {
    const opened: OpenedPull[] = [];
    for (const scene of SCENES) opened.push(await playScene(stage, scene));
    for (const pull of opened) {
      const played = await waitForResult(stage, pull);
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

/** What a person sees of one pull request of the demo at the end. */
interface DemoResult {
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly checkName: string;
  readonly conclusion: string;
  readonly comment: string;
}

/** An open pull request whose pipelines have ended. */
interface OpenedPull {
  readonly number: number;
}

const FULL_NAME = `${OWNER}/${REPOSITORY}`;
const PATIENCE_MS = 60_000;

/**
 * Opens the pull request as a person; its pipelines run, report to the platform and post their statuses.
 * Tollgate does the rest.
 */
async function playScene(stage: DemoEnvironment, scene: Scene): Promise<OpenedPull> {
  const { sandbox } = stage;
  const push = { repository: FULL_NAME, branch: scene.folder, files: { [scene.file.path]: scene.file.text } };
  sandbox.push({ ...push, message: scene.title });
  const { title, body } = scene;
  const pull = sandbox.openPullRequest({ repository: FULL_NAME, head: scene.folder, title, body });
  const sha = parseSha(pull.headSha);
  if (sha === null) throw new TollgateError("internal", "the sandbox made a commit without an id");
  for (const workspace of WORKSPACES) await runPipeline(stage, { scene, workspace, sha });
  return { number: pull.number };
}

interface Pipeline {
  readonly scene: Scene;
  readonly workspace: string;
  readonly sha: Sha;
}

/** Does the work of a team's CI: plan, estimate, record both on the platform, post a commit status. */
async function runPipeline(stage: DemoEnvironment, { scene, workspace, sha }: Pipeline): Promise<void> {
  const { sandbox, ci: creator } = stage;
  const executionId = randomUUID();
  const targetUrl = stage.executionUrl(executionId);
  const status = { repository: FULL_NAME, sha, context: `infra-${workspace}`, targetUrl, creator };
  sandbox.postStatus({ ...status, state: "pending" });
  const at = (kind: string) => join(EXAMPLES, scene.folder, `${workspace}.${kind}.json`);
  const plan = await readPlan({ file: at("plan"), bytes: createReadStream(at("plan")), elements: true });
  const estimate = await readEstimate({
    file: at("infracost"),
    bytes: createReadStream(at("infracost")),
    fallback: workspace,
  });
  const place = { org: OWNER, project: REPOSITORY, workspace, pipeline: "infra" };
  const commit = {
    repository: FULL_NAME,
    repositoryUrl: `${sandbox.url}/${FULL_NAME}.git`,
    sha,
    branch: scene.folder,
  };
  const run = { executionId, stageId: `${workspace}-plan`, plan, estimate: estimate.whole };
  await importExecution(stage.platform, { ...place, ...commit, ...run }, RETRY_OPTIONS);
  sandbox.postStatus({ ...status, state: "success" });
}

const RETRY_OPTIONS = { tries: 3, pauseMs: 500, sleep: (ms: number) => sleep(ms) };

/** Waits until no job and no delivery is pending, then reads the results from GitHub. */
async function waitForResult(stage: DemoEnvironment, { number }: OpenedPull): Promise<DemoResult> {
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
