import { renderMarkdown } from "../markdown/render.ts";
import type { Account } from "../state/accounts.ts";
import { findAccount, findTeam } from "../state/find.ts";
import type { SandboxComment } from "../state/pulls.ts";
import type { World } from "../state/world.ts";

/** Notifies everybody whom a comment newly mentions, except its author `by`. `before`: null for a new comment. */
export function notifyMentioned(
  world: World,
  comment: SandboxComment,
  { before, by }: { readonly before: string | null; readonly by: Account },
): void {
  const old = parseMentions(before ?? "");
  const { id: commentId, repositoryId, number } = comment;
  for (const mention of parseMentions(comment.body)) {
    if (old.has(mention)) continue;
    for (const userId of listMentionedPeople(world, mention)) {
      if (userId === by.id) continue;
      const id = world.nextId("other");
      world.notifications.insert({ id, repositoryId, number, commentId, userId, mention });
    }
  }
}

/** Returns the mentions in a text outside code, in lower case: `ada`, or `acme/finops`. */
function parseMentions(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (!text.includes("@")) return found;
  const note = (mention: string): null => {
    found.add(mention.toLowerCase());
    return null;
  };
  const references = {
    person: note,
    team: (organisation: string, slug: string) => note(`${organisation}/${slug}`),
    pull: () => null,
  };
  renderMarkdown(text, { references, breaks: true });
  return found;
}

function listMentionedPeople(world: World, mention: string): readonly number[] {
  const [login = "", slug] = mention.split("/");
  if (slug !== undefined) return findTeam(world, login, slug)?.memberIds ?? [];
  const account = findAccount(world, login);
  return account?.type === "User" ? [account.id] : [];
}
