import type { Kysely } from "kysely";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { findPull, listOpenCommitPulls } from "../../store/pulls.ts";
import type { Repository } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { JobClaims } from "./job-claims.ts";
import { createRefusal, type Refusal } from "./refusal.ts";

/** A pull request as GitHub shows it now, and what a commit merges. */
export interface PullMerge {
  readonly isOpen: boolean;
  readonly headSha: Sha;
  /** Parents of the commit; empty: GitHub does not have the commit. */
  readonly parents: readonly string[];
}

/** GitHub's answers; null: there is no such pull request. They throw `github_failed` when GitHub gives none. */
export interface OpenHeadDeps {
  readonly db: Kysely<Tables>;
  readonly readPullMerge: (repository: Repository, number: number, sha: Sha) => Promise<PullMerge | null>;
  readonly readDefaultBranch: (repository: Repository) => Promise<string>;
  /** Reads a commit's open pull requests and stores them. */
  readonly saveCommitPulls: (repository: Repository, sha: Sha) => Promise<void>;
}

export interface OpenHead {
  readonly sha: Sha;
}

/**
 * Events whose `sha` is the tip of a branch: the workflow itself says for which head it works, as with a
 * secret of the repository. It is trusted only where it comes from the default branch: the workflow of any
 * other branch is written by whoever may push that branch.
 */
const EVENTS_OF_TRUSTED_WORKFLOWS: ReadonlySet<string> = new Set(["pull_request_target", "workflow_run"]);

/**
 * Returns the open head that a job works for. Of `pull_request` the claimed commit is the test merge, which changes whenever the
 * base branch moves: it counts while it merges the pull request's present head.
 */
export async function findOpenHead(
  deps: OpenHeadDeps,
  repository: Repository,
  claims: JobClaims,
  wantedSha: Sha | null,
): Promise<OpenHead | Refusal> {
  const head = await findClaimedHead(deps, repository, claims, wantedSha);
  if (!("sha" in head) || wantedSha === null || wantedSha === head.sha || wantedSha === claims.sha)
    return head;
  return createRefusal(
    "forbidden",
    `the job works for the commit ${head.sha}, not for the one that it names`,
    "Leave --sha out: the id token says which commit the job is of.",
  );
}

function findClaimedHead(
  deps: OpenHeadDeps,
  repository: Repository,
  claims: JobClaims,
  wantedSha: Sha | null,
): Promise<OpenHead | Refusal> {
  const [, number] = /^refs\/pull\/(\d{1,9})\/merge$/.exec(claims.ref) ?? [];
  if (number !== undefined)
    return findMergedHead(deps, repository, { number: Number(number), sha: claims.sha });
  if (!EVENTS_OF_TRUSTED_WORKFLOWS.has(claims.event)) return findHead(deps, repository, claims.sha);
  return findNamedHead(deps, repository, claims, wantedSha);
}

async function findNamedHead(
  deps: OpenHeadDeps,
  repository: Repository,
  { event, ref, workflowRef }: JobClaims,
  wantedSha: Sha | null,
): Promise<OpenHead | Refusal> {
  const trusted = `refs/heads/${await deps.readDefaultBranch(repository)}`;
  if (ref !== trusted || workflowRef?.endsWith(`@${trusted}`) !== true)
    return createRefusal(
      "forbidden",
      `the job of ${event} runs a workflow of ${workflowRef?.split("@").at(-1) ?? ref}, and only one of ${trusted} may name a head`,
      "Merge the workflow into the default branch, and let it run from there.",
    );
  if (wantedSha !== null) return findHead(deps, repository, wantedSha);
  return createRefusal(
    "no_open_head",
    `a job of ${event} runs on the default branch, so its id token does not say which head it is for`,
    "Name the pull request's head with --sha.",
  );
}

async function findMergedHead(
  deps: OpenHeadDeps,
  repository: Repository,
  { number, sha }: { readonly number: number; readonly sha: Sha },
): Promise<OpenHead | Refusal> {
  const { repository_id: repositoryId } = repository;
  const known = await findPull(deps.db, { repositoryId, number });
  if (known?.state === "open" && known.head_sha === sha) return toOpenHead(known.head_sha);
  // The stored test merge does not count: for a moment after a push GitHub states that of the earlier head.
  const read = await deps.readPullMerge(repository, number, sha);
  if (read === null || !read.isOpen)
    return createRefusal("no_open_head", `pull request #${number} is not open`, NOT_OPEN_HINT);
  if (read.headSha === sha || read.parents.includes(read.headSha)) return { sha: read.headSha };
  return createRefusal(
    "no_open_head",
    `pull request #${number} has a newer head than this job`,
    "Nothing is to do: the job of the newer commit sends its own files.",
  );
}

const NOT_OPEN_HINT = "Send files from jobs of open pull requests only (on: pull_request).";

async function findHead(deps: OpenHeadDeps, repository: Repository, sha: Sha): Promise<OpenHead | Refusal> {
  const find = async () =>
    (await listOpenCommitPulls(deps.db, repository.repository_id, sha)).filter((one) => one.head_sha === sha);
  const known = await find();
  if (known.length === 0) await deps.saveCommitPulls(repository, sha);
  const [pull] = known.length > 0 ? known : await find();
  return pull === undefined
    ? createRefusal("no_open_head", "the commit is not the head of an open pull request", NOT_OPEN_HINT)
    : toOpenHead(pull.head_sha);
}

/** Heads are stored as GitHub states them; one of another form is no head. */
function toOpenHead(text: string): OpenHead | Refusal {
  const sha = parseSha(text);
  return sha === null
    ? createRefusal("no_open_head", "the pull request's head is not a full commit id", NOT_OPEN_HINT)
    : { sha };
}
