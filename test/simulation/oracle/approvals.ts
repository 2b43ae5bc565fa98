import type { Review, SandboxComment, SandboxPull } from "../../../sandbox/state/records.ts";
import type { Story } from "../story.ts";
import { executionsOf, sumOf } from "./executions.ts";
import { isOfFinance, isRevoke, listFinanceComments, listRevokedComments } from "./finance-comments.ts";
import { policyOf } from "./policy.ts";

const APPROVE = /^\/tollgate approve ([0-9a-f]{40}) up to (\d+) USD(?: until (\d{4}-\d\d-\d\d))? load test$/;
const REVIEW = /^up to (\d+) USD$/;

/** Whether some comment or review, as it stands, may still approve: on a head of this pull request, up to enough. */
export function canBeApproved(story: Story, pull: SandboxPull): boolean {
  const sum = sumOf(executionsOf(story, pull));
  const given = [...listByComment(story, pull), ...listByReview(story, pull)];
  return given.some(
    ({ sha, upTo }) => story.actors.heads.get(pull.number)?.includes(sha) === true && upTo >= sum,
  );
}

interface GivenApproval {
  readonly sha: string;
  /** Dollars a month. */
  readonly upTo: number;
}

function listByComment(story: Story, pull: SandboxPull): readonly GivenApproval[] {
  const policy = policyOf(story, pull.baseRef);
  const mustEnd = typeof policy === "object" && policy.mustEnd;
  return listFinanceComments(story, pull).flatMap(({ body }) => {
    const [, sha, upTo, until] = APPROVE.exec(body) ?? [];
    const hasEnded = until !== undefined && story.scheduler.time.now() >= Date.parse(until) + 86_400_000;
    return sha === undefined || hasEnded || (until === undefined && mustEnd)
      ? []
      : [{ sha, upTo: Number(upTo) }];
  });
}

/** Whether the policy in force counts reviews as approvals. */
export function takesReviews(story: Story, { baseRef }: SandboxPull): boolean {
  const policy = policyOf(story, baseRef);
  return typeof policy === "object" && policy.takesReviews;
}

/** Reviews that approve, where the policy counts them, as long as they stand and their author requested no changes later. */
function listByReview(story: Story, pull: SandboxPull): readonly GivenApproval[] {
  if (!takesReviews(story, pull)) return [];
  const revoked = listRevokedReviews(story, pull);
  return reviewsOf(story, pull).flatMap((review) => {
    const upTo = REVIEW.exec(review.body)?.[1];
    const isStanding = review.state === "APPROVED" && isOfFinance(story, pull, review.authorId);
    const hasEnded = story.actors.ended.has(`review:${review.id}`) || revoked.includes(review);
    if (upTo === undefined || !isStanding || hasEnded) return [];
    return [{ sha: review.commitSha, upTo: Number(upTo) }];
  });
}

/** Whether the newest review of somebody of the finance team requests changes. */
export const isObjectedTo = (story: Story, pull: SandboxPull): boolean => {
  const newest = new Map(reviewsOf(story, pull).map((review) => [review.authorId, review]));
  return [...newest.values()].some(
    ({ authorId, state }) => state === "CHANGES_REQUESTED" && isOfFinance(story, pull, authorId),
  );
};

const reviewsOf = ({ github }: Story, pull: SandboxPull): readonly Review[] =>
  github.world.reviews.filter(({ number }) => number === pull.number);

/** The reviews whose author requested changes or revoked after writing them. */
function listRevokedReviews(story: Story, pull: SandboxPull): readonly Review[] {
  const reviews = reviewsOf(story, pull);
  const revokes = story.github.verbs.comments(pull).filter(({ body }) => isRevoke(body));
  return reviews.filter(({ authorId, submittedAt }, index) => {
    const isOwn = (one: { readonly authorId: number }): boolean => one.authorId === authorId;
    // GitHub states whole seconds, so that a command counts as later than a review of the same second.
    const isLater = ({ createdAt }: SandboxComment): boolean =>
      toSeconds(createdAt) >= toSeconds(submittedAt);
    return (
      reviews.slice(index).some((one) => isOwn(one) && one.state === "CHANGES_REQUESTED") ||
      revokes.some((one) => isOwn(one) && isLater(one))
    );
  });
}

const toSeconds = (ms: number): number => Math.floor(ms / 1_000);

/** The comments and reviews of a pull request whose approval or override ends, if it ever began. */
export const listEnded = (story: Story, pull: SandboxPull): readonly string[] => [
  ...listRevokedComments(story, pull).map(({ id }) => `comment:${id}`),
  ...listRevokedReviews(story, pull).map(({ id }) => `review:${id}`),
];
