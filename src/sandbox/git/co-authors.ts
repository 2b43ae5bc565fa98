import type { GitSignature } from "./objects.ts";

type CoAuthor = Pick<GitSignature, "name" | "email" | "accountId">;

const TRAILER = /^co-authored-by:[ \t]*(.*?)[ \t]*<([^<>]+)>[ \t]*$/gim;

/** Who a commit's message names beside its author; accounts are known by GitHub's own addresses for them, 0 is none. */
export const coAuthors = (message: string): readonly CoAuthor[] =>
  [...message.matchAll(TRAILER)].map(([, name = "", email = ""]) => ({
    name,
    email,
    accountId: Number(/^(\d+)\+[^@]*@users\.noreply\.github\.com$/.exec(email)?.[1] ?? 0),
  }));
