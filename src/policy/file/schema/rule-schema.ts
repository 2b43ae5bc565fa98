import { z } from "zod";
import { amount, percentage } from "../amounts.ts";
import { day } from "../day.ts";
import { ENFORCE, enforce, enforceByStage, mapping, ruleId, text } from "../words.ts";
import { limit } from "./limit-schema.ts";
import { approve, scope } from "./scope-schema.ts";

const message = text("words of 1 to 300 characters", 300).refine(
  (words) => [...words.matchAll(/\{\{(.*?)\}\}/g)].every(([, name]) => name === "count"),
  {
    error: "words with no other placeholder than {{count}}",
  },
);

export const RuleEntry = mapping({
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
  existing: z
    .enum(["include"], { error: "include" })
    .optional()
    .describe("For unpriced, usage and drift: what was there before counts too; default: only what is new."),
  mandatory: z
    .boolean({ error: "true or false" })
    .optional()
    .describe("In the organisation's file only: no repository can loosen this rule."),
});
export type RuleEntry = z.output<typeof RuleEntry>;

export const WaiverEntry = mapping({
  rule: ruleId.describe("The rule that is excepted from."),
  scope: scope.optional().describe("What is excepted; default: everything that the rule is about."),
  up_to: z
    .union([amount, percentage], {
      error: "an amount, a percentage or a whole number, as the rule has it",
    })
    .optional()
    .describe("Most that is let through. Required where money or a percentage is judged."),
  until: day.describe("The last day on which it holds, in UTC."),
  reason: text("a reason of 1 to 300 characters", 300).describe("Why it is there."),
  owner: text("who answers for it, 1 to 100 characters", 100).describe("Who answers for it."),
});
export type WaiverEntry = z.output<typeof WaiverEntry>;

export const BudgetEntry = mapping({
  id: ruleId.describe("Names the budget in the comment. Shares its names with the rules."),
  amount: amount.describe(
    "Most that may be paid per month, other open pull requests that may be merged counted in.",
  ),
  scope: scope.optional().describe("What it is for; default: all that Tollgate has seen of the repository."),
  enforce: enforce.optional().describe("What going over it does; default: block."),
  approve: approve.optional().describe("Who may sign for going over it; default: nobody."),
  mandatory: z.boolean({ error: "true or false" }).optional().describe("In the organisation's file only."),
});
export type BudgetEntry = z.output<typeof BudgetEntry>;
