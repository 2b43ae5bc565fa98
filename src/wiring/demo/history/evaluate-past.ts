import type { Decimal } from "../../../kernel/money.ts";
import { decimal, minus } from "../../../kernel/money.ts";
import { applyApprovals } from "../../../policy/approvals/apply-approvals.ts";
import { giveApproval } from "../../../policy/approvals/give-approval.ts";
import { readGround, serializeFigures } from "../../../policy/approvals/ground.ts";
import type { RuleFindings } from "../../../policy/approvals/lapse.ts";
import { decideCheck } from "../../../policy/check/decide-check.ts";
import { evaluatePolicy } from "../../../policy/evaluate/evaluate-policy.ts";
import type { Approval } from "../../../policy/model/approval.ts";
import type { Evaluation } from "../../../policy/model/evaluation.ts";
import { buildReport } from "../../../report/build.ts";
import { NO_CONTEXT } from "../../../report/model/context.ts";
import type { StageFacts } from "../../../report/model/facts.ts";
import type { PastPull, PastPush } from "./past-pulls.ts";

/** Monthly cost of the two workspaces before a change, in cents. */
export interface Baseline {
  readonly production: number;
  readonly staging: number;
}

export interface PastEvaluationInput {
  readonly pull: PastPull;
  readonly push: PastPush;
  readonly baseline: Baseline;
  /** Whether the approver of the pull request approves what this evaluation found. */
  readonly isApproved: boolean;
  readonly approvalId: number;
}

/** Every pull request of the past changes all workspaces of its repository, and none waits beside it. */
const NOTHING_ELSE = { workspaces: [], pulls: [], unknown: [] };

const toDecimal = (cents: number): Decimal => decimal((cents / 100).toFixed(2));

/** Evaluates a past commit under its policy, from the facts that its plans stated at that time. */
export function evaluatePast(input: PastEvaluationInput): {
  evaluation: Evaluation;
  approval: Approval | null;
} {
  const { pull, push } = input;
  const { repository, number, author } = pull;
  const stages = (["production", "staging"] as const).map((workspace) => buildStage(input, workspace));
  const report = buildReport(
    { stages, refused: [], context: NO_CONTEXT },
    { stages: repository.policy.stages },
  );
  const context = {
    ...{ number, author: author.login, labels: [], baseRef: "main", draft: false },
    ...{
      paths: [`infra/change-${number}.tf`],
      pathsComplete: true,
      nowMs: push.atMs,
      budgetUse: NOTHING_ELSE,
    },
  };
  const found = evaluatePolicy(report, repository.policy, context);
  const ground = {
    ...{ baseRef: "main", ground: readGround(report), figures: serializeFigures(report) },
    contributors: new Set([author.id]),
  };
  const place: RuleFindings = { rules: repository.policy.rules, findings: found.findings, ground };
  const approval = input.isApproved ? approvePast(input, place) : null;
  const { verdict, approvals } = applyApprovals(approval === null ? [] : [approval], place);
  const situation = { kind: "evaluated", verdict } as const;
  const full = `${repository.owner}/${repository.name}`;
  const source = { repository: full, path: ".github/tollgate.yml", ref: "main", blob: repository.blob };
  const evaluation: Evaluation = {
    pull: {
      ...{ repositoryId: repository.repositoryId, number, repository: full, headSha: push.headSha },
      ...{ baseRef: "main", figures: true, draft: false },
    },
    ...{ report, context, situation, approvals, evaluatedMs: push.atMs, checkName: "tollgate: main" },
    ...{ check: decideCheck(situation, approvals), policySources: [source], policyEdit: null, quiet: false },
    ...{ commentMode: "update", foreignChecks: [], previous: null, sections: null },
  };
  return { evaluation, approval };
}

/** The approver approves up to the amount that was found, an hour after the evaluation. */
function approvePast({ pull, push, approvalId }: PastEvaluationInput, place: RuleFindings): Approval | null {
  if (pull.approver === null) return null;
  const createdMs = push.atMs + 3_600_000;
  const given = giveApproval(
    {
      ...{
        id: `comment:${approvalId}`,
        source: "comment",
        approver: pull.approver,
        sha: push.headSha,
        rules: [],
      },
      ...{ upTo: { amount: toDecimal(Math.max(push.cents.production, 0)), currency: "USD" } },
      ...{ reason: "agreed for this quarter", createdMs, approvedMs: createdMs },
    },
    { ...place, headSha: push.headSha, evaluatedMs: push.atMs, getGroups: () => [0] },
  );
  return given.state === "approved" ? given.approval : null;
}

function buildStage(
  { pull, push, baseline }: PastEvaluationInput,
  workspace: "production" | "staging",
): StageFacts {
  const before = toDecimal(baseline[workspace]);
  const after = toDecimal(baseline[workspace] + push.cents[workspace]);
  const cost = { before, after, change: minus(after, before), percent: null, currency: "USD" };
  const { owner, name } = pull.repository;
  const executionId = `${name}-${pull.number}-${push.headSha.slice(0, 7)}-${workspace}`;
  const { replaced } = workspace === "production" ? push : { replaced: 0 };
  const counts = {
    ...{ added: 1 + replaced, changed: 2, deleted: replaced, replaced },
    ...{ imported: 0, removed: 0, unchanged: 14, drifted: 0 },
  };
  return {
    ...{
      org: owner,
      project: name,
      workspace,
      executionId,
      stageExecutionId: `${workspace}-plan`,
      source: "status",
    },
    ...{ proven: true, status: "succeeded", createdMs: push.atMs, superseded: [] },
    cost: {
      state: "known",
      value: {
        ...cost,
        completeness: "complete",
        problems: [],
        groups: [],
        unpriced: null,
        partsAreWhole: false,
      },
    },
    modules: { state: "known", value: [{ ...cost, module: "services" }] },
    counts: { state: "known", value: counts },
    rows: { state: "known", value: { rows: [], omitted: 0, unread: 0 } },
  };
}

/** The baseline after a merge. */
export const addMerge = (baseline: Baseline, { cents }: PastPush): Baseline => ({
  production: baseline.production + cents.production,
  staging: baseline.staging + cents.staging,
});
