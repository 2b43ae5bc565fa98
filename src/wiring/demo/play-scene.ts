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
import { type DemoEnvironment, EXAMPLES, OWNER, REPOSITORY } from "./demo-environment.ts";
import { type Scene, WORKSPACES } from "./scenes.ts";

/** What a person sees of one pull request of the demo at the end. */
export interface DemoResult {
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly checkName: string;
  readonly conclusion: string;
  readonly comment: string;
}

/** An open pull request whose pipelines have ended. */
export interface OpenedPull {
  readonly number: number;
}

const FULL_NAME = `${OWNER}/${REPOSITORY}`;
const PATIENCE_MS = 60_000;

/**
 * Opens the pull request as a person; its pipelines run, report to the platform and post their statuses.
 * Tollgate does the rest.
 */
export async function playScene(stage: DemoEnvironment, scene: Scene): Promise<OpenedPull> {
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
export async function waitForResult(stage: DemoEnvironment, { number }: OpenedPull): Promise<DemoResult> {
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
