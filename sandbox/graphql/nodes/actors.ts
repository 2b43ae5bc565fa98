import type { Account } from "../../state/accounts.ts";
import type { CallerView, NodeFields } from "./caller-view.ts";

/** Returns a person, bot or organisation; null for a deleted account. A bot's login has no "[bot]" suffix, unlike in REST. */
export function buildActorFields(view: CallerView, accountId: number): NodeFields | null {
  const account = view.world.accounts.require(accountId);
  return account.deleted ? null : buildAccountFields(account);
}

export const buildAccountFields = (account: Account): NodeFields => ({
  __typename: account.type,
  databaseId: account.id,
  login: account.login.replace(/\[bot\]$/, ""),
});

export function buildAppFields(view: CallerView, appId: number): NodeFields {
  const { id, slug } = view.world.apps.require(appId);
  return { databaseId: id, slug };
}

/** Returns a commit's author or committer; `user` only where GitHub knows the email address. */
export function buildGitActorFields(view: CallerView, accountId: number): NodeFields {
  const account = view.world.accounts.get(accountId);
  const user = account?.type === "User" && !account.deleted ? buildAccountFields(account) : null;
  return { user };
}
