import type { GitSignature } from "./objects.ts";

type CoAuthor = Pick<GitSignature, "name" | "email" | "accountId">;

const TRAILER = /^co-authored-by:[ \t]*(.*?)[ \t]*<([^<>]+)>[ \t]*$/gim;

/** The co-authors in a commit's message. Accounts are found by GitHub's noreply addresses; 0: no account. */
export const coAuthors = (message: string): readonly CoAuthor[] =>
  [...message.matchAll(TRAILER)].map(([, name = "", email = ""]) => ({
    name,
    email,
    accountId: Number(/^(\d+)\+[^@]*@users\.noreply\.github\.com$/.exec(email)?.[1] ?? 0),
  }));
