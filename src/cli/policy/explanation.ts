import { decideEffect } from "../../policy/evaluate/evaluate-policy.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Finding, MeasuredValue, Verdict } from "../../policy/model/finding.ts";
import type { Limit } from "../../policy/model/policy.ts";
import type { Situation } from "../../policy/model/situation.ts";
import { describeMismatch } from "../../policy/scope/describe-mismatch.ts";
import { becauseWords, reasonWords } from "./format-reason.ts";

/**
 * Describes which rule decided, and by which value: every rule of an evaluation, those that decided first. `scopes`: lines about scopes
 * and severities by stage, by rule, where the policy is available.
 */
export function formatExplanation(
  evaluation: Pick<Evaluation, "situation" | "check" | "checkName">,
  scopes: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly string[] {
  const { situation, check, checkName } = evaluation;
  const verdict = verdictIn(situation);
  const outcome = check.status === "completed" ? check.conclusion : check.status.replace("_", " ");
  const heading = `${checkName}: ${check.status === "none" ? "no check" : outcome}, ${SITUATIONS[situation.kind]}`;
  if (verdict === null) return [heading, ...details(situation)];
  const { kind, findings } = verdict;
  const deciding = kind === "pass" ? [] : findings.filter((finding) => decideEffect(finding) === kind);
  const others = findings.filter((finding) => !deciding.includes(finding));
  const lines = (finding: Finding) => formatFinding(finding, scopes.get(finding.rule));
  return [
    `${heading}: ${kind}`,
    "",
    ...(deciding.length > 0 ? ["Decided by", ...deciding.flatMap(lines)] : []),
    ...(others.length > 0 ? [deciding.length > 0 ? "Other rules" : "Rules", ...others.flatMap(lines)] : []),
    ...(findings.length === 0 ? ["The policy has no rules."] : []),
  ];
}

/** The verdict, of a draft the one to come; null: there is none. */
export const verdictIn = (situation: Situation): Verdict | null =>
  situation.kind === "evaluated" || situation.kind === "draft" ? situation.verdict : null;

const SITUATIONS: { readonly [kind in Situation["kind"]]: string } = {
  evaluated: "evaluated",
  draft: "a draft, decided when it is ready for review",
  waiting: "waiting for executions",
  deadline_passed: "an expected execution never ended",
  policy_invalid: "the policy is invalid",
  policy_unreadable: "the policy cannot be read",
  cost_unreadable: "a cost cannot be read",
  execution_unreadable: "an execution cannot be read",
  failed: "Tollgate failed",
  nothing_expected: "nothing was expected and nothing ran",
  no_policy: "there is no policy",
};

function details(situation: Situation): readonly string[] {
  switch (situation.kind) {
    case "waiting":
    case "deadline_passed":
      return situation.missing.map(({ workspace, state }) => `  ${workspace ?? "any workspace"}: ${state}`);
    case "policy_invalid":
      return situation.problems.map(
        ({ file, line, column, message }) => `  ${file}:${line}:${column} ${message}`,
      );
    case "policy_unreadable":
      return [`  ${situation.which}: ${situation.reason}`];
    case "cost_unreadable":
      return situation.workspaces.map((workspace) => `  ${workspace}`);
    case "execution_unreadable":
      return situation.executions.map(
        ({ executionId, reason }) => `  ${executionId}: ${reasonWords(reason)}`,
      );
    default:
      return [];
  }
}

function formatFinding(finding: Finding, scope: readonly string[] = []): readonly string[] {
  const { rule, subject, because, items, message, waiver, others, mismatch } = finding;
  if (mismatch !== undefined) return [`  ${rule}: not applicable`, `    ${describeMismatch(mismatch)}`];
  const about = subject === null ? "" : ` (${subject})`;
  return [
    `  ${rule}${about}: ${describeFinding(finding)}`,
    ...scope.map((line) => `    ${line}`),
    `    allowed: ${allowedBy(finding.limit)}`,
    ...foundBy(finding),
    ...because.map((reason) => `    not known: ${becauseWords(reason)}`),
    ...(message === null ? [] : [`    says: ${message}`]),
    ...(waiver === null ? [] : [`    waived: ${waiver.owner} owns the waiver (${waiver.reason})`]),
    ...items.slice(0, MOST_ITEMS).map((item) => `    - ${item}`),
    ...(items.length > MOST_ITEMS ? [`    - and ${items.length - MOST_ITEMS} more`] : []),
    ...(others === 0 ? [] : [`    and ${others} similar ones`]),
  ];
}

/** The measured value, or why a rule passed without one. */
function foundBy({ measured, outcome, limit }: Finding): readonly string[] {
  if (measured !== null) return [`    found: ${measuredWords(measured)}`];
  if (outcome !== "passed") return [];
  if (limit.kind === "when") return ["    found: the condition is false, or nothing matches it"];
  return [`    found: ${"percent" in limit ? "nothing to compare" : "nothing that the rule applies to"}`];
}

const MOST_ITEMS = 10;

function describeFinding(finding: Finding): string {
  const { outcome, approved, waiver, mandatory, alreadyAbove } = finding;
  const covered = waiver !== null ? ", waived" : approved ? ", approved" : "";
  const bound = mandatory ? ", mandatory" : "";
  const above = alreadyAbove === true ? ", already exceeded before this change" : "";
  return `${outcome}${covered}${above}, ${EFFECTS[decideEffect(finding)]}${bound}`;
}

const EFFECTS = {
  pass: "lets it pass",
  warn: "warns",
  block: "blocks",
  undecided: "leaves it undecided",
} as const;

function allowedBy(limit: Limit): string {
  if (limit.kind === "when") return `unless ${limit.expression}`;
  if ("amount" in limit) return `${limit.kind} up to ${limit.amount.amount} ${limit.amount.currency}`;
  if (limit.kind === "unit-cost") return `${limit.kind} of ${limit.metric} up to ${limit.percent}%`;
  if ("percent" in limit) return `${limit.kind} up to ${limit.percent}%`;
  return `${limit.kind} up to ${limit.count}${limit.existing === "include" ? ", existing ones included" : ""}`;
}

function measuredWords(measured: MeasuredValue): string {
  switch (measured.kind) {
    case "money":
      return `${measured.amount} ${measured.currency} per month`;
    case "percent":
      return `${measured.percent}%`;
    case "increase_from_zero":
      return "an increase from zero";
    case "count":
      return String(measured.count);
    case "condition":
      return measured.count === null
        ? "the condition is true"
        : `the condition is true for ${measured.count}`;
  }
}
