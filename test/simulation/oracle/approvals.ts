import type { SandboxPull } from "../../../src/sandbox/state/pulls.ts";
import type { Story } from "../story.ts";
import { executionsOf, sumOf } from "./executions.ts";

const APPROVE = /^\/tollgate approve ([0-9a-f]{40}) up to (\d+) USD load test$/;
const FINANCE: readonly string[] = ["grace", "heidi"];

/**
 * Whether some comment, as it stands, may still approve: of the team and not of the author, on a head of this pull request, up to
 * enough, and not revoked.
 */
export function canBeApproved(story: Story, pull: SandboxPull): boolean {
  const { world } = story.github;
  const comments = story.github.verbs.comments(pull);
  const sum = sumOf(executionsOf(story, pull));
  return comments.some((comment, index) => {
    const [, sha = "", upTo = "0"] = APPROVE.exec(comment.body) ?? [];
    const isOfTeam =
      comment.authorId !== pull.authorId && FINANCE.includes(world.accounts.require(comment.authorId).login);
    const isRevoked = comments
      .slice(index)
      .some(({ authorId, body }) => authorId === comment.authorId && body.startsWith("/tollgate revoke"));
    const isOfPull = story.actors.heads.get(pull.number)?.includes(sha) === true;
    return isOfPull && Number(upTo) >= sum && isOfTeam && comment.editedAt === null && !isRevoked;
  });
}
