import type { Decimal } from "../../kernel/money.ts";

/** The inputs of rules beside the report. */
export interface EvaluationContext {
  readonly number: number;
  /** In lower case, of an app with `[bot]`; null: unknown, as for a deleted account. */
  readonly author: string | null;
  /** Null: unknown. */
  readonly labels: readonly string[] | null;
  readonly baseRef: string;
  readonly draft: boolean;
  /** Paths before and after. */
  readonly paths: readonly string[];
  /** False: GitHub does not list all of them. */
  readonly pathsComplete: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Other use of budgets; null: it could not be read. */
  readonly budgetUse: BudgetUse | null;
  /** True: these are local files, without the facts of a pull request. */
  readonly local?: true;
  /** True: a CI job evaluates, which knows no other pull request. */
  readonly oneShot?: true;
}

/** The budget use of other pull requests and of untouched workspaces. */
export interface BudgetUse {
  /** Newest known monthly cost of each workspace of this repository, whoever touched it last. */
  readonly workspaces: readonly WorkspaceCost[];
  /** Changes of cost that other open pull requests bring, whose newest verdict lets them merge. */
  readonly pulls: readonly (WorkspaceCost & { readonly number: number })[];
  /** Workspaces of which the cost, or a change of it, is unknown. */
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

/** The names of stages: the same in the whole report and in every narrowed report. */
export interface StageNames {
  /** The label that distinguishes a stage of the report from the others. */
  getLabel(stage: Workspace): string;
  /** The name that the policy gives to a workspace, be it in the report or not. */
  getName(stage: Workspace): string;
}
