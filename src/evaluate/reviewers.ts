import { GitHubError } from "../github/client/result.ts";
import { type ReviewState, readReviewState, writeReviewers } from "../github/people/reviewers.ts";
import { isTeam, planReviewers } from "../policy/approvals/requests.ts";
import {
  forgetReviewers,
  listReviewers,
  type StoredReviewer,
  saveReviewers,
} from "../store/approvals/requests.ts";
import { findPull } from "../store/pulls.ts";
import { readBarredUsers } from "./mentions.ts";
import type { CommentJob } from "./run/deps.ts";

/**
 * Requests the approvers whose approval is newly needed as reviewers, and withdraws those of Tollgate's requests that are not needed any
 * more. A failure is logged and tried again by the next comment job: neither check nor comment depends on it.
 */
export async function updateReviewers(job: CommentJob): Promise<void> {
  const { deps, stored } = job;
  if (deps.isOneShot) return; // a CI job would not remember whom it requested
  const known = await listReviewers(deps.db, job);
  const plan = planReviewers(
    stored.evaluation,
    known.map(({ reviewer }) => reviewer),
  );
  if (plan.added.length + plan.ended.length === 0) return;
  if ((await findPull(deps.db, job))?.state !== "open") return;
  await unlessFailing(job, async () => {
    const state = await readReviewState(job.client, job);
    const ended = known.filter(({ reviewer }) => plan.ended.includes(reviewer));
    await unlessFailing(job, () => withdrawEnded(job, ended, state));
    await requestAdded(job, plan.added, state);
  });
}

/** Logs what GitHub does not take. */
async function unlessFailing(
  { deps, repositoryId, number }: CommentJob,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { kind: failure, message } = error.failure;
    deps.log.warn({ repositoryId, number, failure, message }, "GitHub does not take a request of reviewers");
  }
}

/** Withdraws requests that Tollgate made and nobody answered; whoever reviewed since was requested again by a person. */
async function withdrawEnded(
  job: CommentJob,
  ended: readonly StoredReviewer[],
  state: ReviewState,
): Promise<void> {
  const names = ended.map(({ reviewer }) => reviewer);
  const own = ended
    .filter((one) => one.state === "requested" && isRequested(state, one.reviewer))
    .map(({ reviewer }) => reviewer)
    .filter((reviewer) => !state.reviewed.has(reviewer));
  if (own.length > 0) await writeReviewers(job.client, "DELETE", buildWrite(job, own));
  await forgetReviewers(job.deps.db, job, names);
}

async function requestAdded(job: CommentJob, added: readonly string[], reviews: ReviewState): Promise<void> {
  const { db } = job.deps;
  const barred = await readBarredUsers(
    job,
    added.filter((one) => !isTeam(one)),
  );
  const askable = barred.isUnknown ? added.filter(isTeam) : added;
  const isLeft = (one: string): boolean =>
    barred.users.has(one) || isRequested(reviews, one) || reviews.reviewed.has(one);
  const save = (names: readonly string[], state: StoredReviewer["state"]) => {
    const reviewers = names.map((reviewer) => ({ reviewer, state }));
    return saveReviewers(db, job, reviewers);
  };
  /** False: GitHub does not take them. */
  const request = async (names: readonly string[]): Promise<boolean> => {
    try {
      await writeReviewers(job.client, "POST", buildWrite(job, names));
    } catch (error) {
      if (error instanceof GitHubError && error.failure.kind === "rejected") return false;
      throw error;
    }
    await save(names, "requested");
    return true;
  };
  await save(askable.filter(isLeft), "left");
  const missing = askable.filter((one) => !isLeft(one));
  if (missing.length === 0 || (await request(missing))) return;
  // GitHub refuses all where it refuses one.
  for (const one of missing)
    await unlessFailing(job, async () => {
      if (!(await request([one]))) await save([one], "left");
    });
}

const getSlug = (team: string): string => team.slice(team.indexOf("/") + 1);

const isRequested = ({ requested }: ReviewState, reviewer: string): boolean =>
  isTeam(reviewer) ? requested.teams.includes(getSlug(reviewer)) : requested.users.includes(reviewer);

const buildWrite = ({ repositoryId, number, isCurrent }: CommentJob, names: readonly string[]) => ({
  repositoryId,
  number,
  users: names.filter((one) => !isTeam(one)),
  teams: names.filter(isTeam).map(getSlug),
  isCurrent,
});
