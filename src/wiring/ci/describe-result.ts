import { listOpenFindings } from "../../policy/decide/situation.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { formatProblem } from "../../policy/model/policy.ts";
import type { Situation } from "../../policy/model/situation.ts";
import type { GroupVerdict } from "../../render/render-group.ts";
import { formatDecision } from "../../store/evaluations.ts";
import { toPreviewJson } from "../preview/json.ts";
import type { CiResult, PermissionProblem } from "./run-ci.ts";

/** A result for the job's log, its exit code, and for programs. */
export interface DescribedResult {
  /** One line: the check and how it ended. */
  readonly line: string;
  readonly messages: readonly string[];
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly json: object;
}

/** Describes what a CI job found out. */
export function describeCiResult(found: CiResult): DescribedResult {
  const { result, refused } = found;
  if (result.state === "group") return describeGroup(found, result);
  const { repositoryId, number, headSha } = result.pull;
  const about = { repository_id: repositoryId, pull_request: number, head_sha: headSha, state: result.state };
  if (result.state === "evaluated") return describeEvaluation(found, result.stored.evaluation, about);
  const isClosed = result.state === "closed";
  return {
    line: `not evaluated: pull request ${number} ${isClosed ? "is closed" : `has another head, ${headSha}`}`,
    messages: refused.map(formatRefusal),
    exitCode: isClosed ? 0 : 3,
    json: { ...about, conclusion: null, check: null, verdict: null, report: null },
  };
}

function describeGroup(
  { refused, unread, title }: CiResult,
  { repositoryId, headSha, baseRef, evaluation }: Extract<CiResult["result"], { state: "group" }>,
): DescribedResult {
  const { kind } = evaluation.verdict;
  const outcome = GROUP_OUTCOMES[kind];
  const conclusion = outcome === "pass" ? "success" : "failure";
  const check = kind === "no_policy" ? null : evaluation.checkName;
  const isIncomplete = unread.length > 0 || refused.some(({ isFatal }) => isFatal);
  return {
    line: check === null ? "no check without a policy" : `${check}: ${conclusion}`,
    messages: [...(outcome === "pass" || title === null ? [] : [title]), ...refused.map(formatRefusal)],
    exitCode: isIncomplete ? 2 : EXIT_CODES[outcome],
    json: {
      repository_id: repositoryId,
      head_sha: headSha,
      base: baseRef,
      state: "group",
      group: kind,
      check,
      conclusion,
    },
  };
}

const formatRefusal = ({ message, hint }: PermissionProblem): string => `${message}. ${hint}`;

function describeEvaluation(
  { refused, unread, title }: CiResult,
  evaluation: Evaluation,
  about: object,
): DescribedResult {
  const { check, checkName } = evaluation;
  const conclusion = formatDecision(check);
  const outcome = toOutcome(evaluation);
  const isIncomplete = unread.length > 0 || refused.some(({ isFatal }) => isFatal);
  return {
    line: check.status === "none" ? "no check without a policy" : `${checkName}: ${conclusion}`,
    messages: [
      ...(outcome === "pass" ? [] : [title ?? conclusion, ...listReasons(evaluation)]),
      ...(isOrganisationHidden(evaluation) ? [ORGANISATION_HINT] : []),
      ...refused.map(formatRefusal),
    ],
    exitCode: isIncomplete ? 2 : EXIT_CODES[outcome],
    json: {
      ...about,
      check: check.status === "none" ? null : checkName,
      missing_permissions: refused.map(({ permission }) => permission),
      ...(evaluation.pull.figures ? toPreviewJson(evaluation) : describeWithoutFigures(evaluation)),
      conclusion: check.status === "completed" ? conclusion : null,
    },
  };
}

/** The mistakes of the policy, or the rules that hold the check back; everybody may read them. */
const listReasons = ({ situation }: Evaluation): readonly string[] =>
  "problems" in situation
    ? situation.problems.map(formatProblem)
    : listOpenFindings(situation, false).map(
        ({ rule, outcome, subject }) => `${rule}${subject === null ? "" : ` (${subject})`}: ${outcome}`,
      );

/** What everybody may read who sees the log, the outputs and the artifacts of a public repository's job. */
function describeWithoutFigures({ situation }: Evaluation): object {
  if (situation.kind !== "evaluated") return { report: null, verdict: null };
  const { kind, findings } = situation.verdict;
  const named = findings.map(({ rule, outcome, enforce, approved, objections }) => ({
    rule,
    outcome,
    enforce,
    approved,
    ...(objections && { objections }),
  }));
  return { report: null, verdict: { kind, findings: named } };
}

/** Whether the organisation's policy may exist where the token sees nothing. */
const isOrganisationHidden = ({ situation }: Evaluation): boolean =>
  situation.kind === "policy_unreadable" &&
  situation.which === "organisation" &&
  situation.reason === "not_covered";

const ORGANISATION_HINT =
  "The token does not see the organisation's repository .github. If that has no policy, say so: `organisation-policy: none` for the Action, " +
  "--organisation-policy none for the command. Otherwise use a token that may read it.";

type Outcome = "pass" | "block" | "unusable" | "undecided";
const EXIT_CODES = { pass: 0, block: 1, unusable: 2, undecided: 3 } as const;

const GROUP_OUTCOMES: { readonly [K in GroupVerdict["kind"]]: Outcome } = {
  passed: "pass",
  no_policy: "pass",
  exceeded: "block",
  not_passed: "block",
  overridden: "block",
  plan_failed: "undecided",
  not_planned: "undecided",
  overlap: "undecided",
  planning: "undecided",
  behind: "undecided",
  unreadable: "unusable",
  policy_unusable: "unusable",
};

const OUTCOMES: { readonly [K in Exclude<Situation["kind"], "evaluated">]: Outcome } = {
  draft: "undecided",
  waiting: "undecided",
  deadline_passed: "undecided",
  policy_invalid: "unusable",
  policy_unreadable: "unusable",
  cost_unreadable: "undecided",
  execution_unreadable: "undecided",
  stack_held: "undecided",
  failed: "undecided",
  nothing_expected: "pass",
  no_policy: "pass",
};

function toOutcome({ situation }: Evaluation): Outcome {
  if (situation.kind !== "evaluated") return OUTCOMES[situation.kind];
  const { kind } = situation.verdict;
  return kind === "warn" ? "pass" : kind;
}
