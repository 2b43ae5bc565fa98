import { z } from "zod";
import { globProblem } from "../../kernel/glob.ts";
import { isPlatformId } from "../../kernel/ids.ts";
import { COMMENT_SECTIONS } from "../comment-sections.ts";
import type { Limit } from "../policy.ts";
import { amount, count, day, duration, percentage } from "./amounts.ts";

// The whole grammar of a policy file. Each `error` says what was expected; what was found is added where problems are written.

const MAPPING = "a mapping of keys and values";
const LIST = "a list";

/** Unknown keys of a mapping are refused where problems are written, with the nearest known one. */
const mapping = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, { error: ({ code }) => (code === "invalid_type" ? MAPPING : undefined) });

const list = <Item extends z.ZodType>(item: Item) => z.array(item, { error: LIST });

const pattern = z
  .string({ error: "a pattern as text" })
  .refine((text) => globProblem(text) === null, {
    error: ({ input }) => `a pattern; this one ${globProblem(String(input))}`,
  })
  .meta({ description: "A pattern: *, **, ? and {a,b}.", examples: ["prod-*", "infra/**"] });

const path = pattern.refine(
  (text) => !text.split("/").some((segment) => segment === "." || segment === ".."),
  {
    error: "a path from the repository's root, without . or ..",
  },
);

const text = (expected: string, most: number) =>
  z.string({ error: expected }).regex(new RegExp(`^[^\\p{Cc}]{1,${most}}$`, "u"), { error: expected });

const platformId = z
  .string({ error: "an id of the platform as text" })
  .refine(isPlatformId, { error: "an id of 1 to 128 letters, digits, _, ., - or $" });

const ruleId = z.string({ error: "a name as text" }).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
  error: "a name of 1 to 64 letters, digits, dots, dashes or underscores",
});

const limits = {
  increase: amount.describe("Most that the monthly cost may rise."),
  decrease: amount.describe("Most that the monthly cost may fall."),
  percent: percentage.describe(
    "Most that the monthly cost may rise, in percent. A rise from zero exceeds every percentage.",
  ),
  total: amount.describe("Most that may be paid per month afterwards."),
  deletions: count.describe("Most resources that may be deleted, replaced ones included."),
  replacements: count.describe("Most resources that may be deleted and created again."),
  changes: count.describe("Most creations, changes, deletions, imports and removals in all."),
  drift: count.describe("Most resources that may have been changed outside of the plan."),
  unpriced: count.describe("Most resources that the estimator cannot price."),
  "missed-savings": amount.describe("Most that could be saved on resources that the pull request touches."),
  anomalies: count.describe("Most open cost anomalies of the granted perspectives."),
  "governance-failures": count.describe("Most governance evaluations that did not pass."),
  "unit-cost": mapping({
    metric: text("the identifier of a unit metric", 128).describe("A granted unit metric."),
    percent: percentage.describe("Most that one unit may get dearer, in percent."),
  }).describe("Most that one unit of a metric may get dearer."),
} satisfies { readonly [kind in Exclude<Limit["kind"], "when" | "budget">]: z.ZodType };

/** Every kind of limit by name. */
export const LIMIT_KINDS = Object.keys(limits);

const limit = z
  .strictObject(
    Object.fromEntries(Object.entries(limits).map(([kind, schema]) => [kind, schema.optional()])) as {
      [kind in keyof typeof limits]: z.ZodOptional<(typeof limits)[kind]>; // the same keys, each optional
    },
    {
      error: ({ code }) =>
        code === "invalid_type" ? `a mapping with one of ${LIMIT_KINDS.join(", ")}` : undefined,
    },
  )
  .refine((given) => Object.keys(given).length === 1, {
    error: `exactly one of ${LIMIT_KINDS.join(", ")}; write one rule per limit`,
  })
  .meta({ minProperties: 1, maxProperties: 1 });

const ENFORCE = { error: "block or warn" };
const enforce = z.enum(["block", "warn"], ENFORCE);
const enforceByStage = z.record(pattern, enforce, {
  error: "block, warn, or one of them for each pattern of stage names",
});

const login = z
  .string({ error: "a login as text" })
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}|[A-Za-z0-9-]{0,99}_[A-Za-z0-9]+)(?:\[bot\])?$/, {
    error: "a GitHub login, without @",
  });
const team = z.string({ error: "a team's slug as text" }).regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, {
  error: "a team's slug in lower case, such as finops, without @ and organisation",
});
const word = (expected: string) => text(expected, 256);
const some = <Item extends z.ZodType>(item: Item) =>
  list(item).min(1, { error: "at least one entry" }).max(100, { error: "at most 100 entries" });

const scope = mapping({
  branches: some(pattern).optional().describe("Base branches."),
  paths: some(path).optional().describe("Changed files: one that matches is enough."),
  labels: some(word("a label as text")).optional().describe("Labels of the pull request: one is enough."),
  authors: some(login).optional().describe("Logins of authors."),
  stages: some(pattern).optional().describe("Names of stages."),
  workspaces: some(pattern).optional(),
  modules: some(pattern).optional().describe("Module paths, the dots written as slashes: web/db."),
  resource_types: some(pattern).optional(),
  providers: some(word("a provider's name as text"))
    .optional()
    .describe("Providers, such as aws: the first word of resource types."),
});
export type ScopeEntry = z.output<typeof scope>;

const people = {
  teams: some(team).optional().describe("Teams of the repository's owner, by slug."),
  users: some(login).optional().describe("Logins."),
  permission: z
    .enum(["write", "maintain", "admin"], { error: "write, maintain or admin" })
    .optional()
    .describe("People with at least this permission on the repository."),
  count: z
    .int({ error: "a whole number of at least 1" })
    .min(1, { error: "a whole number of at least 1" })
    .max(20, { error: "a whole number of at most 20" })
    .optional()
    .describe("How many of them must sign; default: 1."),
};

const approve = mapping({
  ...people,
  all: some(mapping(people)).optional().describe("Several groups: each must be filled."),
  reviews: z
    .boolean({ error: "true or false" })
    .optional()
    .describe("Whether an approving review of the head counts as a signature; default: false."),
}).refine((given) => (given.all === undefined) !== GROUP_KEYS.every((key) => given[key] === undefined), {
  error: "teams, users or permission, or a list of such groups under all",
});
const GROUP_KEYS = ["teams", "users", "permission"] as const;
export type ApproveEntry = z.output<typeof approve>;

const message = text("words of 1 to 300 characters", 300).refine(
  (words) => [...words.matchAll(/\{\{(.*?)\}\}/g)].every(([, name]) => name === "count"),
  {
    error: "words with no other placeholder than {{count}}",
  },
);

const rule = mapping({
  id: ruleId.describe("Names the rule in the comment. Two rules of one file cannot share it."),
  limit: limit.optional().describe("What is allowed at most. Reaching it is allowed."),
  when: z
    .string({ error: "a condition as text" })
    .optional()
    .describe("A condition in CEL, instead of a limit: the rule is violated where it holds."),
  message: message
    .optional()
    .describe("Your own words for a violation; {{count}} is how many things were found."),
  scope: scope.optional().describe("What the rule is about; default: everything."),
  per: z
    .enum(["pull-request", "stage", "module", "resource-type"], {
      error: "pull-request, stage, module or resource-type",
    })
    .optional()
    .describe("What is looked at one by one; default: pull-request."),
  enforce: z
    .union([enforce, enforceByStage], ENFORCE)
    .optional()
    .describe(
      "What a violation does; default: block. By stage: the first pattern that matches its name counts.",
    ),
  approve: approve.optional().describe("Who may sign for a violation; default: nobody."),
  on_unknown: enforce
    .optional()
    .describe("What it does when a fact it needs is not known; default: the same as enforce."),
  mandatory: z
    .boolean({ error: "true or false" })
    .optional()
    .describe("In the organisation's file only: no repository can loosen this rule."),
});
export type RuleEntry = z.output<typeof rule>;

const expectation = mapping({
  paths: list(path)
    .min(1, { error: "at least one pattern" })
    .describe("The expectation holds for a pull request that changes a file which matches."),
  workspaces: list(pattern).optional().describe("Workspaces to wait for; default: one execution, wherever."),
  within: duration.optional().describe("How long to wait for them; default: 2h."),
});

const stage = mapping({
  match: mapping({ workspace: pattern.describe("The workspaces of the stage.") }),
  name: text("a name of 1 to 100 characters", 100).describe("What the comment calls the stage."),
});

const checkName = mapping({
  branch: pattern.describe("Base branches that the name is for."),
  name: text("a name of 1 to 100 characters", 100)
    .refine((name) => !/^tollgate:/i.test(name), { error: 'a name that does not start with "tollgate:"' })
    .describe("The check's name on pull requests into these branches."),
});

const waiver = mapping({
  rule: ruleId.describe("The rule that is excepted from."),
  scope: scope.optional().describe("What is excepted; default: everything that the rule is about."),
  up_to: z
    .union([amount, percentage], {
      error: "an amount, a percentage or a whole number, as the rule has it",
    })
    .optional()
    .describe("Most that is let through. Required where money or a percentage is judged."),
  until: day.describe("The last day on which it holds, in UTC."),
  reason: text("a reason of 1 to 300 characters", 300),
  owner: text("who answers for it, 1 to 100 characters", 100),
});
export type WaiverEntry = z.output<typeof waiver>;

const budget = mapping({
  id: ruleId.describe("Names the budget in the comment. Shares its names with the rules."),
  amount: amount.describe(
    "Most that may be paid per month, other open pull requests that may be merged counted in.",
  ),
  scope: scope.optional().describe("What it is for; default: all that Tollgate has seen of the repository."),
  enforce: enforce.optional().describe("What going over it does; default: block."),
  approve: approve.optional().describe("Who may sign for going over it; default: nobody."),
  mandatory: z.boolean({ error: "true or false" }).optional().describe("In the organisation's file only."),
});
export type BudgetEntry = z.output<typeof budget>;

/** A policy file, the repository's or the organisation's. */
export const PolicyFile = mapping({
  version: z.literal(1, { error: "1" }).describe("The version of this format."),
  platform: mapping({
    org: platformId.optional().describe("Only executions of this platform org."),
    project: platformId.optional().describe("Only executions of this platform project."),
    assume_by_workspace: z
      .boolean({ error: "true or false" })
      .optional()
      .describe(
        "Take the newest execution of each expected workspace, though nothing ties it to the commit.",
      ),
  }).optional(),
  stages: list(stage).optional().describe("Names for stages; the first match counts."),
  expect: list(expectation).optional().describe("Executions that a verdict waits for."),
  rules: list(rule).optional().describe("The rules."),
  comment: mapping({
    mode: z
      .enum(["update", "new", "hide-and-new", "delete-and-new"], {
        error: "update, new, hide-and-new or delete-and-new",
      })
      .optional()
      .describe(
        "How the comment is kept: one that is updated (default), or a new one each time something changed.",
      ),
    on_no_change: z
      .enum(["comment", "quiet"], { error: "comment or quiet" })
      .optional()
      .describe("Whether to comment where nothing changes; default: comment."),
    sections: some(z.enum(COMMENT_SECTIONS, { error: `one of ${COMMENT_SECTIONS.join(", ")}` }))
      .optional()
      .describe("Sections of the comment in their order; default: all of them."),
  }).optional(),
  waivers: list(waiver).optional().describe("Reviewed exceptions that expire."),
  budgets: list(budget).optional().describe("What scopes may cost per month."),
  check_names: list(checkName)
    .optional()
    .describe("Names for the check by base branch; the first match counts."),
  allow_warn_on_unknown: list(ruleId)
    .optional()
    .describe("In the organisation's file only: rules that may say on_unknown: warn although they block."),
});
export type PolicyFile = z.output<typeof PolicyFile>;

/** Entries by themselves, to judge what is right in a file in which other things are wrong. */
export const RuleEntry = rule;
export const BudgetEntry = budget;
export const WaiverEntry = waiver;
