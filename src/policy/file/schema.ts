import { z } from "zod";
import { globProblem } from "../../kernel/glob.ts";
import { isPlatformId } from "../../kernel/ids.ts";
import type { Limit } from "../policy.ts";
import { amount, count, duration, percentage } from "./amounts.ts";

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
} satisfies { readonly [kind in Limit["kind"]]: z.ZodType };

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

const enforce = z.enum(["block", "warn"], { error: "block or warn" });

const rule = mapping({
  id: ruleId.describe("Names the rule in the comment. Two rules of one file cannot share it."),
  limit: limit.describe("What is allowed at most. Reaching it is allowed."),
  per: z
    .enum(["pull-request", "stage", "module", "resource-type"], {
      error: "pull-request, stage, module or resource-type",
    })
    .optional()
    .describe("What is looked at one by one; default: pull-request."),
  enforce: enforce.optional().describe("What a violation does; default: block."),
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
    mode: z.enum(["update"], { error: "update" }).optional().describe("How the comment is kept up to date."),
    on_no_change: z
      .enum(["comment", "quiet"], { error: "comment or quiet" })
      .optional()
      .describe("Whether to comment where nothing changes; default: comment."),
  }).optional(),
  check_names: list(checkName)
    .optional()
    .describe("Names for the check by base branch; the first match counts."),
  allow_warn_on_unknown: list(ruleId)
    .optional()
    .describe("In the organisation's file only: rules that may say on_unknown: warn although they block."),
});
export type PolicyFile = z.output<typeof PolicyFile>;

/** One rule by itself, to judge what is right in a file in which other things are wrong. */
export const RuleEntry = rule;
