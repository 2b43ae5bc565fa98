import type { Decimal } from "../../kernel/money.ts";

/** What rules know of the pull request beside its report. */
export interface EvaluationContext {
  readonly number: number;
  /** In lower case, of an app with `[bot]`; null: not known, as of an account that is gone. */
  readonly author: string | null;
  /** Null: not known. */
  readonly labels: readonly string[] | null;
  readonly baseRef: string;
  readonly draft: boolean;
  /** Paths before and after. */
  readonly paths: readonly string[];
  /** False: GitHub does not list all of them. */
  readonly pathsComplete: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** What else counts towards budgets; null: it could not be read. */
  readonly budgetUse: BudgetUse | null;
  /** True: these are local files, and what only a pull request has is not available. */
  readonly local?: true;
}

/** What other pull requests and untouched workspaces put on a budget. */
export interface BudgetUse {
  /** Newest known monthly cost of each workspace of this repository, whoever touched it last. */
  readonly workspaces: readonly WorkspaceCost[];
  /** Changes of cost that other open pull requests bring, whose newest verdict lets them merge. */
  readonly pulls: readonly (WorkspaceCost & { readonly number: number })[];
  /** Workspaces of which something that counts is not known. */
  readonly unknown: readonly Workspace[];
}

export interface Workspace {
  readonly org: string;
  readonly project: string;
  readonly workspace: string;
}

export interface WorkspaceCost extends Workspace {
  readonly currency: string;
  /** Per month: of a workspace what it costs, of a pull request what it adds. */
  readonly amount: Decimal;
}

/** What stages are called: the same in the whole report and in every part of it that is looked at. */
export interface StageNames {
  /** What tells a stage of the report apart from the others. */
  labelOf(stage: Workspace): string;
  /** The name that the policy gives to a workspace, be it in the report or not. */
  nameOf(stage: Workspace): string;
}
