import type { SandboxComment, SandboxPull } from "../../../sandbox/state/records.ts";
import type { Story } from "../story.ts";

const FINANCE: readonly string[] = ["grace", "heidi"];

/** Whether somebody is of the finance team and did not open the pull request. */
export const isOfFinance = ({ github }: Story, pull: SandboxPull, authorId: number): boolean =>
  authorId !== pull.authorId && FINANCE.includes(github.world.accounts.require(authorId).login);

export const isRevoke = (body: string): boolean => body.startsWith("/tollgate revoke");

/** The comments of the finance team that may still approve or override: as they were written, and not revoked after that. */
export function listFinanceComments(story: Story, pull: SandboxPull): readonly SandboxComment[] {
  const revoked = listRevokedComments(story, pull);
  return story.github.verbs.comments(pull).filter((comment) => {
    const { id, authorId, editedAt } = comment;
    const hasEnded = story.actors.ended.has(`comment:${id}`) || revoked.includes(comment);
    return isOfFinance(story, pull, authorId) && editedAt === null && !hasEnded;
  });
}

/** The comments whose author revoked after writing them. */
export function listRevokedComments(story: Story, pull: SandboxPull): readonly SandboxComment[] {
  const comments = story.github.verbs.comments(pull);
  return comments.filter(({ authorId }, index) =>
    comments.slice(index).some((later) => later.authorId === authorId && isRevoke(later.body)),
  );
}
