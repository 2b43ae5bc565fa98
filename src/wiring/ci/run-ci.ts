import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { buildLinks } from "../../evaluate/comment-content.ts";
import { evaluateLane } from "../../evaluate/evaluate.ts";
import { evaluateMergeGroup } from "../../evaluate/merge-group.ts";
import type { GroupEvaluation } from "../../evaluate/merge-group-verdict.ts";
import { updateComments } from "../../evaluate/update-comments.ts";
import { type InstallationClient, requestById } from "../../github/client/installation-client.ts";
import { readData, toResult } from "../../github/client/read-answer.ts";
import type { GitHubFailure } from "../../github/client/result.ts";
import type { DeniedPermission } from "../../github/client/token-installation.ts";
import { readMergeGroup } from "../../github/head/merge-group.ts";
import { readPullMerge } from "../../github/head/pull-merge.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { type PullKey, parseSha, type Sha } from "../../kernel/ids.ts";
import { formatLaneKey } from "../../queue/names.ts";
import { enqueueMergeGroup } from "../../queue/queue.ts";
import type { JobAttempt, LaneHandler } from "../../queue/workers.ts";
import { listDueReplies, markSent } from "../../store/approvals/commands.ts";
import { enterLane } from "../../store/database/lanes.ts";
import { computeDigest } from "../../store/digest.ts";
import { findEvaluation, type StoredEvaluation } from "../../store/evaluations.ts";
import { savePull } from "../../store/pulls.ts";
import { saveRepository } from "../../store/repositories.ts";
import type { FileSelection, ReadWorkspace } from "../import/read-files.ts";
import { computeStageId, importExecution } from "../import/run.ts";
import { createLog } from "../process/log.ts";
import { type JobTools, type OpenJob, openJob } from "./open-job.ts";
import {
  type CiTarget,
  type PullEvent,
  readTarget,
  readWorkspaces,
  type StatedTarget,
} from "./read-target.ts";
import { type AnsweredComments, restoreCommands } from "./restore-commands.ts";

/** Input of a CI job, beside its environment. */
export interface CiInput extends StatedTarget, Omit<JobTools, "log"> {
  readonly files: FileSelection;
  /** Receives messages for the reader of the job's log. */
  readonly onNote: (note: string) => void;
}

/** What a CI job found out. */
export interface CiResult {
  readonly result: JobResult;
  /** The comment's Markdown; null: nothing was evaluated. */
  readonly markdown: string | null;
  /** Title of the check; null: nothing was evaluated. */
  readonly title: string | null;
  /** What GitHub refused to the job's token, the worst first. */
  readonly refused: readonly PermissionProblem[];
  /** Workspaces whose files could not be read. */
  readonly unread: readonly string[];
}

/**
 * Evaluates the pull request of a CI job and publishes check and comment.
 *
 * @throws TollgateError `usage`, `settings_invalid`, `token_permission_missing`, `github_failed`, `file_unreadable`
 */
export async function runCi(input: CiInput): Promise<CiResult> {
  const { ci } = input;
  const target = await readTarget(input);
  const workspaces = await readWorkspaces(input.files, input.onNote);
  const log = createLog(ci.settings.logLevel, { secrets: ci.token === null ? [] : [ci.token] });
  const job = await openJob(ci, { ...input, log });
  try {
    const result = await runJob(job, { ...target, workspaces });
    return {
      result,
      ...renderResult(job, result),
      refused: listMissingPermissions(job.github.client.denied, target.event.isFork),
      unread: workspaces.flatMap(({ workspace, files }) => (files === null ? [workspace] : [])),
    };
  } catch (error) {
    const [refused] = listMissingPermissions(job.github.client.denied, target.event.isFork);
    if (refused === undefined) throw error;
    throw new TollgateError("token_permission_missing", refused.message, {
      hint: refused.hint,
      cause: error,
    });
  } finally {
    await job.close();
  }
}

function renderResult({ deps }: OpenJob, result: JobResult): Pick<CiResult, "markdown" | "title"> {
  if (result.state === "group") {
    const { title, summary } = deps.renderer.group(result.evaluation.verdict, result.baseRef);
    return { markdown: `### ${title}\n\n${summary}`, title };
  }
  if (result.state !== "evaluated") return { markdown: null, title: null };
  const { evaluation } = result.stored;
  const links = { ...buildLinks(deps, evaluation.pull), mentions: new Set<string>() };
  return { markdown: deps.renderer.comment(evaluation, links), title: deps.renderer.title(evaluation) };
}

export interface JobRequest extends CiTarget {
  readonly workspaces: readonly ReadWorkspace[];
}

/** The pull request as GitHub shows it. */
export interface JobPull extends PullKey {
  readonly headSha: Sha;
}

export type JobResult =
  | { readonly state: "evaluated"; readonly pull: JobPull; readonly stored: StoredEvaluation }
  /** The pull request has another head by now: the files are those of `sha`. */
  | { readonly state: "outdated"; readonly pull: JobPull; readonly sha: string }
  | { readonly state: "closed"; readonly pull: JobPull }
  | {
      readonly state: "group";
      readonly repositoryId: number;
      readonly headSha: Sha;
      readonly baseRef: string;
      readonly evaluation: GroupEvaluation;
    };

/**
 * Evaluates a pull request with the files of a CI job, and publishes check and comment.
 *
 * @throws TollgateError `usage`, `github_failed`, `platform_failed`
 */
async function runJob(job: OpenJob, request: JobRequest): Promise<JobResult> {
  const { deps, github } = job;
  const repository = await readRepository(github.client, request);
  if (request.event.group !== undefined) return runGroupJob(job, request, { repository, ...request.event });
  const found = await readPull(github.client, repository.id, request.event);
  const { headSha, mergeSha, isOpen, number } = found;
  const pull = { repositoryId: repository.id, number, headSha };
  if (!isOpen) return { state: "closed", pull };
  const { headSha: sha } = request.event;
  if (sha !== null && sha !== headSha && !(sha === mergeSha && (await isMergeOf(job, pull, sha))))
    return { state: "outdated", pull, sha };
  await savePullAndRepository(job, repository, found);
  await importWorkspaces(job, { ...repository, sha: headSha }, request.workspaces);
  const answered = await restoreCommands(deps.db, github.client, pull);
  await evaluateInJob(job, pull, answered);
  const stored = await findEvaluation(deps.db, pull);
  if (stored !== null) return { state: "evaluated", pull, stored };
  throw new TollgateError("github_failed", "GitHub does not show the pull request any longer");
}

interface JobGroup extends Pick<PullEvent, "headSha" | "group"> {
  readonly repository: JobRepository;
}

/** Evaluates a merge group with the files of a job that planned its commit, and publishes its check. */
async function runGroupJob(
  job: OpenJob,
  { workspaces }: JobRequest,
  { repository, headSha, group }: JobGroup,
): Promise<JobResult> {
  const { deps, github } = job;
  if (headSha === null || group === undefined) throw createUnknownPullError();
  const { id: repositoryId, owner, name } = repository;
  await saveJobRepository(job, repository);
  const organisationPolicy = deps.operator.orgPolicy(owner);
  const asked = { repositoryId, owner, name, headSha, ...group, organisationPolicy };
  const found = await toResult(readMergeGroup(github.client, asked));
  if (!found.ok) throw createReadError("the merge group", found.failure);
  for (const pull of found.value?.pulls ?? [])
    await restoreCommands(deps.db, github.client, { repositoryId, ...pull });
  await importWorkspaces(job, { ...repository, sha: headSha }, workspaces);
  await enqueueMergeGroup(deps, repositoryId, { headSha, ...group });
  const lane = formatLaneKey({ kind: "group", repositoryId, headSha });
  let evaluation: GroupEvaluation | null = null;
  await attemptLane(job, lane, async (_, attempt) => {
    const fence = await enterLane(deps.db, lane, new Date(deps.clock.now()));
    evaluation = await evaluateMergeGroup(deps, { key: { repositoryId, headSha }, fence, attempt });
  });
  if (evaluation === null) throw new TollgateError("github_failed", "GitHub does not show the merge group");
  return { state: "group", repositoryId, headSha, baseRef: group.baseRef, evaluation };
}

/** Whether the test merge merges this head: for a moment after a push GitHub states that of the earlier one. */
async function isMergeOf({ github }: OpenJob, { repositoryId, number, headSha }: JobPull, sha: Sha) {
  const read = await toResult(readPullMerge(github.client, { repositoryId, number, sha }));
  return read.ok && read.value?.parents.includes(headSha) === true;
}

/** Saves repository and pull request, as a server does when a delivery names them. */
async function savePullAndRepository(job: OpenJob, repository: JobRepository, pull: ReadPull): Promise<void> {
  const { deps } = job;
  const now = new Date(deps.clock.now());
  const { id } = repository;
  const { number, headSha, mergeSha, baseRef } = pull;
  await saveJobRepository(job, repository);
  await savePull(deps.db, { repositoryId: id, number, headSha, baseRef, mergeSha, state: "open" }, now);
}

function saveJobRepository({ deps, github }: OpenJob, repository: JobRepository): Promise<void> {
  const { id, ownerId, owner, name } = repository;
  const ids = { repository_id: id, owner_id: ownerId, installation_id: github.client.installationId };
  return saveRepository(deps.db, { ...ids, owner_login: owner, name }, new Date(deps.clock.now()));
}

/** Records the files as one execution with a stage for each workspace, as an import into a server does. */
async function importWorkspaces(
  { platform }: OpenJob,
  { owner, name, sha }: JobRepository & { readonly sha: Sha },
  workspaces: readonly ReadWorkspace[],
): Promise<void> {
  for (const { workspace, files } of workspaces) {
    // Another job with the same files has the same ids, so it changes nothing in the comment.
    const executionId = computeDigest(`${sha}/${workspace}`);
    const { plan, estimate } = files ?? { plan: null, estimate: null };
    await importExecution(
      platform,
      {
        ...{ org: owner, project: name, workspace, pipeline: "ci", executionId, sha, branch: "" },
        stageId: computeStageId(executionId, workspace),
        repository: `${owner}/${name}`,
        repositoryUrl: `https://github.com/${owner}/${name}`,
        ...{ plan, estimate, ...(files === null && { hasFailed: true }) },
      },
      { tries: 1, pauseMs: 0, sleep },
    );
  }
}

/** Evaluations after one another, so that what they enqueue cannot go on for ever. */
const MAX_ROUNDS = 5;
/** Attempts of one piece of work; what the third one cannot do is reported. */
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

/** Performs what the queue's workers of a server perform: the evaluation, its comments, and what these enqueue. */
async function evaluateInJob(job: OpenJob, pull: PullKey, answered: AnsweredComments): Promise<void> {
  const { repositoryId, number } = pull;
  const { deps, queue } = job;
  await queue.enqueue(formatLaneKey({ kind: "pull", repositoryId, number }));
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const lane = queue.takeLane();
    if (lane === null) return;
    await attemptLane(job, lane, (key, jobAttempt) => evaluateLane(deps, key, jobAttempt));
    await skipAnswered(job, pull, answered);
    const comment = queue.takeComment();
    if (comment !== null)
      await attemptLane(job, comment, (key, jobAttempt) => updateComments(deps, key, jobAttempt));
  }
}

/** Makes up to three attempts; only the last one where another one cannot help. */
async function attemptLane(job: OpenJob, lane: string, handle: LaneHandler): Promise<void> {
  for (let made = 1; made < ATTEMPTS; made++) {
    try {
      return await handle(lane, buildAttempt(made));
    } catch (error) {
      if (!(error instanceof TollgateError) || !error.retryable) throw error;
    }
    if (job.github.client.denied.size > 0) break;
    await sleep(PAUSE_MS * made);
  }
  await handle(lane, buildAttempt(ATTEMPTS));
}

const buildAttempt = (attempt: number): JobAttempt => ({
  attempt,
  lastAttempt: attempt >= ATTEMPTS,
  signal: new AbortController().signal,
  origin: null,
});

/** Leaves out the replies that an earlier job sent. */
async function skipAnswered({ deps }: OpenJob, pull: PullKey, answered: AnsweredComments): Promise<void> {
  for (const reply of await listDueReplies(deps.db, pull, new Date(deps.clock.now()))) {
    if (reply.source === "comment" && answered.has(reply.sourceId)) await markSent(deps.db, reply);
  }
}

const RawRepository = z.object({
  id: z.int().positive(),
  name: z.string(),
  owner: z.object({ id: z.int().positive(), login: z.string() }),
});

interface JobRepository {
  readonly id: number;
  /** Current names. */
  readonly owner: string;
  readonly name: string;
  readonly ownerId: number;
}

/** Reads the repository of a job. Throws `github_failed`. */
async function readRepository(
  { octokit }: InstallationClient,
  { owner, name }: Pick<CiTarget, "owner" | "name">,
): Promise<JobRepository> {
  const answer = await toResult(readData(octokit.rest.repos.get({ owner, repo: name }), RawRepository));
  if (!answer.ok) throw createReadError(`the repository ${owner}/${name}`, answer.failure);
  const { id, name: current, owner: account } = answer.value;
  return { id, name: current, owner: account.login, ownerId: account.id };
}

const RawPull = z
  .object({
    number: z.int().positive(),
    state: z.string(),
    merge_commit_sha: z.string().nullish(),
    head: z.object({ sha: z.string() }),
    base: z.object({ ref: z.string() }),
  })
  .transform(({ number, state, merge_commit_sha: merge, head, base }) => ({
    number,
    isOpen: state === "open",
    headSha: parseSha(head.sha),
    /** GitHub's test merge of an open pull request. */
    mergeSha: parseSha(merge ?? ""),
    baseRef: base.ref,
  }));

type ReadPull = Omit<z.infer<typeof RawPull>, "headSha"> & { readonly headSha: Sha };

/** Reads the pull request of a job, by its number or by its head. Throws `usage`, `github_failed`. */
async function readPull(
  { octokit }: InstallationClient,
  repository_id: number,
  { number, headLabel, headSha }: PullEvent,
): Promise<ReadPull> {
  if (number !== null) {
    const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
    const call = requestById(octokit, route, { repository_id, pull_number: number });
    const answer = await toResult(readData(call, RawPull));
    if (!answer.ok) throw createReadError(`pull request ${number}`, answer.failure);
    return requireHead(answer.value);
  }
  if (headLabel === null) throw createUnknownPullError();
  const call = requestById(octokit, "GET /repos/{owner}/{repo}/pulls", {
    repository_id,
    head: headLabel,
    state: "open",
  });
  const listed = await toResult(readData(call, z.array(RawPull)));
  if (!listed.ok) throw createReadError(`the pull requests of ${headLabel}`, listed.failure);
  const pull = listed.value.find((one) => one.headSha === headSha) ?? listed.value[0];
  if (pull === undefined) throw createUnknownPullError();
  return requireHead(pull);
}

const createUnknownPullError = (): TollgateError =>
  new TollgateError("usage", "it is not known which pull request this job is for", {
    hint: "Start the workflow on pull_request, or name the pull request with --pull-request N and --sha COMMIT.",
  });

function requireHead({ headSha, ...pull }: z.infer<typeof RawPull>): ReadPull {
  if (headSha !== null) return { ...pull, headSha };
  throw new TollgateError("github_failed", "GitHub names the head by no full commit id");
}

const createReadError = (what: string, { kind, message }: GitHubFailure): TollgateError =>
  new TollgateError("github_failed", `GitHub did not show ${what}: ${kind}, ${message}`, {
    hint: "Check --repository, and that the token may read it: `contents: read` and `pull-requests: write`.",
  });

/** A permission that the job's token lacks, in words. */
export interface PermissionProblem {
  readonly permission: DeniedPermission;
  /** False: the job did everything else, and only approvals by teams are not known. */
  readonly isFatal: boolean;
  readonly message: string;
  readonly hint: string;
}

const TEAMS_PERMISSION = "members: read";
const PURPOSES: Readonly<Record<string, string>> = {
  "checks: write": "write the check",
  "checks: read": "read the checks of the commit",
  "pull-requests: write": "write the comment",
  "pull-requests: read": "read the pull request",
  "contents: read": "read the policy file and the changed files",
  "merge-queues: read": "read the pull requests of the merge group",
};
const PRECEDENCE = [
  "merge-queues: read",
  "contents: read",
  "pull-requests: read",
  "checks: read",
  "checks: write",
  "pull-requests: write",
];

/** The permissions that GitHub found missing, in words, the first to grant first. `isFork`: the head is in a fork. */
export function listMissingPermissions(
  denied: ReadonlySet<DeniedPermission>,
  isFork: boolean | null,
): readonly PermissionProblem[] {
  return [...denied]
    .toSorted((a, b) => rankPermission(a) - rankPermission(b))
    .map((permission) => describePermission(permission, isFork === true));
}

const rankPermission = (permission: DeniedPermission): number =>
  permission === TEAMS_PERMISSION ? Number.MAX_SAFE_INTEGER : PRECEDENCE.indexOf(permission);

function describePermission(permission: DeniedPermission, isFork: boolean): PermissionProblem {
  if (permission === TEAMS_PERMISSION)
    return {
      permission,
      isFatal: false,
      message: "the token may not read who belongs to a team, so approvals by teams do not count",
      hint: "Use a token of a GitHub App that may read members, or let users or a permission approve in the policy: docs/ci/README.md.",
    };
  const what = PURPOSES[permission] ?? "do this";
  const message = `the token may not ${what}: it lacks \`${permission}\``;
  if (permission === "merge-queues: read")
    return {
      ...{ permission, isFatal: true, message },
      hint: "No workflow can grant it to GITHUB_TOKEN. Use the token of a GitHub App of yours in every job of Tollgate: docs/ci/github-actions.md.",
    };
  return {
    permission,
    isFatal: true,
    message,
    hint: isFork
      ? "Jobs for pull requests from forks get a token that only reads. docs/ci/forks.md has the workflows for forks."
      : `Add \`${permission}\` to \`permissions:\` of the job. Tollgate needs \`checks: write\`, \`contents: read\` and \`pull-requests: write\`.`,
  };
}
