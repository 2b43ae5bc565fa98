import { createHash } from "node:crypto";
import { readEstimate } from "../../intake/estimate/read-estimate.ts";
import { fileLabel } from "../../intake/file-label.ts";
import { readPlan } from "../../intake/plan/read-plan.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha } from "../../kernel/ids.ts";
import { applyApprovals } from "../../policy/approvals/apply.ts";
import { type Approvals, NO_APPROVALS } from "../../policy/approvals/approval.ts";
import { checkNameFor } from "../../policy/check/check-name.ts";
import { decideCheck } from "../../policy/check/decide-check.ts";
import type { JudgeContext } from "../../policy/context.ts";
import { evaluate } from "../../policy/evaluate.ts";
import type { Evaluation } from "../../policy/evaluation.ts";
import { type PolicyText, parsePolicy } from "../../policy/parse.ts";
import type { Policy, PolicyProblem } from "../../policy/policy.ts";
import type { Situation } from "../../policy/situation.ts";
import { buildReport } from "../../report/build.ts";
import { NO_FACTS } from "../../report/no-facts.ts";
import type { Report } from "../../report/report.ts";
import type { LabelledEstimate, LabelledPlan } from "./plans.ts";
import { previewStages } from "./stages.ts";

export interface InputFile {
  /** Path as given. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface PreviewInput {
  readonly estimates: readonly InputFile[];
  readonly plans: readonly InputFile[];
  /** Null: nothing is judged. */
  readonly policy: PolicyText | null;
  /** Branch that the change would be merged into: names the check. */
  readonly base: string;
  /** By which exceptions have expired, ms since 1970. */
  readonly nowMs: number;
}

export type Preview =
  | {
      readonly state: "previewed";
      readonly evaluation: Evaluation;
      /** What a reader of the files should hear, each with its file. */
      readonly notes: readonly string[];
    }
  | { readonly state: "policy_invalid"; readonly problems: readonly PolicyProblem[] };

/** There is no commit; this stands for it. */
const NO_SHA = "0".repeat(40);

/**
 * What a pull request with these estimates and plans would be told, judged by that policy. Reads nothing but its arguments.
 * Throws `file_not_recognised` for a file that is not what it should be.
 */
export async function preview(input: PreviewInput): Promise<Preview> {
  const parsed = input.policy === null ? null : parsePolicy({ repository: input.policy, organisation: null });
  if (parsed?.state === "invalid") return { state: "policy_invalid", problems: parsed.problems };
  const policy = parsed?.policy ?? null;
  const { estimates, plans, notes } = await readFiles(input);
  const { stages, notes: joining } = previewStages(estimates, plans);
  const report = buildReport({ ...NO_FACTS, stages }, { stages: policy?.stages ?? [] });
  return { state: "previewed", evaluation: evaluated(report, policy, input), notes: [...notes, ...joining] };
}

async function readFiles(input: PreviewInput) {
  const estimates: LabelledEstimate[] = [];
  const plans: LabelledPlan[] = [];
  const notes: string[] = [];
  for (const { file, bytes } of input.estimates) {
    const read = await readEstimate({ file, bytes, fallback: fileLabel(file) });
    notes.push(...read.notes.map((note) => `${file}: ${note}`));
    estimates.push(...read.stages.map((stage) => ({ file, stage })));
  }
  for (const { file, bytes } of input.plans) {
    const snapshot = await readPlan({ file, bytes, elements: false });
    notes.push(...snapshot.notes.map((note) => `${file}: ${note}`));
    plans.push({ file, label: fileLabel(file), snapshot });
  }
  return { estimates, plans, notes };
}

function evaluated(report: Report, policy: Policy | null, input: PreviewInput): Evaluation {
  const context = previewContext(input);
  const situation: Situation =
    policy === null
      ? { kind: "no_policy", alwaysCheck: false }
      : { kind: "judged", verdict: evaluate(report, policy, context) };
  return {
    pull: {
      repositoryId: 0,
      number: 0,
      repository: "preview",
      headSha: parseSha(NO_SHA) ?? noSha(),
      baseRef: input.base,
      figures: true,
      draft: false,
    },
    report,
    context,
    situation,
    approvals: policy === null ? NO_APPROVALS : unsigned(policy, situation, input),
    check: decideCheck(situation),
    checkName: checkNameFor(policy, input.base),
    policySources: input.policy === null ? [] : [sourceOf(input.policy)],
    policyEdit: null,
    quiet: false,
    commentMode: "update",
    foreignChecks: [],
    previous: null,
    sections: policy?.comment.sections ?? null,
  };
}

/** Nobody signed for what a file says: who would have to is told as the comment tells it. */
function unsigned({ rules }: Policy, situation: Situation, { base }: PreviewInput): Approvals {
  if (situation.kind !== "judged") return NO_APPROVALS;
  const standing = { baseRef: base, ground: [], figures: "", contributors: null };
  return applyApprovals([], { rules, findings: situation.verdict.findings, standing }).approvals;
}

/** Local files tell nothing of a pull request but the branch that was named. */
const previewContext = ({ base, nowMs }: PreviewInput): JudgeContext => ({
  number: 0,
  author: null,
  labels: null,
  baseRef: base,
  draft: false,
  paths: [],
  pathsComplete: false,
  nowMs,
  budgetUse: null,
});

function sourceOf({ file, text }: PolicyText) {
  const blob = createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest("hex");
  return { repository: "preview", path: file, ref: "", blob };
}

function noSha(): never {
  throw new TollgateError("internal", "forty zeros are no commit id");
}
