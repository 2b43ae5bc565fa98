import { z } from "zod";
import { COMMENT_SECTIONS } from "../../policy/model/comment-sections.ts";
import { approvals, override } from "./approval-schema.ts";
import { unknownReason } from "./facts-schema.ts";
import { verdict } from "./finding-schema.ts";
import { report, totalReport, unitCost } from "./report-schema.ts";
import { count, decimal, money, sha, texts } from "./scalars.ts";

const pull = z.object({
  repositoryId: z.int(),
  number: z.int(),
  repository: z.string(),
  headSha: sha,
  baseRef: z.string(),
  figures: z.boolean(),
  draft: z.boolean(),
  local: z.literal(true).exactOptional(),
});

/** The members of `Workspace` and what it costs. */
const workspace = { org: z.string(), project: z.string(), workspace: z.string() };
const workspaceCost = { ...workspace, currency: z.string(), amount: decimal };

const context = z.object({
  number: z.int(),
  author: z.string().nullable(),
  labels: texts.nullable(),
  baseRef: z.string(),
  draft: z.boolean(),
  paths: texts,
  pathsComplete: z.boolean(),
  nowMs: z.number(),
  budgetUse: z
    .object({
      workspaces: z.array(z.object(workspaceCost)),
      pulls: z.array(z.object({ ...workspaceCost, number: z.int() })),
      unknown: z.array(z.object(workspace)),
    })
    .nullable(),
  local: z.literal(true).exactOptional(),
  oneShot: z.literal(true).exactOptional(),
});

const missing = z.array(
  z.object({
    workspace: z.string().nullable(),
    state: z.enum(["missing", "pending", "unread", "not_found"]),
  }),
);

const policyProblem = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  path: z.string(),
  message: z.string(),
});

const contextName = z.enum(["schedules", "savings", "anomalies", "governance", "unitCosts", "prompts"]);

const situation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("evaluated"), verdict }),
  z.object({ kind: z.literal("draft"), verdict: verdict.nullable(), missing }),
  z.object({
    kind: z.literal("waiting"),
    missing,
    unread: z.array(contextName).exactOptional(),
    needsTurn: z.literal(true).exactOptional(),
    deadlineMs: z.number(),
  }),
  z.object({ kind: z.literal("deadline_passed"), missing, oneJob: z.boolean().exactOptional() }),
  z.object({ kind: z.literal("policy_invalid"), problems: z.array(policyProblem) }),
  z.object({
    kind: z.literal("policy_unreadable"),
    which: z.enum(["repository", "organisation"]),
    reason: z.enum([
      "symlink",
      "submodule",
      "directory",
      "binary",
      "too_large",
      "not_covered",
      "forbidden",
      "base_missing",
      "malformed",
      "vanished",
    ]),
  }),
  z.object({ kind: z.literal("cost_unreadable"), workspaces: texts }),
  z.object({
    kind: z.literal("execution_unreadable"),
    executions: z.array(z.object({ executionId: z.string(), reason: unknownReason })),
  }),
  z.object({ kind: z.literal("failed"), cause: z.enum(["own_error", "too_many_claims"]) }),
  z.object({ kind: z.literal("nothing_expected") }),
  z.object({ kind: z.literal("no_policy"), alwaysCheck: z.boolean() }),
]);

const check = z.union([
  z.object({
    status: z.literal("completed"),
    conclusion: z.enum(["success", "neutral", "failure", "action_required"]),
  }),
  z.object({ status: z.literal("in_progress") }),
  z.object({ status: z.literal("none") }),
]);

const policySource = z.object({
  repository: z.string(),
  path: z.string(),
  ref: z.string(),
  blob: z.string(),
  commit: z.string().exactOptional(),
});

const verdictKind = verdict.shape.kind;

const policyEdit = z.object({
  outcome: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("evaluated"), verdict: verdictKind }),
    z.object({ kind: z.literal("invalid"), problems: count }),
    z.object({ kind: z.literal("deleted") }),
    z.object({ kind: z.literal("not_evaluated") }),
  ]),
  addedRules: texts,
  changedRules: texts,
  removedRules: texts,
  addedWaivers: texts,
  removedWaivers: texts,
  otherParts: z.array(
    z.enum([
      "expect",
      "stages",
      "platform",
      "assumeByWorkspace",
      "comment",
      "checkNames",
      "override",
      "requestReviewers",
    ]),
  ),
  past: z
    .object({
      compared: count,
      changed: z.array(z.object({ from: verdictKind, to: verdictKind, pulls: z.array(z.int()) })),
    })
    .nullable(),
});

/** What came of a pull request after it was merged. */
export const afterMerge = z.object({
  days: z.number(),
  compared: count,
  workspaces: count,
  totals: z.array(z.object({ currency: z.string(), estimated: decimal, actual: decimal })),
  units: z
    .array(
      z.object({ ...unitCost, before: decimal, after: decimal, actual: decimal, actualAsOf: z.string() }),
    )
    .exactOptional(),
});

export const evaluation = z.object({
  pull,
  report,
  context,
  situation,
  evaluatedMs: z.number().exactOptional(),
  approvableDigest: z.string().exactOptional(),
  firstEvaluated: z.object({ atMs: z.number(), digest: z.string() }).exactOptional(),
  approvals,
  override: override.exactOptional(),
  check,
  checkName: z.string(),
  policySources: z.array(policySource),
  rulePlaces: z.array(z.object({ rule: z.string(), file: z.string(), line: z.number() })).exactOptional(),
  policyEdit: policyEdit.nullable(),
  quiet: z.boolean(),
  smallChange: z.object({ amount: money.nullable(), percent: decimal.nullable() }).exactOptional(),
  requestReviewers: z.literal(true).exactOptional(),
  commentMode: z.enum(["update", "new", "hide-and-new", "delete-and-new"]),
  foreignChecks: texts,
  previous: z.object({ headSha: sha, totals: z.array(totalReport) }).nullable(),
  sections: z.array(z.enum(COMMENT_SECTIONS)).nullable(),
  lastKnown: z.array(totalReport).exactOptional(),
  afterMerge: afterMerge.exactOptional(),
});
