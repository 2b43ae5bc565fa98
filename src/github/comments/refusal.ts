import { type GitHubFailure, isRefusal } from "../client/result.ts";

/**
 * Why GitHub refuses a comment. `locked`: the conversation. `blocked`: the App, by the owner. `restricted`: moderation limits who
 * may comment. `disabled`: nobody may, as in an archived repository or after 2,500 comments. `limited`: too many comments, or taken
 * for spam. `refused`: no reason that is known.
 */
export type RefusalReason =
  | "locked"
  | "blocked"
  | "restricted"
  | "disabled"
  | "limited"
  | "too_long"
  | "refused";

/** GitHub has no codes for these; its words are matched here and nowhere else. The first that fits counts. */
const WORDS: readonly (readonly [RegExp, RefusalReason])[] = [
  [/too long|maximum is \d+/i, "too_long"],
  [/\blocked\b/i, "locked"],
  [/disabled|archived|read-only/i, "disabled"],
  [/blocked/i, "blocked"],
  [/interaction|restricted|collaborators|contributors/i, "restricted"],
  [/too quickly|too many|spam|abus|limit/i, "limited"],
];

/** Null: GitHub did not refuse it, but failed, or was not reached. */
export function classifyRefusal(failure: GitHubFailure): RefusalReason | null {
  const { kind, message } = failure;
  if (!isRefusal(failure)) return null;
  if (kind === "gone") return "disabled";
  if (kind !== "forbidden" && kind !== "rejected") return "refused";
  return WORDS.find(([words]) => words.test(message))?.[1] ?? "refused";
}
