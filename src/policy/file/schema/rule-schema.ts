import { z } from "zod";
import { amount, percentage } from "../fields/amounts.ts";
import { day } from "../fields/day.ts";
import {
  createMapping,
  createText,
  ENFORCE_ERROR,
  enforce,
  enforceByStage,
  ruleId,
} from "../fields/fields.ts";
import { limit } from "./limit-schema.ts";
import { approve, scope } from "./scope-schema.ts";

const message = createText("words of 1 to 300 characters", 300).refine(
  (words) => [...words.matchAll(/\{\{(.*?)\}\}/g)].every(([, name]) => name === "count"),
  {
    error: "words with no other placeholder than {{count}}",
  },
);

export const RuleEntry = createMapping({
  id: ruleId.describe("Names the rule in the comment. Two rules of one file cannot share it."),
  limit: limit.optional().describe("The highest allowed value. Reaching it passes."),
  when: z
    .string({ error: "a condition as text" })
    .optional()
    .describe("A condition in CEL, instead of a limit: the rule is violated where it is true."),
  message: message.optional().describe("The text of a violation; {{count}} is the number of items found."),
  scope: scope
    .optional()
    .describe("The pull requests and parts that the rule applies to; default: everything."),
  per: z
    .enum(["pull-request", "stage", "module", "resource-type"], {
      error: "pull-request, stage, module or resource-type",
    })
    .optional()
    .describe("What the limit applies to, one by one; default: pull-request."),
  enforce: z
    .union([enforce, enforceByStage], ENFORCE_ERROR)
    .optional()
    .describe(
      "What a violation does; default: block. By stage: the first pattern that matches its name counts.",
    ),
  approve: approve.optional().describe("Who may approve a violation; default: nobody."),
  on_unknown: enforce.optional().describe("The effect of an unknown fact; default: the same as enforce."),
  existing: z
    .enum(["include"], { error: "include" })
    .optional()
    .describe("For unpriced, usage and drift: existing ones count too; default: only new ones."),
  mandatory: z
    .boolean({ error: "true or false" })
    .optional()
    .describe("In the organisation's file only: no repository can loosen this rule."),
});
export type RuleEntry = z.output<typeof RuleEntry>;

export const WaiverEntry = createMapping({
  rule: ruleId.describe("The waived rule or budget."),
  scope: scope.optional().describe("The waived part; default: everything in the scope of the rule."),
  up_to: z
    .union([amount, percentage], {
      error: "an amount, a percentage or a whole number, as the rule has it",
    })
    .optional()
    .describe("The highest waived value. Required where the rule limits money or a percentage."),
  until: day.describe("The last day on which it applies, in UTC."),
  reason: createText("a reason of 1 to 300 characters", 300).describe("The reason."),
  owner: createText("who answers for it, 1 to 100 characters", 100).describe("Who is responsible for it."),
});
export type WaiverEntry = z.output<typeof WaiverEntry>;

export const BudgetEntry = createMapping({
  id: ruleId.describe("Names the budget in the comment. Shares its names with the rules."),
  amount: amount.describe(
    "Most that may be paid per month, other open pull requests that may be merged counted in.",
  ),
  scope: scope
    .optional()
    .describe("The stages and workspaces it covers; default: all that Tollgate knows of the repository."),
  enforce: enforce.optional().describe("The effect of exceeding it; default: block."),
  approve: approve.optional().describe("Who may approve that it is exceeded; default: nobody."),
  mandatory: z.boolean({ error: "true or false" }).optional().describe("In the organisation's file only."),
});
export type BudgetEntry = z.output<typeof BudgetEntry>;
