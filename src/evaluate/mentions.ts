import { toResult } from "../github/client/read-answer.ts";
import { findWriter } from "../github/people/permissions.ts";
import { readPeople } from "../github/people/read-people.ts";
import {
  type ApprovalRequests,
  isTeam,
  keepOpenRequests,
  listApprovalNeeds,
  selectMentions,
  selectNewNeeds,
  updateRequests,
} from "../policy/approvals/requests.ts";
import { listPushes } from "../store/approvals/commands.ts";
import { listApprovalRequests, saveApprovalRequests } from "../store/approvals/requests.ts";
import type { CommentJob } from "./run/deps.ts";

/** The users whom the comment mentions, and those whom a new comment in its place would mention. */
export interface CommentMentions {
  readonly approvalRequests: ApprovalRequests;
  readonly updatedCommentUsers: ReadonlySet<string>;
  readonly newCommentUsers: ReadonlySet<string>;
}

/** Deletes approval requests that have ended, whether or not a comment is written. */
export async function forgetOldRequests(job: CommentJob): Promise<ApprovalRequests["requests"]> {
  const { db } = job.deps;
  const requests = await listApprovalRequests(db, job);
  const openRequests = keepOpenRequests(job.stored.evaluation, requests);
  if (openRequests.length < requests.length) await saveApprovalRequests(db, job, openRequests);
  return openRequests;
}

/**
 * Chooses the users to mention. `commentId`: the comment that is updated; null: none, or one that others changed: it may have lost its
 * mentions, and writing them again would notify again.
 */
export async function chooseMentions(
  job: CommentJob,
  requests: ApprovalRequests["requests"],
  commentId: number | null,
): Promise<CommentMentions> {
  const needs = listApprovalNeeds(job.stored.evaluation);
  const users = selectNewNeeds(needs, requests)
    .map(({ approver }) => approver)
    .filter((approver) => !isTeam(approver));
  const barred = await readBarredUsers(job, [...new Set(users)]);
  const requestState = {
    needs: barred.isUnknown ? needs.filter(({ approver }) => !users.includes(approver)) : needs,
    requests,
    silent: barred.users,
  };
  return {
    approvalRequests: requestState,
    updatedCommentUsers: selectMentions(requestState, commentId),
    newCommentUsers: selectMentions(requestState, null),
  };
}

/**
 * Saves whom the comment just written mentions. The comment is saved first: an interrupted job writes the
 * same mentions into the same comment again.
 */
export async function saveMentions(
  job: CommentJob,
  comment: { readonly mentions: CommentMentions; readonly isUpdated: boolean; readonly commentId: number },
): Promise<void> {
  const { mentions, isUpdated, commentId } = comment;
  const { approvalRequests, updatedCommentUsers, newCommentUsers } = mentions;
  const written = isUpdated ? updatedCommentUsers : newCommentUsers;
  const requests = updateRequests(approvalRequests, { commentId, mentions: written });
  if (requests.length + approvalRequests.requests.length > 0)
    await saveApprovalRequests(job.deps.db, job, requests);
}

interface BarredMentions {
  readonly users: ReadonlySet<string>;
  /** Whether GitHub did not respond; the next publication asks again. */
  readonly isUnknown: boolean;
}

/**
 * Returns those of these users who may not approve: they contributed to the pull request, or may not write to
 * the repository.
 */
export async function readBarredUsers(
  { deps, client, repositoryId, number, stored }: CommentJob,
  users: readonly string[],
): Promise<BarredMentions> {
  if (users.length === 0) return { users: new Set(), isUnknown: false };
  const { repository, headSha } = stored.evaluation.pull;
  const [owner = "", name = ""] = repository.split("/");
  const pushes = await listPushes(deps.db, { repositoryId, number });
  const read = await toResult(
    Promise.all([
      readPeople(client, { owner, name, repositoryId, number, headSha, nodeIds: [], pushes }),
      Promise.all(users.map((login) => findWriter(client, { owner, name, login }))),
    ]),
  );
  if (!read.ok) {
    deps.log.warn(
      { repositoryId, number },
      "who worked on a pull request is unknown, so no user is mentioned",
    );
    return { users: new Set(), isUnknown: true };
  }
  const [{ contributors }, writers] = read.value;
  const mayApprove = (id: number | null | undefined): boolean =>
    id != null && contributors !== null && !contributors.has(id);
  const barred = users.filter((_, index) => !mayApprove(writers[index]));
  return { users: new Set(barred), isUnknown: false };
}
