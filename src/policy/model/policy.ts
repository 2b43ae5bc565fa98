import { z } from "zod";
import { findPeriod, PERIOD_UNITS } from "../../kernel/fiscal-periods.ts";
import type { Decimal, Money } from "../../kernel/money.ts";
import type { PolicyEvent } from "../../kernel/notification-events.ts";
import { count, decimal, money, texts, type ValueOf } from "../../kernel/schemas.ts";

export const RuleGranularity = z.enum(["pull-request", "stage", "module", "resource-type", "tag"]);
export type RuleGranularity = z.infer<typeof RuleGranularity>;
export const Enforcement = z.enum(["block", "warn"]);
export type Enforcement = z.infer<typeof Enforcement>;

export const CountLimit = z.enum([
  "deletions",
  "replacements",
  "changes",
  "invocations",
  "drift",
  "unpriced",
  "usage",
  "untagged",
  "finops-issues",
  "estimator-policies",
  "anomalies",
  "governance-failures",
]);
export type CountLimit = z.infer<typeof CountLimit>;
const MoneyLimit = z.enum([
  ...(["increase", "decrease", "total", "missed-savings", "anomaly-cost", "untagged-cost"] as const),
  "budget",
]);
export type MoneyLimit = z.infer<typeof MoneyLimit>;

/** Facts that an expression may depend on. An unknown one makes its rule undecided. */
export const FACT_NAMES = [
  /** Which stages there are. */
  "stages",
  /** Amounts of the pull request and of its stages. */
  "cost",
  /** The cost before and after, not only the change. */
  "totals",
  /** That there is one currency. */
  "currency",
  "modules",
  /** Amounts of single resources. */
  "resources",
  /** Numbers of planned changes and of drift. */
  "counts",
  /** How many resources do not change. */
  "unchanged",
  /** Every single planned change and drifted resource. */
  "rows",
  /** The tags of resources and rows: each that is unknown makes the conditions undecided that read it. */
  "tags",
  /** The attributes of rows before and after. */
  "attributes",
  /** Every action that the plans invoke. */
  "invocations",
  "unpriced",
  /** Which resources are usage-based. */
  "usage",
  /** Each of them by name. */
  "usage_resources",
  /** Paths that GitHub lists. */
  "paths",
  "author",
  "labels",
  "savings",
  "anomalies",
  /** Their cost above the expected cost. */
  "anomaly_cost",
  "governance",
  "unit_costs",
  "governance_prompts",
  /** How much of each stage's change undoes or absorbs drift. */
  "drift",
  /** The cost of ephemeral stages per lifetime. */
  "lifetimes",
] as const;
export type FactName = (typeof FACT_NAMES)[number];

/** What a rule allows at most: money per month, percent, or a count. Reaching it is allowed, exceeding it is not. */
export const Limit = z.union([
  /** `period`: of a budget alone, the period that the amount is for; absent: a month after the other. */
  z.object({ kind: MoneyLimit, amount: money, period: z.enum(PERIOD_UNITS).exactOptional() }),
  z.object({ kind: z.literal("percent"), percent: decimal }),
  /** By how many percent the cost of a unit of `metric` may rise. */
  z.object({ kind: z.literal("unit-cost"), metric: z.string(), percent: decimal }),
  /** `existing`: existing resources count too; absent: only introduced ones. */
  z.object({ kind: CountLimit, count: z.number(), existing: z.literal("include").exactOptional() }),
  /** A condition in CEL: the rule is violated where the condition is true. */
  z.object({ kind: z.literal("when"), expression: z.string(), needs: z.array(z.enum(FACT_NAMES)) }),
]);
export type Limit = ValueOf<typeof Limit>;

/** The values of one tag that a scope includes or excludes. */
const ScopeTag = z.object({
  key: z.string(),
  /** Globs: one that matches is enough. */
  values: texts,
});
export type ScopeTag = ValueOf<typeof ScopeTag>;

/** Names and patterns of pull requests and of their parts. An empty list does not restrict. */
const ScopeNames = z.object({
  /** Globs over base branches. */
  branches: texts,
  /** Globs over changed paths: one that matches is enough. */
  paths: texts,
  labels: texts,
  /** Logins, in any case. */
  authors: texts,
  /** Globs over names that the policy gives to stages. */
  stages: texts,
  workspaces: texts,
  /** Globs over module paths, dots being separators. */
  modules: texts,
  resource_types: texts,
  /** Provider names, e.g. `aws`. */
  providers: texts,
  /** Included resources match every entry; excluded ones match any. */
  tags: z.array(ScopeTag),
});
export type ScopeNames = ValueOf<typeof ScopeNames>;

/** The names of a scope that does not restrict. */
export const EVERYTHING = Object.fromEntries(
  Object.keys(ScopeNames.shape).map((name) => [name, []]),
) as unknown as ScopeNames; // one empty list for each name

/** The pull requests and parts of them to which a rule, waiver or budget applies. */
const Scope = ScopeNames.extend({
  /** The excluded part; absent: nothing. */
  not: ScopeNames.exactOptional(),
});
export type Scope = ValueOf<typeof Scope>;

const NamedApprovers = z.object({
  /** Slugs of teams of the owner. */
  teams: texts,
  /** Logins, in lower case. */
  users: texts,
  /** Least permission on the repository that is enough by itself; null: teams and users only. */
  permission: z.enum(["write", "maintain", "admin"]).nullable(),
});

/** The approvers of one group: any of these members matches. */
const ApproverGroup = NamedApprovers.extend({
  /** Number of different people of the group that must approve, at least 1. */
  count,
  /** The group approves for this value of the rule's tag only. Absent: for the values that no group has. */
  tagValue: z.string().exactOptional(),
  /**
   * The code owners of the changed files approve, and these people files without an owner. The group names nobody itself:
   * `resolveCodeOwners` replaces it.
   */
  codeowners: NamedApprovers.exactOptional(),
  /** It is a list of code owners of changed files. */
  ownsFiles: z.literal(true).exactOptional(),
});
export type ApproverGroup = ValueOf<typeof ApproverGroup>;

/** The approvers of a violated rule: every group must be complete. */
export const ApproveSpec = z.object({
  groups: z.array(ApproverGroup),
  /** Whether an approving review of the head counts as an approval. */
  reviews: z.boolean(),
  /** An approval has to name the day on which it ends. */
  until: z.literal("required").exactOptional(),
  /** Changes that one of them requests in a review hold the check. */
  objections: z.literal("block").exactOptional(),
});
export type ApproveSpec = ValueOf<typeof ApproveSpec>;

/** Why it is undecided which code owners would approve. Texts are from outside, not escaped. `more`: the number of further ones. */
export const CodeOwnersProblem = z.discriminatedUnion("kind", [
  /** The text that GitHub does not read as a pattern or an owner, and its line. */
  z.object({ kind: z.literal("invalid"), file: z.string(), line: count, found: z.string(), more: count }),
  /** `too_slow`: its patterns take too long. Else the reason why the file has no text. */
  z.object({ kind: z.literal("unreadable"), file: z.string(), reason: z.string() }),
  /** GitHub does not list all changed files, or there are none. */
  z.object({ kind: z.literal("files_unknown") }),
  /** A changed file has no owner, and the rule names nobody for it. */
  z.object({ kind: z.literal("no_owner"), path: z.string(), more: count }),
  /** A changed file has only owners that no account of the organisation is known of: e-mail addresses, teams of others. `owners`: the first three. */
  z.object({ kind: z.literal("no_account"), file: z.string(), path: z.string(), owners: texts }),
  /** More owners than are asked for one pull request. */
  z.object({ kind: z.literal("too_many"), file: z.string() }),
]);
export type CodeOwnersProblem = ValueOf<typeof CodeOwnersProblem>;

/** The people who may override a check: any of these members matches. */
export interface OverrideSpec extends Pick<ApproverGroup, "teams" | "users" | "permission"> {
  /** Whether the author and the other contributors of a pull request may override its check. */
  readonly allowAuthor: boolean;
}

/** A reviewed, expiring waiver of one rule. */
export const Waiver = z.object({
  rule: z.string(),
  scope: Scope.nullable(),
  /** Largest waived value: money in the rule's currency, a percentage or a count, like the rule; null: any value. */
  upTo: z.union([money, decimal]).nullable(),
  /** First moment at which the waiver is no longer in force, ms since 1970: the end of its `until` day in UTC. */
  untilMs: z.number(),
  reason: z.string(),
  owner: z.string(),
});
export type Waiver = ValueOf<typeof Waiver>;

/** The position of a rule or a budget; stored beside the rules, because rules are compared without their position. */
export const RulePlace = z.object({
  /** The id of the rule. */
  rule: z.string(),
  /** The name of the file, as the `PolicyText` that it was read from has it. */
  file: z.string(),
  /** The first line of its entry, counted from 1. */
  line: z.number(),
  /** The https address of its explanation; absent: it has none. */
  docs: z.string().exactOptional(),
});
export type RulePlace = ValueOf<typeof RulePlace>;

/** The parts of a rule that pages show and compute with. */
const ShownRule = z.object({
  id: z.string(),
  limit: Limit,
  per: RuleGranularity,
  /** The key of the tag; absent unless `per` is `tag`. */
  perTag: z.string().exactOptional(),
  /** Null: every pull request and every part of it. */
  scope: Scope.nullable(),
  enforce: Enforcement,
  /** True: the rule came from the organisation's file and no repository can loosen it. */
  mandatory: z.boolean(),
});

export interface Rule extends ValueOf<typeof ShownRule> {
  /** The first moment at which it may block, ms since 1970; until then it warns. Absent: it may at once. */
  readonly enforceFromMs?: number;
  /**
   * The effect of a violation in single stages, by a pattern over their names, instead of `enforce`; the first match counts. A
   * limit that only all stages together exceed warns.
   */
  readonly enforceIn: readonly { readonly stage: string; readonly enforce: Enforcement }[];
  /** The approvers of a violation; null: nobody. */
  readonly approve: ApproveSpec | null;
  /** Why its code owners are undecided, so that nobody can approve it; absent: they are not. */
  readonly codeOwners?: CodeOwnersProblem;
  /** What `approve` said of objections; absent unless its code owners are undecided. */
  readonly objections?: ApproveSpec["objections"];
  /** The policy author's message for a violation; may contain `{{count}}`, the number of items. */
  readonly message: string | null;
  /** What an undecided rule does: `warn` is allowed only where the schema allows it. */
  readonly onUnknown: Enforcement;
}

/** A verdict waits for these workspaces when the pull request changes a file that matches. */
export interface Expectation extends Pick<Scope, "paths" | "not"> {
  /** Globs or names; empty: at least one execution, of whatever workspace. */
  readonly workspaces: readonly string[];
  readonly withinMs: number;
}

const StageNaming = z.object({ workspace: z.string(), name: z.string() });
export type StageNaming = ValueOf<typeof StageNaming>;

export interface CheckName {
  readonly branch: string;
  readonly name: string;
}

/** The events of its repositories that the organisation's file notifies one of the operator's targets of. */
export interface NotifyChoice {
  /** The target's name in the operator's file, which alone says where it is. */
  readonly target: string;
  readonly on: readonly PolicyEvent[];
  /** `blocked` only where the monthly increase is above this, or unknown; null: always. */
  readonly above: Money | null;
  /** `estimate-off` only where the actual change differs from the estimated one by more percent of it; null: as the target has it. */
  readonly offBy: Decimal | null;
}

/** A tag that every new and changed resource must have, unless its type cannot carry tags. */
export interface RequiredTag {
  readonly key: string;
  /** The allowed values; null: any that `pattern` allows. */
  readonly values: readonly string[] | null;
  /** An RE2 expression that matches a whole allowed value; null: any that `values` allows. */
  readonly pattern: string | null;
  /** Globs over resource types that do not need the tag: those of the file that requires it, so that no repository loosens the organisation's. */
  readonly exceptTypes: readonly string[];
}

/** The parts of a policy that pages show and compute with. */
export const ShownPolicy = z.object({
  rules: z.array(ShownRule),
  waivers: z.array(Waiver),
  stages: z.array(StageNaming),
  /** Stage names of the organisation's file alone: mandatory rules use them, so that no repository can rename a stage out of one. */
  organisationStages: z.array(StageNaming),
});
export type ShownPolicy = ValueOf<typeof ShownPolicy>;

/** The policy in force: the repository's file under the organisation's. */
export interface Policy extends ShownPolicy {
  readonly rules: readonly Rule[];
  readonly expect: readonly Expectation[];
  readonly checkNames: readonly CheckName[];
  /** Narrows the operator's grant. */
  readonly platform: { readonly org: string | null; readonly project: string | null };
  readonly comment: CommentPolicy;
  /** The organisation's first; null: none is required. */
  readonly tags: { readonly required: readonly RequiredTag[] } | null;
  /** The key of the tag by which the report divides the cost; null: none. */
  readonly byTag: string | null;
  /** Whether the report states what merging costs until the end of the fiscal year. */
  readonly showsYear: boolean;
  /** Who may override a check that does not pass; null: nobody. */
  readonly override: OverrideSpec | null;
  /** Whether approvers are requested as reviewers while their approval is needed. */
  readonly requestReviewers: boolean;
  /** Of the organisation's file alone; absent: it chooses nothing. */
  readonly notify?: readonly NotifyChoice[];
}

/** How a pull request's report is built under this policy; null: there is none. */
export const chooseReportOptions = (policy: Policy | null) => ({
  stages: policy?.stages ?? [],
  tagKeys: policy === null ? [] : listTagKeys(policy),
  byTag: policy?.byTag ?? null,
});

/** Every key of a tag that the policy names. */
const listTagKeys = ({ tags, byTag, rules, waivers }: Policy): readonly string[] => [
  ...new Set([
    ...(byTag === null ? [] : [byTag]),
    ...(tags?.required ?? []).map(({ key }) => key),
    ...rules.flatMap(({ perTag }) => perTag ?? []),
    ...[...rules, ...waivers].flatMap(({ scope }) => listScopeTags(scope)),
  ]),
];

/** The keys of the tags that budgets name, sorted. */
export const listBudgetTags = ({ rules }: Pick<Policy, "rules">): readonly string[] =>
  [
    ...new Set(rules.flatMap(({ limit, scope }) => (limit.kind === "budget" ? listScopeTags(scope) : []))),
  ].toSorted();

/** The periods of budgets that a day is in; `yearStart`: `MM-DD`. */
export const findBudgetPeriods = (rules: ShownPolicy["rules"], day: string, yearStart: string) =>
  PERIOD_UNITS.filter((unit) => rules.some(({ limit }) => "period" in limit && limit.period === unit)).map(
    (unit) => ({ unit, ...findPeriod(unit, day, yearStart) }),
  );
export type BudgetPeriod = ReturnType<typeof findBudgetPeriods>[number];

/** The keys of the tags that a scope includes or excludes. */
export const listScopeTags = (scope: Scope | null): readonly string[] =>
  [...(scope?.tags ?? []), ...(scope?.not?.tags ?? [])].map(({ key }) => key);

export const CommentMode = z.enum(["update", "new", "hide-and-new", "delete-and-new"]);
export type CommentMode = z.infer<typeof CommentMode>;

/** Changes of cost under all of these thresholds are small; null: that one is not set. At least one is. */
export const SmallChange = z.object({ amount: money.nullable(), percent: decimal.nullable() });
export type SmallChange = ValueOf<typeof SmallChange>;

/** Sections of the comment that a policy may order or leave out. The reasons for the verdict are always shown. */
export const COMMENT_SECTIONS = [
  "findings",
  "costs",
  "unpriced",
  "tags",
  "modules",
  "resources",
  "changes",
  "savings",
  "estimator",
  "context",
] as const;
export type CommentSection = (typeof COMMENT_SECTIONS)[number];

/** Sections of the comment in their order, by name; null: all, as usual. Headline, findings and provenance are always there. */
export const SectionOrder = z.array(z.enum(COMMENT_SECTIONS)).nullable();

/** How the comment is updated. */
export interface CommentPolicy {
  readonly mode: CommentMode;
  readonly onNoChange: "comment" | "quiet";
  /** Null: every change of cost is worth a comment. */
  readonly smallChange: SmallChange | null;
  readonly sections: ValueOf<typeof SectionOrder>;
}

/** One thing wrong in a policy file, with its place. Lines and columns count from 1. */
export const PolicyProblem = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  /** Where in the document, e.g. `rules[2].limit.increase`. */
  path: z.string(),
  /** What was found and what was expected, one sentence. */
  message: z.string(),
});
export type PolicyProblem = ValueOf<typeof PolicyProblem>;

/** `file:line:column path message`, as editors and terminals link to it. */
export const formatProblem = ({ file, line, column, path, message }: PolicyProblem): string =>
  [`${file}:${line}:${column}`, path, message].filter((part) => part !== "").join(" ");
