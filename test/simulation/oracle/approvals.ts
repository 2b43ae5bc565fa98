import type { Review, SandboxPull } from "../../../src/sandbox/state/pulls.ts";
import type { Story } from "../story.ts";
import { executionsOf, sumOf } from "./executions.ts";
import { isOfFinance, isRevoke, listFinanceComments } from "./finance-comments.ts";
import { policyOf } from "./policy.ts";

const APPROVE = /^\/tollgate approve ([0-9a-f]{40}) up to (\d+) USD load test$/;
const REVIEW = /^up to (\d+) USD$/;

/** Whether some comment or review, as it stands, may still approve: on a head of this pull request, up to enough. */
export function canBeApproved(story: Story, pull: SandboxPull): boolean {
  const sum = sumOf(executionsOf(story, pull));
  const given = [...listCommanded(story, pull), ...listReviewed(story, pull)];
  return given.some(
    ({ sha, upTo }) => story.actors.heads.get(pull.number)?.includes(sha) === true && upTo >= sum,
  );
}

interface GivenApproval {
  readonly sha: string;
  /** Dollars a month. */
  readonly upTo: number;
}

const listCommanded = (story: Story, pull: SandboxPull): readonly GivenApproval[] =>
  listFinanceComments(story, pull).flatMap(({ body }) => {
    const [, sha, upTo] = APPROVE.exec(body) ?? [];
    return sha === undefined ? [] : [{ sha, upTo: Number(upTo) }];
  });

/** Whether the policy in force takes reviews for approvals. */
export function takesReviews(story: Story, { baseRef }: SandboxPull): boolean {
  const policy = policyOf(story, baseRef);
  return typeof policy === "object" && policy.takesReviews;
}

/** Reviews that approve, where the policy takes them, as long as they stand and their author asked for no changes later. */
function listReviewed(story: Story, pull: SandboxPull): readonly GivenApproval[] {
  if (!takesReviews(story, pull)) return [];
  const reviews = story.github.world.reviews.filter(({ number }) => number === pull.number);
  return reviews.flatMap((review, index) => {
    const upTo = REVIEW.exec(review.body)?.[1];
    const isStanding = review.state === "APPROVED" && isOfFinance(story, pull, review.authorId);
    if (upTo === undefined || !isStanding || isTakenBack(story, review, reviews.slice(index))) return [];
    return [{ sha: review.commitSha, upTo: Number(upTo) }];
  });
}

function isTakenBack(story: Story, review: Review, later: readonly Review[]): boolean {
  const isOwn = ({ authorId }: { readonly authorId: number }): boolean => authorId === review.authorId;
  const revokes = story.github.verbs.comments(review).filter(({ body }) => isRevoke(body));
  return (
    later.some((one) => isOwn(one) && one.state === "CHANGES_REQUESTED") ||
    revokes.some((one) => isOwn(one) && one.createdAt > review.submittedAt)
  );
}
