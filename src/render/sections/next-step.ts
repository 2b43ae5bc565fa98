import { decideEffect } from "../../policy/evaluate-policy.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Finding } from "../../policy/model/finding.ts";
import type { FailureCause, PolicyUnreadableReason, Situation } from "../../policy/model/situation.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import { formatLink, formatName, formatSentence, type Inline } from "../escape.ts";
import { formatUtcTime } from "../format.ts";
import { listFindings } from "./findings.ts";
import {
  countRules,
  countRulesByOutcome,
  formatSituationName,
  isCovered,
  isTurnNeeded,
  type RuleCounts,
} from "./headline.ts";
import { buildOfferView, type OfferView } from "./offer.ts";
import { findPolicyFileAddress } from "./resources.ts";
import type { Section, Subject } from "./section.ts";

/** The person or event that can make an unknown value known. `later`: it may become known without action. */
type Remedy = "author" | "comparison" | "plan" | "wholePlan" | "split" | "operator" | "later" | "pull";

const REMEDY: Record<UnknownReason, Remedy> = {
  not_estimated: "author",
  partly_estimated: "author",
  execution_failed: "author",
  not_stated: "author",
  not_compared: "comparison",
  no_plan: "plan",
  incomplete_plan: "wholePlan",
  too_large: "author",
  files_unlisted: "split",
  not_granted: "operator",
  unproven: "operator",
  push_disabled: "operator",
  past_retention: "operator",
  unauthorised: "operator",
  forbidden: "operator",
  malformed: "operator",
  contradictory: "author",
  not_indexed: "later",
  not_read: "later",
  not_listed: "later",
  execution_pending: "later",
  rate_limited: "later",
  unavailable: "later",
  timed_out: "later",
  local_preview: "pull",
  no_history: "operator",
};

/** The override that lets the check pass. */
interface OverrideView {
  /** `@login` of its person; null: nobody overrode the check. */
  readonly login: Inline | null;
  readonly overriddenOn: Inline | null;
  readonly overrideReason: Inline | null;
}

interface NextStepView extends RuleCounts, OfferView, OverrideView {
  readonly base: Inline;
  /**
   * The repository's policy file in force, linked where it has an address; null when only the organisation's
   * is in force.
   */
  readonly policyFile: Inline | null;
  readonly organisationFile: Inline | null;
  /** Number of evaluated rules: all but the not applicable ones. */
  readonly rules: number;
  readonly notApplicable: number;
  /**
   * Whether some or all of the blocking rules are the organisation's, so that the repository cannot loosen
   * them.
   */
  readonly mandatory: "none" | "some" | "all";
  /** Number of violated rules that are waived or approved. */
  readonly covered: number;
  readonly remedies: { readonly [kind in Remedy | "figures" | "currency" | "usage"]: boolean };
  readonly level: "repository" | "organisation" | null;
  /** Why a policy file cannot be read, or why the evaluation failed. */
  readonly cause: string | null;
  readonly deadline: Inline | null;
  /** Number of executions that a draft lacks. */
  readonly missing: number;
  /** True: the rules were evaluated. */
  readonly evaluated: boolean;
  /** True: nothing is missing; costs and changes are being read. */
  readonly reading: boolean;
  /** True: GitHub does not list all changed files, so executions are awaited that none of them may need. */
  readonly filesUnlisted: boolean;
  /** True: our own limit of calls to the platform is reached. */
  readonly needsTurn: boolean;
  readonly recheck: boolean;
  /** True: these are local files, so there is no push and no check. */
  readonly local: boolean;
  /** True: a CI job evaluated its own executions, and none follow. */
  readonly oneJob: boolean;
}

/** The section about the reader's next step: shown in every situation, and never omitted. */
export function buildNextStepSection(subject: Subject): Section {
  const template = `next-step/${formatSituationName(subject.evaluation)}`;
  return { template, rows: 0, isRequired: true, view: () => buildNextStepView(subject) };
}

function buildNextStepView(subject: Subject): NextStepView {
  const { evaluation, links } = subject;
  const { situation, pull } = evaluation;
  const findings = listFindings(situation);
  const blocking = findings.filter((finding) => decideEffect(finding) === "block");
  return {
    base: formatName(pull.baseRef),
    ...buildPolicyFileLinks(subject),
    rules: countRules(findings, ({ outcome }) => outcome !== "not_applicable"),
    notApplicable: countRules(findings, ({ outcome }) => outcome === "not_applicable"),
    ...countRulesByOutcome(situation),
    ...buildOfferView(evaluation),
    ...buildOverrideView(evaluation),
    mandatory: findMandatoryRules(blocking),
    covered: countRules(findings, isCovered),
    remedies: listRemedies(findings),
    level: "which" in situation ? situation.which : null,
    cause: findCause(situation),
    missing: "missing" in situation ? situation.missing.length : 0,
    evaluated: "verdict" in situation && situation.verdict !== null,
    reading: situation.kind === "waiting" && situation.missing.length === 0,
    filesUnlisted: !evaluation.context.pathsComplete && pull.local !== true,
    needsTurn: isTurnNeeded(situation),
    deadline: situation.kind === "waiting" ? formatUtcTime(situation.deadlineMs) : null,
    recheck: links.recheck,
    local: pull.local === true,
    oneJob: evaluation.context.oneShot === true,
  };
}

/** The view of an override, with escaped names. */
export const buildOverrideView = ({ override }: Pick<Evaluation, "override">): OverrideView =>
  override === undefined
    ? { login: null, overriddenOn: null, overrideReason: null }
    : {
        login: formatName(`@${override.person.login}`),
        overriddenOn: formatUtcTime(override.givenMs),
        overrideReason: formatSentence(override.reason),
      };

function buildPolicyFileLinks(subject: Subject): Pick<NextStepView, "policyFile" | "organisationFile"> {
  const { pull, policySources } = subject.evaluation;
  const own = policySources.find(({ repository }) => repository === pull.repository);
  const other = policySources.find(({ repository }) => repository !== pull.repository);
  return {
    policyFile:
      own === undefined ? null : formatLink(formatName(own.path), findPolicyFileAddress(subject, own)),
    organisationFile:
      other === undefined
        ? null
        : formatLink(formatName(`${other.repository}/${other.path}`), findPolicyFileAddress(subject, other)),
  };
}

function findMandatoryRules(blocking: readonly Finding[]): NextStepView["mandatory"] {
  const bound = blocking.filter(({ mandatory }) => mandatory).length;
  if (bound === 0) return "none";
  return bound === blocking.length ? "all" : "some";
}

function listRemedies(findings: readonly Finding[]): NextStepView["remedies"] {
  const because = findings
    .filter((finding) => decideEffect(finding) === "undecided")
    .flatMap((finding) => finding.because);
  const remedies = because.flatMap((one) => (one.kind === "unknown" ? [REMEDY[one.reason]] : []));
  return {
    author: remedies.includes("author") || because.some(({ kind }) => kind === "partial"),
    comparison: remedies.includes("comparison"),
    plan: remedies.includes("plan"),
    wholePlan: remedies.includes("wholePlan"),
    split: remedies.includes("split"),
    operator: remedies.includes("operator"),
    later: remedies.includes("later"),
    pull: remedies.includes("pull"),
    usage: because.some(({ kind }) => kind === "usage"),
    figures: because.some(({ kind }) => kind === "inconsistent"),
    currency: because.some(({ kind }) => kind === "other_currency"),
  };
}

function findCause(situation: Situation): PolicyUnreadableReason | FailureCause | null {
  if (situation.kind === "policy_unreadable") return situation.reason;
  return situation.kind === "failed" ? situation.cause : null;
}
