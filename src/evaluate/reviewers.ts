import { GitHubError } from "../github/client/result.ts";
import type { CommentTarget } from "../github/comments/comments.ts";
import { type ReviewState, readReviewState, writeReviewers } from "../github/people/reviewers.ts";
import { planReviewers } from "../policy/approvals/requests.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import {
  forgetReviewers,
  listReviewers,
  type StoredReviewer,
  saveReviewers,
} from "../store/approvals/requests.ts";
import { findPull } from "../store/pulls.ts";
import { readBarredUsers } from "./mentions.ts";
import type { JobDeps } from "./run/deps.ts";

/**
 * Requests the approvers whose approval is newly needed as reviewers, and withdraws those of Tollgate's requests that are not needed any
 * more. A failure is logged and tried again by the next comment job: neither check nor comment depends on it.
 */
export async function updateReviewers(
  deps: JobDeps,
  target: CommentTarget,
  evaluation: Evaluation,
): Promise<void> {
  const { pull } = evaluation;
  if (deps.isOneShot) return; // a CI job would not remember whom it requested
  const known = await listReviewers(deps.db, pull);
  const plan = planReviewers(
    evaluation,
    known.map(({ reviewer }) => reviewer),
  );
  if (plan.added.length + plan.ended.length === 0) return;
  if ((await findPull(deps.db, pull))?.state !== "open") return;
  await unlessFailing(deps, pull, async () => {
    const state = await readReviewState(target.client, pull);
    const ended = known.filter(({ reviewer }) => plan.ended.includes(reviewer));
    await unlessFailing(deps, pull, () => withdrawEnded(deps, target, { ended, state }));
    await requestAdded(deps, target, { evaluation, added: plan.added, state });
  });
}

type Pull = Evaluation["pull"];

/** Logs what GitHub does not take. */
async function unlessFailing({ log }: JobDeps, pull: Pull, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { repositoryId, number } = pull;
    const { kind, message } = error.failure;
    log.warn({ repositoryId, number, failure: kind, message }, "GitHub does not take a request of reviewers");
  }
}

/** Withdraws requests that Tollgate made and nobody answered; whoever reviewed since was requested again by a person. */
async function withdrawEnded(
  { db }: JobDeps,
  target: CommentTarget,
  { ended, state }: { readonly ended: readonly StoredReviewer[]; readonly state: ReviewState },
): Promise<void> {
  const names = ended.map(({ reviewer }) => reviewer);
  const own = ended
    .filter((one) => one.state === "requested" && isRequested(state, one.reviewer))
    .map(({ reviewer }) => reviewer)
    .filter((reviewer) => !state.reviewed.has(reviewer));
  if (own.length > 0) await writeReviewers(target.client, "DELETE", buildWrite(target, own));
  await forgetReviewers(db, target, names);
}

interface AddedReviewers {
  readonly evaluation: Evaluation;
  readonly added: readonly string[];
  readonly state: ReviewState;
}

async function requestAdded(
  deps: JobDeps,
  target: CommentTarget,
  { evaluation, added, state }: AddedReviewers,
): Promise<void> {
  const users = added.filter((one) => !isTeam(one));
  const barred = await readBarredUsers(deps, target, { evaluation, users });
  const askable = barred.isUnknown ? added.filter(isTeam) : added;
  const isLeft = (one: string): boolean =>
    barred.users.has(one) || isRequested(state, one) || state.reviewed.has(one);
  const save = (names: readonly string[], as: StoredReviewer["state"]) =>
    saveReviewers(
      deps.db,
      target,
      names.map((reviewer) => ({ reviewer, state: as })),
    );
  const request = (names: readonly string[]) =>
    writeReviewers(target.client, "POST", buildWrite(target, names));
  await save(askable.filter(isLeft), "left");
  const missing = askable.filter((one) => !isLeft(one));
  if (missing.length === 0) return;
  try {
    await request(missing);
    await save(missing, "requested");
  } catch (error) {
    if (!isRejected(error)) throw error;
    // GitHub refuses all where it refuses one.
    for (const one of missing)
      await unlessFailing(deps, evaluation.pull, async () => {
        const isTaken = await request([one]).then(
          () => true,
          (refusal: unknown) => {
            if (isRejected(refusal)) return false;
            throw refusal;
          },
        );
        await save([one], isTaken ? "requested" : "left");
      });
  }
}

const isRejected = (error: unknown): boolean =>
  error instanceof GitHubError && error.failure.kind === "rejected";

/** A team is named with its organisation. */
const isTeam = (reviewer: string): boolean => reviewer.includes("/");
const getSlug = (team: string): string => team.slice(team.indexOf("/") + 1);

const isRequested = ({ requested }: ReviewState, reviewer: string): boolean =>
  isTeam(reviewer) ? requested.teams.includes(getSlug(reviewer)) : requested.users.includes(reviewer);

const buildWrite = ({ repositoryId, number, isCurrent }: CommentTarget, names: readonly string[]) => ({
  repositoryId,
  number,
  users: names.filter((one) => !isTeam(one)),
  teams: names.filter(isTeam).map(getSlug),
  isCurrent,
});
