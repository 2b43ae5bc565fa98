import { createHash } from "node:crypto";
import { TollgateError } from "../../kernel/errors.ts";
import { findYearRest } from "../../kernel/fiscal-periods.ts";
import { parseSha } from "../../kernel/ids.ts";
import { applyApprovals } from "../../policy/approvals/apply-approvals.ts";
import { decideCheck, resolveCheckName } from "../../policy/decide-check.ts";
import { applyScopeDoubts } from "../../policy/evaluate-policy.ts";
import type { PolicyText } from "../../policy/file/parse.ts";
import { type Approvals, NO_APPROVALS } from "../../policy/model/approval.ts";
import type { EvaluationContext } from "../../policy/model/context.ts";
import { BARE_EVALUATION, type Evaluation } from "../../policy/model/evaluation.ts";
import { chooseReportOptions, type Policy, type PolicyProblem } from "../../policy/model/policy.ts";
import type { Situation } from "../../policy/model/situation.ts";
import type { PerformTask } from "../../policy/task.ts";
import { buildReport } from "../../report/build.ts";
import type { ContextFacts } from "../../report/model/context.ts";
import { NO_FACTS } from "../../report/model/context.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import type { AttributesByRow } from "../../report/model/resource-attributes.ts";
import { type NamedStage, type PreviewFiles, readStages } from "./read-stages.ts";

/** The stated facts of the pull request; null: unknown. */
export interface PreviewPull {
  /** Branch that the change would be merged into; it is part of the check's name. */
  readonly base: string;
  /** Login in lower case. */
  readonly author: string | null;
  readonly labels: readonly string[] | null;
  readonly paths: readonly string[] | null;
}

export interface PreviewInput extends PreviewFiles {
  /** Null: no rule is evaluated. */
  readonly policy: PolicyText | null;
  readonly pull: PreviewPull;
  /** When waivers are checked for expiry, ms since 1970. */
  readonly nowMs: number;
}

export type Preview =
  | {
      readonly state: "previewed";
      readonly evaluation: Evaluation;
      /** The policy in force; null: there is none. */
      readonly policy: Policy | null;
      /** Notes for the reader of the files, each with its file. */
      readonly notes: readonly string[];
    }
  | { readonly state: "policy_invalid"; readonly problems: readonly PolicyProblem[] };

/** Placeholder, because there is no commit. */
const NO_SHA = "0".repeat(40);

/**
 * Evaluates a pull request with these estimates and plans by the policy. Reads nothing but its arguments.
 * Throws `file_not_recognised` for a file that is not what it should be.
 */
export async function previewPull(input: PreviewInput, perform: PerformTask): Promise<Preview> {
  const texts = { repository: input.policy, organisation: null };
  const parsed =
    input.policy === null ? null : await perform({ kind: "parse", input: texts, owner: LOCAL_OWNER });
  if (parsed?.state === "invalid") return { state: "policy_invalid", problems: parsed.problems };
  const policy = parsed?.policy ?? null;
  const { stages, attributes, notes } = await readStages(input);
  const built = buildReport({ ...NO_FACTS, context: LOCAL_CONTEXT, stages }, chooseReportOptions(policy));
  const report = nameStages(built, input.named);
  const rulePlaces = parsed?.rulePlaces ?? [];
  const context = buildPreviewContext(input);
  const situation = await evaluateSituation({ report, policy, context, attributes }, perform);
  const evaluation = { ...buildPreviewEvaluation({ report, policy, situation }, input), rulePlaces };
  return {
    state: "previewed",
    evaluation,
    policy,
    notes: [...notes, ...listUnnamedRules(evaluation, input)],
  };
}

/** Returns a note for rules that depend on a workspace or a stage when no workspace was named: such rules easily do not apply. */
function listUnnamedRules({ situation }: Evaluation, { named: names }: PreviewInput): readonly string[] {
  if (names.length > 0 || situation.kind !== "evaluated") return [];
  const rules = situation.verdict.findings.flatMap(({ rule, mismatch }) =>
    mismatch?.member === "workspaces" || mismatch?.member === "stages" ? [rule] : [],
  );
  if (rules.length === 0) return [];
  return [
    `${rules.join(", ")}: not applicable to these files, whose workspace is not known; name it with --workspace`,
  ];
}

/** Returns the report with the stage names from the command line. */
function nameStages(report: Report, names: readonly NamedStage[]): Report {
  const byWorkspace = new Map(names.map(({ workspace, stage }) => [workspace, stage]));
  const stages = report.stages.map((stage) => ({
    ...stage,
    name: byWorkspace.get(stage.workspace) ?? stage.name,
  }));
  return { ...report, stages };
}

interface PreviewBasis {
  readonly report: Report;
  readonly policy: Policy | null;
}

/** Owner of the policy tasks of local files. */
const LOCAL_OWNER = "local";

async function evaluateSituation(
  {
    report,
    policy,
    context,
    attributes,
  }: PreviewBasis & { readonly context: EvaluationContext; readonly attributes: Fact<AttributesByRow> },
  perform: PerformTask,
): Promise<Situation> {
  if (policy === null) return { kind: "no_policy", alwaysCheck: false };
  const input = { report, policy, context, attributes };
  const verdict = await perform({ kind: "evaluate", input, owner: LOCAL_OWNER });
  return { kind: "evaluated", verdict: applyScopeDoubts(verdict, policy.rules, context) };
}

function buildPreviewEvaluation(
  { report, policy, situation }: PreviewBasis & { readonly situation: Situation },
  input: PreviewInput,
): Evaluation {
  const context = buildPreviewContext(input);
  const approvals = policy === null ? NO_APPROVALS : buildLocalApprovals(policy, situation, input);
  return {
    pull: {
      repositoryId: 0,
      number: 0,
      repository: "preview",
      headSha: parseSha(NO_SHA) ?? throwNoSha(),
      baseRef: input.pull.base,
      figures: true,
      draft: false,
      local: true,
    },
    ...BARE_EVALUATION,
    report,
    context,
    situation,
    approvals,
    check: decideCheck(situation, approvals),
    checkName: resolveCheckName(policy, input.pull.base),
    policySources: input.policy === null ? [] : [buildSource(input.policy)],
    sections: policy?.comment.sections ?? null,
    ...(policy?.showsYear && { yearSpan: findYearRest(input.nowMs, input.nowMs, "01-01") }),
  };
}

/** Local files have no approvals; the missing ones are listed as the comment lists them. */
function buildLocalApprovals(
  { rules }: Policy,
  situation: Situation,
  { pull: { base }, nowMs }: PreviewInput,
): Approvals {
  if (situation.kind !== "evaluated") return NO_APPROVALS;
  const ground = { baseRef: base, ground: [], figures: "", contributors: new Set<number>(), nowMs };
  return applyApprovals([], { rules, findings: situation.verdict.findings, ground }).approvals;
}

/** Builds the evaluation context from the stated facts, because files have no pull request. */
const buildPreviewContext = ({ pull, nowMs }: PreviewInput): EvaluationContext => ({
  number: 0,
  author: pull.author,
  labels: pull.labels,
  baseRef: pull.base,
  draft: false,
  paths: pull.paths ?? [],
  pathsComplete: pull.paths !== null,
  nowMs,
  budgetUse: null,
  local: true,
});

const LOCAL_FACT = { state: "unknown", reason: "local_preview" } as const;
/** The context facts of the platform are unknown for local files. */
const LOCAL_CONTEXT: ContextFacts = {
  savings: LOCAL_FACT,
  anomalies: LOCAL_FACT,
  governance: LOCAL_FACT,
  prompts: LOCAL_FACT,
  unitCosts: LOCAL_FACT,
  schedules: LOCAL_FACT,
};

function buildSource({ file, text }: PolicyText) {
  const blob = createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest("hex");
  return { repository: "preview", path: file, ref: "", blob };
}

function throwNoSha(): never {
  throw new TollgateError("internal", "forty zeros are no commit id");
}
