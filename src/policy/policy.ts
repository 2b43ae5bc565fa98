import type { Decimal, Money } from "../kernel/money.ts";

export type Per = "pull-request" | "stage" | "module" | "resource-type";
export type Enforce = "block" | "warn";

export type CountLimit = "deletions" | "replacements" | "changes" | "drift" | "unpriced";

/** What a rule allows at most: money per month, percent, or a count. Reaching it is allowed, exceeding it is not. */
export type Limit =
  | { readonly kind: "increase" | "decrease" | "total"; readonly amount: Money }
  | { readonly kind: "percent"; readonly percent: Decimal }
  | { readonly kind: CountLimit; readonly count: number };

export interface Rule {
  readonly id: string;
  readonly limit: Limit;
  readonly per: Per;
  readonly enforce: Enforce;
  /** What an undecided rule does: `warn` is allowed only where the schema allows it. */
  readonly onUnknown: Enforce;
  /** True: the rule came from the organisation's file and no repository can loosen it. */
  readonly mandatory: boolean;
}

/** A verdict waits for these workspaces when the pull request changes a file that matches. */
export interface Expectation {
  readonly paths: readonly string[];
  /** Globs or names; empty: at least one execution, of whatever workspace. */
  readonly workspaces: readonly string[];
  readonly withinMs: number;
}

export interface StageName {
  readonly workspace: string;
  readonly name: string;
}

export interface CheckName {
  readonly branch: string;
  readonly name: string;
}

/** The policy in force: the repository's file under the organisation's. */
export interface Policy {
  readonly rules: readonly Rule[];
  readonly expect: readonly Expectation[];
  readonly stages: readonly StageName[];
  readonly checkNames: readonly CheckName[];
  /** Narrows the operator's grant. */
  readonly platform: { readonly org: string | null; readonly project: string | null };
  /** Whether executions may be looked up by workspace (marked "assumed"). */
  readonly assumeByWorkspace: boolean;
  readonly comment: { readonly onNoChange: "comment" | "quiet" };
}

/** One thing wrong in a policy file, with its place. Lines and columns count from 1. */
export interface PolicyProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Where in the document, e.g. `rules[2].limit.increase`. */
  readonly path: string;
  /** What was found and what was expected, one sentence. */
  readonly message: string;
}
