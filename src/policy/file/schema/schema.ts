import { z } from "zod";
import { POLICY_EVENTS, TARGET_NAME, TARGET_NAME_RULE } from "../../../kernel/notification-events.ts";
import { COMMENT_SECTIONS } from "../../model/comment-sections.ts";
import { amount, duration, percentage } from "../fields/amounts.ts";
import {
  branch,
  createList,
  createMapping,
  createNonEmptyList,
  createText,
  path,
  pattern,
  platformId,
  ruleId,
} from "../fields/fields.ts";
import { BudgetEntry, RuleEntry, WaiverEntry } from "./rule-schema.ts";
import { override } from "./scope-schema.ts";

// The whole grammar of a policy file.

const expectation = createMapping({
  paths: createList(path)
    .min(1, { error: "at least one pattern" })
    .describe("The expectation applies to a pull request that changes a matching file."),
  workspaces: createList(pattern)
    .optional()
    .describe("Workspaces to wait for; default: one execution in any workspace."),
  within: duration.optional().describe("How long to wait for them; default: 2h."),
});

const stage = createMapping({
  match: createMapping({ workspace: pattern.describe("The workspaces of the stage.") }),
  name: createText("a name of 1 to 100 characters", 100).describe("The name of the stage in the comment."),
});

/** Characters that make two check names look alike. */
const INVISIBLE_CHARACTERS =
  /^\p{White_Space}|\p{White_Space}$|[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

const checkName = createMapping({
  branch: branch.describe("Base branches that get this name."),
  name: createText("a name of 1 to 100 characters", 100)
    .refine((name) => !INVISIBLE_CHARACTERS.test(name), {
      error: "a name without blanks at its ends and without invisible characters",
    })
    .refine((name) => !/^tollgate:/i.test(name), { error: 'a name that does not start with "tollgate:"' })
    .describe("The check's name on pull requests into these branches, where GitHub requires it."),
});

const notifyEntry = createMapping({
  target: z
    .string({ error: "the name of a target as text" })
    .regex(TARGET_NAME, { error: `the name of one of the operator's targets: ${TARGET_NAME_RULE}` })
    .describe("The name of one of the operator's targets, which alone says where messages go."),
  on: createNonEmptyList(z.enum(POLICY_EVENTS, { error: `one of ${POLICY_EVENTS.join(", ")}` })).describe(
    "What the target is notified of about the organisation's repositories.",
  ),
  above: amount
    .optional()
    .describe("blocked only where the monthly increase is above this amount or unknown; default: always."),
  off_by: percentage
    .optional()
    .describe("estimate-off only where the actual cost differs by more; default: as the operator has it."),
});

/** A policy file, the repository's or the organisation's. */
export const PolicyFile = createMapping({
  version: z.literal(1, { error: "1" }).describe("The version of this format."),
  platform: createMapping({
    org: platformId.optional().describe("Only executions of this platform org."),
    project: platformId.optional().describe("Only executions of this platform project."),
  }).optional(),
  stages: createList(stage).optional().describe("Names for stages; the first match counts."),
  expect: createList(expectation).optional().describe("Executions that a verdict waits for."),
  rules: createList(RuleEntry).optional().describe("The rules."),
  comment: createMapping({
    mode: z
      .enum(["update", "new", "hide-and-new", "delete-and-new"], {
        error: "update, new, hide-and-new or delete-and-new",
      })
      .optional()
      .describe(
        "How the comment is updated: one comment that is edited (default), or a new one each time something changed.",
      ),
    on_no_change: z
      .enum(["comment", "quiet"], { error: "comment or quiet" })
      .optional()
      .describe("Whether to comment where nothing changes; default: comment."),
    min_change: amount
      .optional()
      .describe(
        "Passing changes of cost below this, up or down, get no comment. Default: every change gets one.",
      ),
    min_percent: percentage
      .optional()
      .describe("The same in percent of the cost before; with both, a change has to be below both."),
    sections: createNonEmptyList(z.enum(COMMENT_SECTIONS, { error: `one of ${COMMENT_SECTIONS.join(", ")}` }))
      .optional()
      .describe("Sections of the comment in their order; default: all of them."),
  }).optional(),
  waivers: createList(WaiverEntry).optional().describe("Reviewed waivers of rules, with a last day."),
  budgets: createList(BudgetEntry).optional().describe("The highest monthly cost of scopes."),
  override: override.optional().describe("Who may override a check that does not pass; default: nobody."),
  request_reviewers: z
    .boolean({ error: "true or false" })
    .optional()
    .describe("Whether approvers are requested as reviewers while their approval is needed; default: false."),
  check_names: createList(checkName)
    .optional()
    .describe(
      "On the default branch: names for the check by base branch, where GitHub requires them; the first match counts.",
    ),
  notify: createList(notifyEntry)
    .optional()
    .describe("In the organisation's file only: which of the operator's targets are told what."),
  allow_warn_on_unknown: createList(ruleId)
    .optional()
    .describe("In the organisation's file only: rules that may say on_unknown: warn although they block."),
});
export type PolicyFile = z.output<typeof PolicyFile>;
