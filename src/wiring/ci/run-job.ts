import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readPullMerge } from "../../github/head/pull-merge.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey, Sha } from "../../kernel/ids.ts";
import { findEvaluation, type StoredEvaluation } from "../../store/evaluations.ts";
import { savePull } from "../../store/pulls.ts";
import { saveRepository } from "../../store/repositories.ts";
import { importExecution } from "../import/run.ts";
import { evaluateInJob } from "./evaluate-in-job.ts";
import type { OpenJob } from "./open-job.ts";
import { type JobRepository, type ReadPull, readPull, readRepository } from "./read-pull.ts";
import type { CiTarget } from "./read-target.ts";
import type { JobWorkspace } from "./read-workspaces.ts";
import { restoreCommands } from "./restore-commands.ts";

export interface JobRequest extends CiTarget {
  readonly workspaces: readonly JobWorkspace[];
}

/** The pull request as GitHub shows it. */
export interface JobPull extends PullKey {
  readonly headSha: Sha;
}

export type JobResult =
  | { readonly state: "evaluated"; readonly pull: JobPull; readonly stored: StoredEvaluation }
  /** The pull request has another head by now: the files are those of `sha`. */
  | { readonly state: "outdated"; readonly pull: JobPull; readonly sha: string }
  | { readonly state: "closed"; readonly pull: JobPull };

/**
 * Evaluates a pull request with the files of a CI job, and publishes check and comment.
 *
 * @throws TollgateError `usage`, `github_failed`, `platform_failed`
 */
export async function runJob(job: OpenJob, request: JobRequest): Promise<JobResult> {
  const { deps, github } = job;
  const repository = await readRepository(github.client, request);
  const found = await readPull(github.client, repository.id, request.event);
  const { headSha, mergeSha, isOpen, number } = found;
  const pull = { repositoryId: repository.id, number, headSha };
  if (!isOpen) return { state: "closed", pull };
  const { headSha: sha } = request.event;
  if (sha !== null && sha !== headSha && !(sha === mergeSha && (await isMergeOf(job, pull, sha))))
    return { state: "outdated", pull, sha };
  await savePlace(job, repository, found);
  await importWorkspaces(job, { ...repository, sha: headSha }, request.workspaces);
  const answered = await restoreCommands(deps.db, github.client, pull);
  await evaluateInJob(job, pull, answered);
  const stored = await findEvaluation(deps.db, pull);
  if (stored !== null) return { state: "evaluated", pull, stored };
  throw new TollgateError("github_failed", "GitHub does not show the pull request any longer");
}

/** Whether the test merge merges this head: for a moment after a push GitHub states that of the earlier one. */
async function isMergeOf({ github }: OpenJob, { repositoryId, number, headSha }: JobPull, sha: Sha) {
  const read = await readPullMerge(github.client, { repositoryId, number, sha });
  return read.ok && read.value?.parents.includes(headSha) === true;
}

/** Saves repository and pull request, as a server does when a delivery names them. */
async function savePlace(
  { deps, github }: OpenJob,
  repository: JobRepository,
  pull: ReadPull,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const { id, ownerId, owner, name } = repository;
  const { number, headSha, mergeSha, baseRef } = pull;
  const ids = { repository_id: id, owner_id: ownerId, installation_id: github.client.installationId };
  await saveRepository(deps.db, { ...ids, owner_login: owner, name }, now);
  await savePull(deps.db, { repositoryId: id, number, headSha, baseRef, mergeSha, state: "open" }, now);
}

const computeId = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Records the files as one execution with a stage for each workspace, as an import into a server does. */
async function importWorkspaces(
  { platform }: OpenJob,
  { owner, name, sha }: JobRepository & { readonly sha: Sha },
  workspaces: readonly JobWorkspace[],
): Promise<void> {
  for (const { workspace, files } of workspaces) {
    // Another job with the same files has the same ids, so it changes nothing in the comment.
    const executionId = computeId(`${sha}/${workspace}`);
    const { plan, estimate } = files === "failed" ? { plan: null, estimate: null } : files;
    await importExecution(
      platform,
      {
        ...{ org: owner, project: name, workspace, pipeline: "ci", executionId, sha, branch: "" },
        stageId: computeId(`${executionId}/${workspace}`),
        repository: `${owner}/${name}`,
        repositoryUrl: `https://github.com/${owner}/${name}`,
        ...{ plan, estimate, hasFailed: files === "failed" },
      },
      { tries: 1, pauseMs: 0, sleep },
    );
  }
}
