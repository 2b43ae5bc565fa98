import { z } from "zod";
import { sha, texts, type ValueOf } from "../../kernel/schemas.ts";
import { ContextName } from "../../report/model/context.ts";
import { UnknownReason } from "../../report/model/facts.ts";
import { Verdict } from "./finding.ts";
import { PolicyProblem } from "./policy.ts";

/** A workspace (or "any workspace") whose execution a verdict waits for. */
const MissingExecution = z.object({
  /** Glob or name; null: at least one execution of whatever workspace. */
  workspace: z.string().nullable(),
  /**
   * `unread`: it ended, and its facts are read again. `not_found`: `workspace` is the id of an execution that was
   * named and of which not even the workspaces could be read; it is read again.
   */
  state: z.enum(["missing", "pending", "unread", "not_found"]),
});
export type MissingExecution = ValueOf<typeof MissingExecution>;

/** An execution of which not even the workspaces could be read. */
const LostExecution = z.object({ executionId: z.string(), reason: UnknownReason });
export type LostExecution = ValueOf<typeof LostExecution>;

/** The location of a policy file: repository, branch and path, and the blob that was read. */
export const PolicySource = z.object({
  repository: z.string(),
  path: z.string(),
  ref: z.string(),
  blob: z.string(),
  /** A commit with this blob at this path; absent: none is known. */
  commit: z.string().exactOptional(),
});
export type PolicySource = ValueOf<typeof PolicySource>;

/**
 * Why a policy file that may exist cannot be read. `misnamed`: `tollgate.yaml`; `misplaced`: the organisation's is in
 * the folder `.github` of its repository. `vanished`: it existed before, and no push removed it. */
const PolicyUnreadableReason = z.enum([
  "symlink",
  "submodule",
  "directory",
  "binary",
  "too_large",
  "misnamed",
  "misplaced",
  "not_covered",
  "forbidden",
  "base_missing",
  "malformed",
  "vanished",
]);
export type PolicyUnreadableReason = z.infer<typeof PolicyUnreadableReason>;

/** Why an evaluation failed. `too_many_claims`: the head has more statuses and checks than are read. */
const FailureCause = z.enum(["own_error", "too_many_claims"]);

/**
 * A pull request below another one in a stack. `waiting`: nothing is decided about its head yet. `not_contained`: the upper head does not
 * contain its present head.
 */
export const StackedBelow = z.object({
  number: z.int(),
  headSha: sha,
  state: z.enum(["passes", "waiting", "not_passed", "not_contained"]),
});
export type StackedBelow = ValueOf<typeof StackedBelow>;

const missing = z.array(MissingExecution);

/** Everything that can be true about a head when its check is decided; one member per row of the verdict table. */
export const Situation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("evaluated"), verdict: Verdict }),
  /**
   * The policy is valid, and the pull request is a draft: it shows a provisional verdict, and is decided when it is ready for
   * review. `verdict`: null while there is nothing to evaluate yet.
   */
  z.object({ kind: z.literal("draft"), verdict: Verdict.nullable(), missing }),
  /**
   * `unread`: context facts that rules need and that are read again; absent: none. `needsTurn`: nothing is read yet, because our own
   * limit of calls to the platform is reached.
   */
  z.object({
    kind: z.literal("waiting"),
    missing,
    unread: z.array(ContextName).exactOptional(),
    needsTurn: z.literal(true).exactOptional(),
    deadlineMs: z.number(),
  }),
  /** `oneJob`: a CI job evaluated its own executions, and none follow; absent: a deadline passed. */
  z.object({ kind: z.literal("deadline_passed"), missing, oneJob: z.boolean().exactOptional() }),
  z.object({ kind: z.literal("policy_invalid"), problems: z.array(PolicyProblem) }),
  z.object({
    kind: z.literal("policy_unreadable"),
    which: z.enum(["repository", "organisation"]),
    reason: PolicyUnreadableReason,
  }),
  z.object({ kind: z.literal("cost_unreadable"), workspaces: texts }),
  z.object({ kind: z.literal("execution_unreadable"), executions: z.array(LostExecution) }),
  /** It would pass, and pull requests below it in its stack, which are merged with it, do not. */
  z.object({ kind: z.literal("stack_held"), below: z.array(StackedBelow) }),
  z.object({ kind: z.literal("failed"), cause: FailureCause }),
  z.object({ kind: z.literal("nothing_expected") }),
  z.object({ kind: z.literal("no_policy"), alwaysCheck: z.boolean() }),
]);
export type Situation = ValueOf<typeof Situation>;

/** The verdict of a situation, provisional in a draft; null: there is none. */
export const getVerdict = (situation: Situation): Verdict | null =>
  "verdict" in situation ? situation.verdict : null;

const Conclusion = z.enum(["success", "neutral", "failure", "action_required"]);
export type Conclusion = z.infer<typeof Conclusion>;

/** How the check run ends. `none`: no check is posted. */
export const CheckDecision = z.discriminatedUnion("status", [
  z.object({ status: z.literal("completed"), conclusion: Conclusion }),
  z.object({ status: z.literal("in_progress") }),
  z.object({ status: z.literal("none") }),
]);
export type CheckDecision = ValueOf<typeof CheckDecision>;
