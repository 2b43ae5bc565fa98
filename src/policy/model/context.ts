import { z } from "zod";
import { DaySpan, PERIOD_UNITS } from "../../kernel/fiscal-periods.ts";
import { decimal, texts, type ValueOf } from "../../kernel/schemas.ts";
import { DividedAmount, type Report } from "../../report/model/report.ts";
import type { Finding } from "./finding.ts";
import type { Rule } from "./policy.ts";

const Workspace = z.object({ org: z.string(), project: z.string(), workspace: z.string() });
export type Workspace = ValueOf<typeof Workspace>;

const WorkspaceCost = Workspace.extend({
  currency: z.string(),
  /** Per month: of a workspace what it costs, of a pull request what it adds. */
  amount: decimal,
  /** The amount by the tags that budgets name; absent: not all of it is known. */
  divided: DividedAmount.exactOptional(),
});
export type WorkspaceCost = ValueOf<typeof WorkspaceCost>;

/** What counts towards the budgets of one period. */
const PeriodUse = DaySpan.extend({
  unit: z.enum(PERIOD_UNITS),
  /** What the changes that were merged in it cost from their merge to its end, in month parts: see `toMonthParts`. */
  merged: z.array(WorkspaceCost),
  /** Workspaces of which a change that was merged in it, or that is open, is unknown. */
  unknown: z.array(Workspace),
});
export type PeriodUse = ValueOf<typeof PeriodUse>;

/** The budget use of other pull requests and of untouched workspaces. */
const BudgetUse = z.object({
  /** Newest known monthly cost of each workspace of this repository, whoever touched it last. */
  workspaces: z.array(WorkspaceCost),
  /** Changes of cost that other open pull requests bring, whose newest verdict lets them merge. */
  pulls: z.array(
    WorkspaceCost.extend({
      number: z.int(),
      /** It was merged after the plan of this pull request was made. */
      isMerged: z.literal(true).exactOptional(),
    }),
  ),
  /** Workspaces of which the cost, or a change of it, is unknown. */
  unknown: z.array(Workspace),
  /** The keys of the tags that budgets name; absent: they name none. */
  tagKeys: texts.exactOptional(),
  /** The current period of each budget that is for one; absent: none is. */
  periods: z.array(PeriodUse).exactOptional(),
});
export type BudgetUse = ValueOf<typeof BudgetUse>;

/** Apps by the names that people give them: as an author each has `[bot]`, and nobody else is meant. */
export const KNOWN_APPS: ReadonlySet<string> = new Set(
  "allcontributors codecov dependabot dependabot-preview depfu github-actions imgbot mergify pre-commit-ci renovate".split(
    " ",
  ),
);

/** The inputs of rules beside the report. */
export const EvaluationContext = z.object({
  number: z.int(),
  /** In lower case, of an app with `[bot]`; null: unknown, as for a deleted account. */
  author: z.string().nullable(),
  /** True: what is below it in its stack has other authors. */
  mixedAuthors: z.literal(true).exactOptional(),
  /** Null: unknown. */
  labels: texts.nullable(),
  baseRef: z.string(),
  draft: z.boolean(),
  /** Paths before and after. */
  paths: texts,
  /** False: GitHub does not list all of them. */
  pathsComplete: z.boolean(),
  /** Milliseconds since 1970. */
  nowMs: z.number(),
  /** Other use of budgets; null: it could not be read. */
  budgetUse: BudgetUse.nullable(),
  /** True: these are local files, without the facts of a pull request. */
  local: z.literal(true).exactOptional(),
  /** True: a CI job evaluates, which knows no other pull request. */
  oneShot: z.literal(true).exactOptional(),
});
export type EvaluationContext = ValueOf<typeof EvaluationContext>;

/** The names of stages: the same in the whole report and in every narrowed report. */
export interface StageNames {
  /** The label that distinguishes a stage of the report from the others. */
  getLabel(stage: Workspace): string;
  /** The name that the policy gives to a workspace, be it in the report or not. */
  getName(stage: Workspace): string;
}

/** Evaluates one rule on one report. */
export type RuleEvaluator = (rule: Rule, report: Report) => readonly Finding[];

/** Limits on the cost of conditions, in steps. */
export interface CostLimits {
  /** For one condition on one report. */
  readonly rule: number;
  /** For all conditions of the policy in force. */
  readonly file: number;
}

/** The default limits. One step is one evaluation of a part of an expression, or a fixed amount of work on a list or text. */
export const COST_LIMITS: CostLimits = { rule: 10_000_000, file: 30_000_000 };
