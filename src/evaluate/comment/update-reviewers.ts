import type { GitHubFailure } from "../../github/client/result.ts";
import {
  type ReviewState,
  readReviewState,
  requestReviewers,
  withdrawReviewers,
} from "../../github/people/reviewers.ts";
import { planReviewers } from "../../policy/approvals/requests.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import {
  forgetReviewers,
  listReviewers,
  type StoredReviewer,
  saveReviewers,
} from "../../store/approvals/requests.ts";
import { findPull } from "../../store/pulls.ts";
import type { CommentTarget } from "../publish/comment-target.ts";
import { readBarredUsers } from "../publish/mentions.ts";
import type { JobDeps } from "../run/deps.ts";

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
  const state = await readReviewState(target.client, pull);
  if (!state.ok) return logFailure(deps, evaluation, state.failure);
  const ended = known.filter(({ reviewer }) => plan.ended.includes(reviewer));
  await withdrawEnded(deps, target, { evaluation, ended, state: state.value });
  await requestAdded(deps, target, { evaluation, added: plan.added, state: state.value });
}

interface EndedReviewers {
  readonly evaluation: Evaluation;
  readonly ended: readonly StoredReviewer[];
  readonly state: ReviewState;
}

/** Withdraws requests that Tollgate made and nobody answered; whoever reviewed since was requested again by a person. */
async function withdrawEnded(
  deps: JobDeps,
  target: CommentTarget,
  { evaluation, ended, state }: EndedReviewers,
): Promise<void> {
  const own = ended
    .filter((one) => one.state === "requested" && isRequested(state, one.reviewer))
    .map(({ reviewer }) => reviewer)
    .filter((reviewer) => !state.reviewed.has(reviewer));
  if (own.length > 0) {
    const answer = await withdrawReviewers(target.client, buildWrite(target, evaluation, own));
    if (answer.ok === "superseded") return;
    if (!answer.ok) return logFailure(deps, evaluation, answer.failure);
  }
  await forgetReviewers(
    deps.db,
    evaluation.pull,
    ended.map(({ reviewer }) => reviewer),
  );
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
  const left = askable.filter(isLeft);
  await saveState(deps, evaluation, { names: left, state: "left" });
  const asked = askable.filter((one) => !left.includes(one));
  if (asked.length === 0) return;
  const answer = await requestReviewers(target.client, buildWrite(target, evaluation, asked));
  if (answer.ok === "superseded") return;
  if (answer.ok) return saveState(deps, evaluation, { names: asked, state: "requested" });
  if (answer.failure.kind !== "rejected") return logFailure(deps, evaluation, answer.failure);
  // GitHub refuses all where it refuses one.
  for (const one of asked) await requestOne(deps, target, { evaluation, reviewer: one });
}

async function requestOne(
  deps: JobDeps,
  target: CommentTarget,
  { evaluation, reviewer }: { readonly evaluation: Evaluation; readonly reviewer: string },
): Promise<void> {
  const answer = await requestReviewers(target.client, buildWrite(target, evaluation, [reviewer]));
  if (answer.ok === "superseded") return;
  if (!answer.ok) logFailure(deps, evaluation, answer.failure);
  if (!answer.ok && answer.failure.kind !== "rejected") return;
  await saveState(deps, evaluation, { names: [reviewer], state: answer.ok ? "requested" : "left" });
}

const saveState = (
  { db, clock }: JobDeps,
  { pull }: Evaluation,
  { names, state }: { readonly names: readonly string[]; readonly state: StoredReviewer["state"] },
): Promise<void> =>
  saveReviewers(db, pull, {
    reviewers: names.map((reviewer) => ({ reviewer, state })),
    now: new Date(clock.now()),
  });

/** A team is named with its organisation. */
const isTeam = (reviewer: string): boolean => reviewer.includes("/");
const getSlug = (team: string): string => team.slice(team.indexOf("/") + 1);

const isRequested = ({ requested }: ReviewState, reviewer: string): boolean =>
  isTeam(reviewer) ? requested.teams.includes(getSlug(reviewer)) : requested.users.includes(reviewer);

const buildWrite = (target: CommentTarget, { pull }: Evaluation, names: readonly string[]) => ({
  repositoryId: pull.repositoryId,
  number: pull.number,
  users: names.filter((one) => !isTeam(one)),
  teams: names.filter(isTeam).map(getSlug),
  isCurrent: target.isCurrent,
});

function logFailure({ log }: JobDeps, { pull }: Evaluation, { kind, message }: GitHubFailure): void {
  const { repositoryId, number } = pull;
  log.warn({ repositoryId, number, failure: kind, message }, "GitHub does not take a request of reviewers");
}
