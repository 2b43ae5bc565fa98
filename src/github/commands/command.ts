import type { Sha } from "../../kernel/ids.ts";
import type { Money } from "../../kernel/money.ts";

/** The words that a comment can ask us with. */
export const VERBS = ["help", "recheck", "approve", "revoke", "override", "explain"] as const;
export type Verb = (typeof VERBS)[number];

export type Command =
  | { readonly verb: "help" | "recheck" | "revoke" }
  /** Null: every rule. */
  | { readonly verb: "explain"; readonly rule: string | null }
  | ApproveCommand
  | OverrideCommand;

export interface ApproveCommand {
  readonly verb: "approve";
  readonly sha: Sha;
  readonly upTo: Money | null;
  /**
   * Words between the commit and the amount, which name rules; null: no amount was given, and the rules are the first
   * words of `reason`.
   */
  readonly rules: readonly string[] | null;
  /** Not escaped; never blank. */
  readonly reason: string;
}

export interface OverrideCommand {
  readonly verb: "override";
  readonly sha: Sha;
  /** Not escaped; never blank. */
  readonly reason: string;
}

/** What is wrong with a command. `found` is what was written, not escaped. */
export type CommandProblem =
  /** A comment carries one command, so that it is clear what its edit or deletion takes back. */
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "unknown_verb"; readonly found: string }
  | { readonly kind: "extra_words"; readonly verb: Verb; readonly found: string }
  /** No full commit id. */
  | { readonly kind: "sha"; readonly verb: "approve" | "override"; readonly found: string }
  | { readonly kind: "amount"; readonly found: string }
  | { readonly kind: "reason" }
  /** GitHub may show the line as a part of something else. */
  | { readonly kind: "not_plain" }
  /** Or nested too deeply. */
  | { readonly kind: "too_long" };

/** What a comment asks for. */
export type ParsedCommand =
  | { readonly state: "none" }
  | { readonly state: "command"; readonly command: Command }
  | { readonly state: "malformed"; readonly problem: CommandProblem };
