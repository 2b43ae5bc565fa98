import { z } from "zod";
import { HOUR_MS } from "../../kernel/clock.ts";
import { PERIOD_UNITS } from "../../kernel/fiscal-periods.ts";
import { POLICY_EVENTS, TARGET_NAME, TARGET_NAME_RULE } from "../../kernel/notification-events.ts";
import { createMapping } from "../../kernel/schema-problems.ts";
import {
  type ApproverGroup,
  type ApproveSpec,
  COMMENT_SECTIONS,
  EVERYTHING,
  type Expectation,
  type Limit,
  type NotifyChoice,
  type OverrideSpec,
  type RuleGranularity,
  type Scope,
  type ScopeTag,
  type StageNaming,
  type Waiver,
} from "../model/policy.ts";
import type { RuleKind } from "../rules/measurement.ts";
import { RULE_KINDS } from "../rules/rule-kinds.ts";
import { compileCondition } from "../when/compile.ts";
import {
  amount,
  author,
  branch,
  count,
  createChoice,
  createList,
  createNonEmptyList,
  createText,
  createWord,
  createWordChoice,
  day,
  duration,
  enforce,
  enforceByStage,
  firstMoment,
  flag,
  httpsAddress,
  path,
  pattern,
  percentage,
  person,
  platformId,
  ruleId,
  tagKey,
  tagPattern,
  tagValue,
  team,
} from "./fields.ts";

// The whole grammar of a policy file.

const stage = createMapping({
  match: createMapping({ workspace: pattern.describe("The workspaces of the stage.") }),
  name: createText("a name of 1 to 100 characters", 100).describe("The name of the stage in the comment."),
}).transform(({ match, name }): StageNaming => ({ ...match, name }));

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
  on: createNonEmptyList(createWordChoice(POLICY_EVENTS)).describe(
    "What the target is notified of about the organisation's repositories.",
  ),
  above: amount
    .exactOptional()
    .describe("blocked only where the monthly increase is above this amount or unknown; default: always."),
  off_by: percentage
    .exactOptional()
    .describe(
      "estimate-off only where the actual change differs from the estimated one by more of it; default: as the operator has it.",
    ),
}).transform(
  ({ above, off_by: offBy, ...choice }): NotifyChoice => ({
    ...choice,
    above: above ?? null,
    offBy: offBy ?? null,
  }),
);

const message = createText("words of 1 to 300 characters", 300).refine(
  (words) => [...words.matchAll(/\{\{(.*?)\}\}/g)].every(([, name]) => name === "count"),
  {
    error: "words with no other placeholder than {{count}}",
  },
);

const unitCost = createMapping({
  metric: createText("the identifier of a unit metric", 128).describe("A granted unit metric."),
  percent: percentage.describe("Most that the cost of one unit may rise, in percent."),
});
/** What a limit states. */
const BOUNDS: { readonly [unit in Exclude<RuleKind["unit"], "condition">]: z.ZodType } = {
  money: amount,
  percent: percentage,
  count,
  "unit-cost": unitCost,
};

const limits = Object.entries(RULE_KINDS).flatMap(([kind, { words, unit }]) =>
  words === null || unit === "condition"
    ? []
    : [[kind, BOUNDS[unit].describe(words).exactOptional()] as const],
);
const LIMIT_KINDS = limits.map(([kind]) => kind);

/** Exactly one limit. */
const limit = createMapping(Object.fromEntries(limits), `a mapping with one of ${LIMIT_KINDS.join(", ")}`)
  .refine((value) => Object.keys(value).length === 1, {
    error: `exactly one of ${LIMIT_KINDS.join(", ")}; write one rule per limit`,
    abort: true,
  })
  .meta({ minProperties: 1, maxProperties: 1 })
  .transform((entry): Limit => {
    const [[kind, bound] = []] = Object.entries(entry);
    const { unit } = RULE_KINDS[kind as Limit["kind"]];
    // `BOUNDS` reads what the kind of limit takes.
    return (
      unit === "unit-cost" ? { kind, ...Object(bound) } : { kind, [BOUND_MEMBERS[unit]]: bound }
    ) as Limit;
  });

const BOUND_MEMBERS = {
  money: "amount",
  percent: "percent",
  count: "count",
  condition: "expression",
} as const;

/** A condition that can be evaluated; the problem of another one is at `offset` in its text. */
const condition = z
  .string({ error: "a condition as text" })
  .transform((expression, context): Extract<Limit, { kind: "when" }> => {
    const compiled = compileCondition(expression);
    if (compiled.ok) return { kind: "when", expression, needs: [...compiled.condition.needs] };
    context.addIssue({ code: "custom", message: compiled.message, params: { offset: compiled.offset } });
    return z.NEVER;
  });

const provider = z.string({ error: "a provider's name as text" }).regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, {
  error: "a provider's name, the first word of its resource types, such as aws",
});

const scopeNames = {
  branches: createNonEmptyList(branch).exactOptional().describe("Branches to merge into."),
  paths: createNonEmptyList(path).exactOptional().describe("Changed files: one that matches is enough."),
  labels: createNonEmptyList(createWord("a label as text"))
    .exactOptional()
    .describe("Labels of the pull request: one is enough."),
  authors: createNonEmptyList(author)
    .exactOptional()
    .describe("Logins of authors, of an App with its [bot]."),
  stages: createNonEmptyList(pattern).exactOptional().describe("Names of stages."),
  workspaces: createNonEmptyList(pattern).exactOptional().describe("Workspaces."),
  modules: createNonEmptyList(pattern)
    .exactOptional()
    .describe("Module paths, the dots written as slashes: web/db."),
  resource_types: createNonEmptyList(pattern)
    .exactOptional()
    .describe("Types of resources, such as aws_db_*."),
  providers: createNonEmptyList(provider)
    .exactOptional()
    .describe("Providers, such as aws: the first word of resource types."),
  tags: z
    .record(
      tagKey,
      z.union([pattern, createNonEmptyList(pattern)], { error: "a value or a list of values" }),
      {
        error: "keys of tags, each with a value or a list of values",
      },
    )
    .refine((tags) => Object.keys(tags).length > 0, { error: "at least one key of a tag" })
    .transform((tags): readonly ScopeTag[] =>
      Object.keys(tags)
        .toSorted()
        .map((key) => ({ key, values: [tags[key] ?? []].flat() })),
    )
    .exactOptional()
    .describe("Tags of resources, by key: a value or patterns of values. With several keys all must match."),
};

/** The excluded pull requests and parts. */
const excludedNames = createMapping(scopeNames).refine((value) => Object.keys(value).length > 0, {
  error: `at least one of ${Object.keys(scopeNames).join(", ")}`,
});

/** Which pull requests and which parts of them. */
const scope = createMapping({
  ...scopeNames,
  not: excludedNames.exactOptional().describe("Excluded pull requests and parts, by the same keys."),
}).transform(
  ({ not, ...own }): Scope => ({ ...EVERYTHING, ...own, ...(not && { not: { ...EVERYTHING, ...not } }) }),
);

const { authors, paths, labels } = scopeNames;
/** An author or a label excludes pull requests; paths exclude files. */
const unexpected = createMapping({ authors, paths, labels }).refine(
  (value) => Object.keys(value).length > 0,
  { error: "at least one of authors, paths, labels" },
);

const expectation = createMapping({
  paths: createList(path)
    .min(1, { error: "at least one pattern" })
    .describe("The expectation applies to a pull request that changes a matching file."),
  not: unexpected
    .exactOptional()
    .describe("Pull requests and files to which it does not apply: by authors, labels and paths."),
  workspaces: createList(pattern)
    .exactOptional()
    .describe("Workspaces to wait for; default: one execution in any workspace."),
  within: duration.exactOptional().describe("How long to wait for them; default: 2h."),
}).transform(
  ({ paths, not, workspaces = [], within = 2 * HOUR_MS }): Expectation => ({
    paths,
    ...(not && { not: { ...EVERYTHING, ...not } }),
    workspaces,
    withinMs: within,
  }),
);

const people = {
  teams: createNonEmptyList(team).exactOptional().describe("Teams of the repository's owner, by slug."),
  users: createNonEmptyList(person).exactOptional().describe("Logins of people."),
  permission: createChoice(["write", "maintain", "admin"])
    .exactOptional()
    .describe("People with at least this permission on the repository."),
  count: z
    .int({ error: "a whole number of at least 1" })
    .min(1, { error: "a whole number of at least 1" })
    .max(20, { error: "a whole number of at most 20" })
    .exactOptional()
    .describe("How many of them must approve; default: 1."),
};

const approvers = {
  ...people,
  codeowners: z
    .literal(true, { error: "true" })
    .exactOptional()
    .describe(
      "The owners of each changed file, by the base branch's CODEOWNERS. Approvers beside it are for files without an owner.",
    ),
};

const NO_APPROVER_ERROR = {
  error: "teams, users, permission, codeowners or by_tag, or a list of such groups under all",
};
const GROUP_KEYS = ["teams", "users", "permission", "codeowners"] as const;

type GroupMembers = z.output<ReturnType<typeof createMapping<typeof people>>> & {
  readonly codeowners?: true;
};

const hasMembers = (members: GroupMembers): boolean => GROUP_KEYS.some((key) => members[key] !== undefined);

/** The number of people that a group can have: a higher count could never be reached. Teams and permissions are unbounded. */
function countMaxApprovers({ users, teams, permission, codeowners }: GroupMembers): number {
  if ((teams ?? permission ?? codeowners) !== undefined || users === undefined)
    return Number.POSITIVE_INFINITY;
  return new Set(users.map((login) => login.toLowerCase())).size;
}

function checkReachableCount(members: GroupMembers, context: z.RefinementCtx): void {
  const most = countMaxApprovers(members);
  if ((members.count ?? 1) <= most) return;
  context.addIssue({
    code: "custom",
    path: ["count"],
    message: `at most ${most}, as so many people are named`,
  });
}

const group = createMapping(approvers)
  .refine(hasMembers, { error: "teams, users, permission or codeowners" })
  .superRefine(checkReachableCount)
  .transform(toGroup);

function toGroup(members: GroupMembers): ApproverGroup {
  const { teams = [], users = [], permission = null, count = 1 } = members;
  const named = { teams, users: users.map((name) => name.toLowerCase()), permission };
  if (members.codeowners === undefined) return { ...named, count };
  return { teams: [], users: [], permission: null, count, codeowners: named };
}

const byTag = createMapping({
  key: tagKey.describe("The key of the tag, as per has it."),
  teams: z
    .record(
      tagValue,
      z.union([team, createNonEmptyList(team)], { error: "a team's slug, or a list of them" }),
      {
        error: "values of the tag, each with a team's slug or a list of them",
      },
    )
    .refine((teams) => Object.keys(teams).length > 0, { error: "at least one value of the tag" })
    .describe(
      "The teams whose members approve for a value of the tag: each violation needs one of its own teams.",
    ),
});

/** Who may approve. */
const approve = createMapping({
  ...approvers,
  by_tag: byTag
    .exactOptional()
    .describe(
      "With per: { tag: KEY }: who approves for which value. Approvers beside it are for the other values, and for what has no tag.",
    ),
  all: createNonEmptyList(group).exactOptional().describe("Several groups: each must be complete."),
  reviews: flag
    .exactOptional()
    .describe("Whether an approving review of the head counts as an approval; default: false."),
  until: z
    .literal("required", { error: "required" })
    .exactOptional()
    .describe("An approval must name its last day: until 2027-03-31. Default: it may."),
  objections: z
    .literal("block", { error: "block" })
    .exactOptional()
    .describe(
      "Changes that one of the approvers requests in a review hold the check, whatever the rule finds.",
    ),
})
  .refine(
    (members) =>
      members.all === undefined ? hasMembers(members) || members.by_tag !== undefined : !hasMembers(members),
    NO_APPROVER_ERROR,
  )
  .refine((members) => members.all === undefined || members.count === undefined, {
    error: "a count in each group under all, and none beside it",
  })
  .refine((members) => members.by_tag === undefined || members.count === undefined || hasMembers(members), {
    error: "teams, users, permission or codeowners beside count, which is not for by_tag",
  })
  .superRefine(checkReachableCount)
  .transform(
    ({ all, reviews = false, until, objections, by_tag: tagged, ...own }): ApproveSpec => ({
      groups: [...(all ?? (hasMembers(own) ? [toGroup(own)] : [])), ...toTagGroups(tagged?.teams ?? {})],
      reviews,
      ...(until && { until }),
      ...(objections && { objections }),
    }),
  );

const toTagGroups = (teams: z.output<typeof byTag>["teams"]): readonly ApproverGroup[] =>
  Object.entries(teams)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, own]) => ({ ...toGroup({ teams: [own].flat() }), tagValue: value }));

const { count: _, ...overriders } = people;

/** Who may override a check. */
const override = createMapping({
  ...overriders,
  allow_author: flag
    .exactOptional()
    .describe("Whether the author and other contributors may override it too; default: false."),
  mandatory: flag
    .exactOptional()
    .describe("In the organisation's file only: no repository can change this. Alone: nobody may override."),
})
  .refine((members) => members.mandatory === true || hasMembers(members), {
    error: "teams, users or permission",
  })
  .transform((members): OverrideSpec | null => {
    const { count: _count, ...named } = toGroup(members);
    return hasMembers(members) ? { ...named, allowAuthor: members.allow_author ?? false } : null;
  });

/** What rules and budgets share. */
const ofRule = {
  enforce_from: firstMoment
    .exactOptional()
    .describe("The first day in UTC on which it blocks. Until then it warns; default: it blocks at once."),
  docs: httpsAddress
    .exactOptional()
    .describe("The address of its explanation, to which comment, check and pages link."),
};

const WORDS_OF_PER = ["pull-request", "stage", "module", "resource-type"] as const;

export const RuleEntry = createMapping({
  id: ruleId.describe("Names the rule in the comment. Two rules of one file cannot share it."),
  limit: limit.exactOptional().describe("The highest allowed value. Reaching it passes."),
  when: condition
    .exactOptional()
    .describe("A condition in CEL, instead of a limit: the rule is violated where it is true."),
  message: message
    .exactOptional()
    .describe("The text of a violation; {{count}} is the number of items found."),
  scope: scope
    .exactOptional()
    .describe("The pull requests and parts that the rule applies to; default: everything."),
  per: z
    .union([createChoice(WORDS_OF_PER), createMapping({ tag: tagKey.describe("The key of a tag.") })], {
      error: ({ input }) =>
        input === "tag" ? "the key of the tag too: { tag: team }" : `${WORDS_OF_PER.join(", ")} or tag`,
    })
    .exactOptional()
    .describe(
      "What the limit applies to, one by one; default: pull-request. { tag: team }: each value of that tag.",
    ),
  enforce: z
    .union([enforce, enforceByStage], { error: "block or warn" })
    .exactOptional()
    .describe(
      "What a violation does; default: block. By stage: the first pattern that matches its name counts.",
    ),
  approve: approve.exactOptional().describe("Who may approve a violation; default: nobody."),
  on_unknown: enforce
    .exactOptional()
    .describe("The effect of an unknown fact; default: the same as enforce."),
  existing: z
    .enum(["include"], { error: "include" })
    .exactOptional()
    .describe("For unpriced, usage and drift: existing ones count too; default: only new ones."),
  mandatory: flag
    .exactOptional()
    .describe("In the organisation's file only: no repository can loosen this rule."),
  ...ofRule,
});
export type RuleEntry = z.output<typeof RuleEntry>;

/** Returns what the limit of a rule applies to, one by one; of a tag, without its key. */
export const readGranularity = (per: RuleEntry["per"]): RuleGranularity =>
  typeof per === "object" ? "tag" : (per ?? "pull-request");

export const WaiverEntry = createMapping({
  rule: ruleId.describe("The waived rule or budget."),
  scope: scope.exactOptional().describe("The waived part; default: everything in the scope of the rule."),
  up_to: z
    .union([amount, percentage], {
      error: "an amount, a percentage or a whole number, as the rule has it",
    })
    .exactOptional()
    .describe("The highest waived value. Required where the rule limits money or a percentage."),
  until: day.describe("The last day on which it applies, in UTC."),
  reason: createText("a reason of 1 to 300 characters", 300).describe("The reason."),
  owner: createText("who answers for it, 1 to 100 characters", 100).describe("Who is responsible for it."),
});

const waiver = WaiverEntry.transform(
  ({ scope = null, up_to: upTo = null, until: untilMs, ...own }): Waiver => ({
    ...own,
    scope,
    upTo,
    untilMs,
  }),
);

export const BudgetEntry = createMapping({
  id: ruleId.describe("Names the budget in the comment. Shares its names with the rules."),
  amount: amount.describe(
    "Most that may be paid per month, or with period in it, other open pull requests that may be merged counted in.",
  ),
  period: createChoice(PERIOD_UNITS)
    .exactOptional()
    .describe(
      "The amount is for this period, and what is merged in it counts from its merge to the period's end. Quarters and years are fiscal ones. Default: the amount is for each month, and everything counts.",
    ),
  scope: scope
    .exactOptional()
    .describe("The stages and workspaces it covers; default: all that Tollgate knows of the repository."),
  enforce: enforce.exactOptional().describe("The effect of exceeding it; default: block."),
  approve: approve.exactOptional().describe("Who may approve that it is exceeded; default: nobody."),
  mandatory: flag.exactOptional().describe("In the organisation's file only."),
  ...ofRule,
});
export type BudgetEntry = z.output<typeof BudgetEntry>;

const requiredTag = createMapping({
  key: tagKey.describe("The key of the tag (AWS, Azure) or label (Google)."),
  values: createNonEmptyList(tagValue).exactOptional().describe("The allowed values; default: every value."),
  pattern: tagPattern
    .exactOptional()
    .describe("Instead of values: a regular expression (RE2) that matches the whole value."),
}).refine(({ values, pattern }) => values === undefined || pattern === undefined, {
  error: "values or a pattern, not both",
});

const requiredTags = createMapping({
  required: createNonEmptyList(requiredTag).describe(
    "Tags that new and changed resources must have. A repository adds to the organisation's.",
  ),
  except: createMapping({
    types: createNonEmptyList(pattern).describe("Resource types, such as aws_iam_*."),
  })
    .exactOptional()
    .describe("Resources that need none of the tags of this file."),
});

/** A policy file, the repository's or the organisation's. */
export const PolicyFile = createMapping({
  version: z.literal(1, { error: "1" }).describe("The version of this format."),
  platform: createMapping({
    org: platformId.exactOptional().describe("Only executions of this platform org."),
    project: platformId.exactOptional().describe("Only executions of this platform project."),
  }).exactOptional(),
  stages: createList(stage).exactOptional().describe("Names for stages; the first match counts."),
  expect: createList(expectation).exactOptional().describe("Executions that a verdict waits for."),
  rules: createList(RuleEntry).exactOptional().describe("The rules."),
  tags: requiredTags
    .exactOptional()
    .describe("Required tags; what misses one is counted by the limits untagged and untagged-cost."),
  report: createMapping({
    by_tag: tagKey.exactOptional().describe("The key of a tag: the cost is shown for each of its values."),
    year: flag
      .exactOptional()
      .describe("Whether to show what merging costs until the end of the fiscal year; default: false."),
  }).exactOptional(),
  comment: createMapping({
    mode: createChoice(["update", "new", "hide-and-new", "delete-and-new"])
      .exactOptional()
      .describe(
        "How the comment is updated: one comment that is edited (default), or a new one each time something changed.",
      ),
    on_no_change: createChoice(["comment", "quiet"])
      .exactOptional()
      .describe("Whether to comment where nothing changes; default: comment."),
    min_change: amount
      .exactOptional()
      .describe(
        "Passing changes of cost below this, up or down, get no comment. Default: every change gets one.",
      ),
    min_percent: percentage
      .exactOptional()
      .describe("The same in percent of the cost before; with both, a change has to be below both."),
    sections: createNonEmptyList(createWordChoice(COMMENT_SECTIONS))
      .exactOptional()
      .describe("Sections of the comment in their order; default: all of them."),
  }).exactOptional(),
  waivers: createList(waiver).exactOptional().describe("Reviewed waivers of rules, with a last day."),
  budgets: createList(BudgetEntry)
    .exactOptional()
    .describe("The highest cost of scopes, per month or in a period."),
  override: override
    .exactOptional()
    .describe("Who may override a check that does not pass; default: nobody."),
  request_reviewers: flag
    .exactOptional()
    .describe("Whether approvers are requested as reviewers while their approval is needed; default: false."),
  check_names: createList(checkName)
    .exactOptional()
    .describe(
      "On the default branch: names for the check by base branch, where GitHub requires them; the first match counts.",
    ),
  notify: createList(notifyEntry)
    .exactOptional()
    .describe("In the organisation's file only: which of the operator's targets are notified of what."),
  allow_warn_on_unknown: createList(ruleId)
    .exactOptional()
    .describe("In the organisation's file only: rules that may say on_unknown: warn although they block."),
});
export type PolicyFile = z.output<typeof PolicyFile>;
