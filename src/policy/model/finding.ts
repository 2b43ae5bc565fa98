import { z } from "zod";
import { count, decimal, texts, type ValueOf } from "../../kernel/schemas.ts";
import { CodePlace, UnknownReason } from "../../report/model/facts.ts";
import { ApproveSpec, CodeOwnersProblem, Enforcement, Limit, RuleGranularity, Waiver } from "./policy.ts";

/** Members of a scope that select pull requests, and those that select parts of one. */
export const PullMember = z.enum(["branches", "authors", "labels", "paths"]);
export type PullMember = z.infer<typeof PullMember>;
export const PartMember = z.enum(["stages", "workspaces", "modules", "resource_types", "providers", "tags"]);
export type PartMember = z.infer<typeof PartMember>;

/** The member of a rule's scope that nothing of the pull request matches. Names are not escaped. */
const ScopeMismatch = z.object({
  member: z.enum([...PullMember.options, ...PartMember.options]),
  /** The key of the tag; absent for other members. */
  key: z.string().exactOptional(),
  /** As the policy file has them. */
  patterns: texts,
  /** Names that the pull request has instead, at most 10, and the number of further names. */
  here: texts,
  more: count,
  /** The name here that a pattern is probably a misspelling of; null: none is near. */
  meant: z.string().nullable(),
  /** The scope matches a workspace of the repository that this pull request does not touch: then it is no misspelling. */
  elsewhere: z.literal(true).exactOptional(),
  /** The patterns are those of `not`, and they exclude everything that the scope includes. */
  excluded: z.literal(true).exactOptional(),
});
export type ScopeMismatch = ValueOf<typeof ScopeMismatch>;

/** Whether the rule simply applies to other pull requests, workspaces or teams, so that the mismatch needs no attention. */
export const isOrdinary = ({ member, elsewhere, excluded, meant }: ScopeMismatch): boolean =>
  elsewhere === true ||
  excluded === true ||
  (member === "tags" && meant === null) ||
  PullMember.safeParse(member).success;

/** What a rule measured: compared exactly with the rule's limit. `increase_from_zero`: a percentage has no base. */
export const MeasuredValue = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("money"), amount: decimal, currency: z.string() }),
  z.object({ kind: z.literal("percent"), percent: decimal }),
  z.object({ kind: z.literal("increase_from_zero") }),
  /** A condition is true. `count`: the number of matching elements; null: the condition counts nothing. */
  z.object({ kind: z.literal("condition"), count: count.nullable() }),
  z.object({ kind: z.literal("count"), count: z.number() }),
]);
export type MeasuredValue = ValueOf<typeof MeasuredValue>;

/** Why a rule is undecided. `other_currency`: the rule's currency is not the amount's; both are named. */
const UndecidedReason = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("unknown"), reason: UnknownReason }),
  z.object({ kind: z.literal("partial") }),
  /** Usage-based resources are new or changed: their number, and some of their names. */
  z.object({ kind: z.literal("usage"), count, names: texts }),
  /** What is unknown of single resources: the reason of the tags, or the cost. Their number, and some of their names. */
  z.object({
    kind: z.literal("resources"),
    unknown: z.enum(["tags_later", "tags_sensitive", "tags_not_read", "cost"]),
    count,
    names: texts,
  }),
  /** Of other workspaces it is unknown what they cost by this tag. */
  z.object({ kind: z.literal("workspace_tags"), key: z.string(), names: texts }),
  z.object({ kind: z.literal("inconsistent") }),
  /** The condition could not be evaluated. `problem`: the message of the CEL library, not escaped. */
  z.object({ kind: z.literal("condition_failed"), problem: z.string() }),
  z.object({ kind: z.literal("other_currency"), found: z.string(), expected: z.string() }),
  /** These facts about local files were not given, so it is unknown whether the rule applies. */
  z.object({ kind: z.literal("scope_unknown"), members: z.array(PullMember) }),
]);
export type UndecidedReason = ValueOf<typeof UndecidedReason>;

/** A required tag that a resource misses, or whose value is not allowed. Texts are from outside, not escaped. */
const TagProblem = z.object({
  /** The item of the finding. */
  item: z.string(),
  key: z.string(),
  /** The value; null: the tag is missing. */
  found: z.string().nullable(),
  /** The allowed value that is probably meant; null: none is near. */
  nearest: z.string().nullable(),
  /** A similar key that the resource has; null: none. */
  otherKey: z.string().nullable(),
  /** The expression that a value must match; null: there is none, or the tag is missing. */
  pattern: z.string().nullable(),
  /** Some of the allowed values, where none is near, and the number of further ones. */
  values: texts,
  moreValues: count,
});
export type TagProblem = ValueOf<typeof TagProblem>;

/** A resource whose cost rises, and where it stands in the code. */
const CostDriver = z.object({
  address: z.string(),
  /** Per month. */
  change: decimal,
  currency: z.string(),
  place: CodePlace,
});
export type CostDriver = ValueOf<typeof CostDriver>;

/** The subject of what has no tag; no value of a tag has it. */
export const WITHOUT_TAG = "without tag";

/** Returns the subject of a finding about a value of a tag (null: about what has none): the value, in quotes where it may be mistaken. */
export function formatTagSubject(value: string | null): string {
  if (value === null) return WITHOUT_TAG;
  return /^"*(?:without tag)?"*$/.test(value) ? `"${value}"` : value;
}

/** Somebody who requested changes and may approve the rule. */
const Objection = z.object({
  /** Null: GitHub lists more reviews than are read, so that somebody may have. */
  by: z.object({ id: z.int(), login: z.string() }).nullable(),
  /** Whether they may approve the rule is not known. */
  unclear: z.literal(true).exactOptional(),
});
export type Objection = ValueOf<typeof Objection>;

/** The result of one rule for one subject. Data only: templates word it. */
const Finding = z.object({
  rule: z.string(),
  /** `not_applicable`: the rule's scope matches nothing of the pull request. It does not count as passed. */
  outcome: z.enum(["passed", "violated", "undecided", "not_applicable"]),
  enforce: Enforcement,
  onUnknown: Enforcement,
  /** The rule only warns until this moment, ms since 1970; absent: its effect does not change. */
  enforceFromMs: z.number().exactOptional(),
  mandatory: z.boolean(),
  limit: Limit,
  per: RuleGranularity,
  /** The key of the tag; absent unless `per` is `tag`. */
  perTag: z.string().exactOptional(),
  /**
   * The stage, module, resource type or value of the tag (see `formatTagSubject`); null for the whole pull request, or when it is unknown.
   * Of a rule that passed: the subject closest to the limit.
   */
  subject: z.string().nullable(),
  /** Number of further subjects of this rule with the same outcome and no finding of their own; 0 on all but the last finding. */
  others: count,
  /** Null when undecided, and where there is nothing to measure. */
  measured: MeasuredValue.nullable(),
  /** True: the value exceeded the limit before, and this change does not raise it, so the violation only warns. */
  alreadyAbove: z.literal(true).exactOptional(),
  /** Empty unless undecided. */
  because: z.array(UndecidedReason),
  /** Why the rule is not applicable; absent unless that is the outcome. */
  mismatch: ScopeMismatch.exactOptional(),
  /** The rule's message for a violation, `{{count}}` filled in; null: none. Not escaped. */
  message: z.string().nullable(),
  /** Addresses and names of the items of the finding, where they are known: an approval covers them. Not escaped. */
  items: texts,
  /** What is wrong with the tags of the first resources, where the rule is about them; also where it is undecided about others. */
  tagProblems: z.array(TagProblem).exactOptional(),
  /** Of a violated rule about money: the resources of its subject whose cost rises most, where their places are known; absent: there are none. */
  drivers: z.array(CostDriver).exactOptional(),
  /** The waiver that covers the violation, which then has no effect; null: none. */
  waiver: Waiver.pick({ owner: true, reason: true, untilMs: true }).nullable(),
  /** The possible approvers; null: none. */
  approve: ApproveSpec.nullable(),
  /** Why nobody can approve it although code owners may; absent: they can, or the rule does not ask them. */
  codeOwners: CodeOwnersProblem.exactOptional(),
  /** Approvals cover it, so it does not block. */
  approved: z.boolean(),
  /** They hold the check, whatever the outcome; on the first finding of the rule. Absent: there are none. */
  objections: z.array(Objection).exactOptional(),
});
export type Finding = ValueOf<typeof Finding>;
export type FindingOutcome = Finding["outcome"];

/** The groups of its rule, by index, that approve a finding. One about an unknown subject may need any. */
export const listOwnGroups = ({ approve, subject, perTag }: Finding): readonly number[] => {
  if (approve === null) return [];
  return perTag !== undefined && subject === null
    ? approve.groups.map((_, group) => group)
    : listGroupsOf(approve, subject);
};

/** The groups of `listOwnGroups`. */
export const listOwnApprovers = (finding: Finding): ApproveSpec["groups"] =>
  listOwnGroups(finding).flatMap((group) => finding.approve?.groups[group] ?? []);

/** The groups that the findings of a rule name, by index; empty: nobody can approve any of them. */
export const listRuleGroups = (findings: readonly Finding[], rule: string): ApproveSpec["groups"] =>
  findings.find((finding) => finding.rule === rule && finding.approve !== null)?.approve?.groups ?? [];

/** The groups, by index, that approve for a subject: its own ones, else those that have no value of a tag. */
export function listGroupsOf({ groups }: ApproveSpec, subject: string | null): readonly number[] {
  const own = groups.flatMap(({ tagValue }, index) =>
    tagValue !== undefined && formatTagSubject(tagValue) === subject ? [index] : [],
  );
  return own.length > 0
    ? own
    : groups.flatMap((group, index) => (group.tagValue === undefined ? [index] : []));
}

/** Whether a person may approve it. */
export const isApprovable = ({ approve }: Finding): boolean => approve !== null;

export const Verdict = z.object({
  kind: z.enum(["pass", "warn", "block", "undecided"]),
  /**
   * Worst first. A rule that passed or is not applicable has one finding; another has one for each subject that is violated or
   * undecided (at most 100 of each, then `others`).
   */
  findings: z.array(Finding),
});
export type Verdict = ValueOf<typeof Verdict>;

/** The verdict of these findings, sorted worst first. */
export function combineFindings(findings: readonly Finding[]): Verdict {
  const ordered = WORST_FIRST.flatMap((effect) =>
    findings.filter((finding) => decideEffect(finding) === effect),
  );
  const [worst] = ordered;
  return { kind: worst === undefined ? "pass" : decideEffect(worst), findings: ordered };
}

/** The effect of one finding on the verdict when there is no worse one. An undecided rule that enforces `warn` warns. */
export const decideEffect = (finding: Finding): Verdict["kind"] =>
  finding.objections === undefined ? decideOwnEffect(finding) : "block";

/** Whether a finding holds the check back: it blocks, or must be decided first. */
export const holdsCheck = (finding: Finding): boolean =>
  ["block", "undecided"].includes(decideEffect(finding));

/** The effect of a finding as if nobody objected. */
export function decideOwnEffect(finding: Finding): Verdict["kind"] {
  const { outcome, enforce, onUnknown, approved, waiver } = finding;
  if (outcome === "passed" || outcome === "not_applicable") return "pass";
  if (outcome === "violated" && (approved || waiver !== null)) return "pass";
  if (enforce === "warn") return "warn";
  if (outcome === "violated") return "block";
  return onUnknown === "warn" ? "warn" : "undecided";
}

const WORST_FIRST: readonly Verdict["kind"][] = ["block", "undecided", "warn", "pass"];
