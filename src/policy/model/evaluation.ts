import { z } from "zod";
import { DaySpan } from "../../kernel/fiscal-periods.ts";
import { count, decimal, sha, texts, type ValueOf } from "../../kernel/schemas.ts";
import { UnitCost } from "../../report/model/context.ts";
import { Report, TotalReport } from "../../report/model/report.ts";
import { Approvals, NO_APPROVALS, Override } from "./approval.ts";
import { EvaluationContext } from "./context.ts";
import { Verdict } from "./finding.ts";
import { CommentMode, RulePlace, SectionOrder, SmallChange } from "./policy.ts";
import { CheckDecision, PolicySource, Situation, StackedBelow } from "./situation.ts";

/** The evaluated pull request. Names are labels; `repositoryId` and `number` are its identity. */
const EvaluatedPull = z.object({
  repositoryId: z.int(),
  number: z.int(),
  /** `owner/name`, for display. */
  repository: z.string(),
  headSha: sha,
  baseRef: z.string(),
  /** False: figures are left out of everything a reader of this repository can see. */
  figures: z.boolean(),
  draft: z.boolean(),
  /** The pull requests below it in its stack, lowest first; absent: there are none. Its base branch is the trunk. */
  stack: z.object({ number: z.int(), below: z.array(StackedBelow) }).exactOptional(),
  /** True: these are local files, so there is no pull request to approve. */
  local: z.literal(true).exactOptional(),
});
export type EvaluatedPull = ValueOf<typeof EvaluatedPull>;

/** The first evaluation of a head into one base branch under one policy. Overrides that were written before it do not count. */
const FirstEvaluation = z.object({
  /** Milliseconds since 1970. */
  atMs: z.number(),
  /** Digest of head, base branch and policy files. */
  digest: z.string(),
});
export type FirstEvaluation = ValueOf<typeof FirstEvaluation>;

/** What one unit was estimated to cost after a merge, and what it costs since. */
const UnitCostAfterMerge = UnitCost.extend({
  before: decimal,
  after: decimal,
  actual: decimal,
  /** The day of the actual cost as its first second, e.g. `2026-03-01T00:00:00Z`. */
  actualAsOf: z.string(),
});
export type UnitCostAfterMerge = ValueOf<typeof UnitCostAfterMerge>;

/** What workspaces were estimated to cost when a pull request was merged, and what they cost since it was applied. */
export const CostAfterMerge = z.object({
  /** Days between the merge and this comparison. */
  days: z.number(),
  /** Number of compared workspaces, and of workspaces that the pull request touched. */
  compared: count,
  workspaces: count,
  /** Per month, one per currency; `before`: before the merge. */
  totals: z.array(
    z.object({
      ...{ currency: z.string(), estimated: decimal, actual: decimal },
      before: decimal.exactOptional(),
    }),
  ),
  /** Per comparable unit metric; absent: none is. */
  units: z.array(UnitCostAfterMerge).exactOptional(),
});
export type CostAfterMerge = ValueOf<typeof CostAfterMerge>;

/** The newest evaluation of the same pull request with another head. */
const PreviousHead = z.object({ headSha: sha, totals: z.array(TotalReport) });
export type PreviousHead = ValueOf<typeof PreviousHead>;

const verdictKind = Verdict.shape.kind;

/** Outcomes of past pull requests under an edited policy. */
const PastOutcomes = z.object({
  /** Number of pull requests that were evaluated again, under both policies, without approvals. */
  compared: count,
  /** Those with another outcome, grouped by outcome. */
  changed: z.array(
    z.object({
      from: verdictKind,
      to: verdictKind,
      /** Numbers of the pull requests, the newest first. */
      pulls: z.array(z.int()),
    }),
  ),
});
export type PastOutcomes = ValueOf<typeof PastOutcomes>;

/** The outcome under the pull request's own version of the policy file: information, never a verdict. */
const PolicyEdit = z.object({
  outcome: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("evaluated"), verdict: verdictKind }),
    z.object({ kind: z.literal("invalid"), problems: count }),
    z.object({ kind: z.literal("deleted") }),
    /** The evaluation takes too long, or too many edits wait: the lists may lack changes. */
    z.object({ kind: z.literal("not_evaluated") }),
    /** Readers may not see figures, and limits that pushes propose one after the other would tell them. */
    z.object({ kind: z.literal("redacted") }),
  ]),
  addedRules: texts,
  changedRules: texts,
  removedRules: texts,
  /** Rules whose waivers are added or removed; a changed waiver counts as one of each. */
  addedWaivers: texts,
  removedWaivers: texts,
  /** Other changed members of `Policy`. */
  otherParts: z.array(
    z.enum([
      ...(["expect", "stages", "platform", "comment", "checkNames", "tags", "byTag", "showsYear"] as const),
      ...(["override", "requestReviewers"] as const),
    ]),
  ),
  /** Outcomes of the last pull requests of the repository under the edit; null: the edited file is invalid, or the time ran out. */
  past: PastOutcomes.nullable(),
});
export type PolicyEdit = ValueOf<typeof PolicyEdit>;

/** A name that a policy gives to the check, and why the base branch's own one is used. */
const UnsharedName = z.object({
  name: z.string(),
  because: z.enum([
    /** Only the policy of this base branch gives it, and not that of the default branch. */
    "other_policy",
    "not_required",
    /** Only a pattern covers the branch, and anyone who can push may create such a branch. */
    "creatable",
    "unreadable",
  ]),
});
export type UnsharedName = ValueOf<typeof UnsharedName>;

/** One evaluation of exactly (head, base branch, policy blobs, facts): what is rendered, published, stored and audited. */
export const Evaluation = z.object({
  pull: EvaluatedPull,
  report: Report,
  /** The inputs of the rules beside the report. */
  context: EvaluationContext,
  situation: Situation,
  /**
   * When this head, into this base branch, first had the findings that its newest verdict has, in milliseconds since 1970; absent: it
   * had no verdict.
   */
  evaluatedMs: z.number().exactOptional(),
  /** Digest of what can be approved in that verdict; absent: it had none. */
  approvableDigest: z.string().exactOptional(),
  /** When this head was first evaluated in this place; absent: an error of our own prevented it so far. */
  firstEvaluated: FirstEvaluation.exactOptional(),
  /** Approvals in force, lapsed and missing. */
  approvals: Approvals,
  /** The override that lets the check pass; absent: none does. */
  override: Override.exactOptional(),
  check: CheckDecision,
  /** Check name: `tollgate: <base branch>`, or the default branch's policy names it and GitHub requires that name. */
  checkName: z.string(),
  /** Absent: no policy gives another name. */
  unshared: UnsharedName.exactOptional(),
  /** The files that were in force, organisation first; empty when there is none. */
  policySources: z.array(PolicySource),
  /** The positions of the rules in these files; absent: none is in force. */
  rulePlaces: z.array(RulePlace).exactOptional(),
  /** What the pull request's own edit of the policy file would change; null when it does not edit it. */
  policyEdit: PolicyEdit.nullable(),
  /** True: the policy requests no comment on pull requests that change nothing. */
  quiet: z.boolean(),
  /** Changes of cost that are too small for a comment; absent: none is. */
  smallChange: SmallChange.exactOptional(),
  /** From which day to which the report states what merging costs: to the end of the fiscal year. Absent: the policy asks for none. */
  yearSpan: DaySpan.exactOptional(),
  /** True: the policy asks for approvers to be requested as reviewers. */
  requestReviewers: z.literal(true).exactOptional(),
  /** How comments follow one another. */
  commentMode: CommentMode,
  /** Posters of statuses with Tollgate's name that Tollgate did not post. They are shown, but never read. */
  foreignChecks: texts,
  /** The evaluation of the previous head; null: this is the first evaluated head. */
  previous: PreviousHead.nullable(),
  sections: SectionOrder,
  /** Earlier totals of this head, where an internal error left this evaluation without totals. */
  lastKnown: z.array(TotalReport).exactOptional(),
  /** The actual cost after the merge; absent: not read, or unknown. */
  afterMerge: CostAfterMerge.exactOptional(),
});
export type Evaluation = ValueOf<typeof Evaluation>;

/** An evaluation of a report without rules, pull request and check, beside what it is of. */
export const BARE_EVALUATION = {
  situation: { kind: "no_policy", alwaysCheck: false },
  approvals: NO_APPROVALS,
  check: { status: "none" },
  checkName: "",
  policySources: [],
  policyEdit: null,
  quiet: false,
  commentMode: "update",
  foreignChecks: [],
  previous: null,
  sections: null,
} as const satisfies Partial<Evaluation>;

/** The evaluation for readers who may not see figures: what an edited policy would decide tells them too. */
export const redactFigures = (evaluation: Evaluation): Evaluation => ({
  ...evaluation,
  pull: { ...evaluation.pull, figures: false },
  policyEdit: evaluation.policyEdit && redactTrial(evaluation.policyEdit),
});

const redactTrial = (edit: PolicyEdit): PolicyEdit => ({
  ...edit,
  outcome: edit.outcome.kind === "evaluated" ? { kind: "redacted" } : edit.outcome,
  past: null,
});
