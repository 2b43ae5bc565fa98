import type { Evaluation } from "../../policy/model/evaluation.ts";
import { decideEffect, type Finding, type UndecidedReason } from "../../policy/model/finding.ts";
import type { Situation } from "../../policy/model/situation.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import { findPolicyFileAddress } from "../addresses.ts";
import { formatLink, formatName, formatSentence } from "../escape.ts";
import { formatUtcTime } from "../format.ts";
import { buildOfferView } from "./approvals.ts";
import { listFindings } from "./findings.ts";
import { countRules, countRulesByOutcome, formatSituationName, isCovered, isTurnNeeded } from "./headline.ts";
import type { Section, SectionSource } from "./section.ts";

/** The section about the reader's next step: shown in every situation, and never omitted. */
export const buildNextStepSection = (source: SectionSource): Section => ({
  template: `next-step/${formatSituationName(source.evaluation)}`,
  isRequired: true,
  view: () => buildNextStepView(source),
});

function buildNextStepView(source: SectionSource) {
  const { evaluation, links } = source;
  const { situation, pull } = evaluation;
  const findings = listFindings(situation);
  return {
    base: formatName(pull.baseRef),
    ...buildPolicyFileLinks(source),
    /** Number of evaluated rules: all but the not applicable ones. */
    rules: countRules(findings, ({ outcome }) => outcome !== "not_applicable"),
    notApplicable: countRules(findings, ({ outcome }) => outcome === "not_applicable"),
    ...countRulesByOutcome(situation),
    ...buildOfferView(evaluation),
    ...buildOverrideView(evaluation),
    mandatory: describeMandatory(findings.filter((finding) => decideEffect(finding) === "block")),
    covered: countRules(findings, isCovered),
    remedies: listRemedies(findings),
    level: "which" in situation ? situation.which : null,
    cause: findCause(situation),
    missing: "missing" in situation ? situation.missing.length : 0,
    evaluated: "verdict" in situation && situation.verdict !== null,
    /** Nothing is missing; costs and changes are being read. */
    reading: situation.kind === "waiting" && situation.missing.length === 0,
    /** GitHub does not list all changed files, so executions are awaited that none of them may need. */
    filesUnlisted: !evaluation.context.pathsComplete && pull.local !== true,
    needsTurn: isTurnNeeded(situation),
    deadline: situation.kind === "waiting" ? formatUtcTime(situation.deadlineMs) : null,
    recheck: links.recheckHint,
    local: pull.local === true,
    /** A CI job evaluated its own executions, and none follow. */
    oneJob: evaluation.context.oneShot === true,
  };
}

/** The override that lets the check pass. */
export const buildOverrideView = ({ override }: Pick<Evaluation, "override">) =>
  override === undefined
    ? { login: null, overriddenOn: null, overrideReason: null }
    : {
        login: formatName(`@${override.person.login}`),
        overriddenOn: formatUtcTime(override.givenMs),
        overrideReason: formatSentence(override.reason),
      };

/** The policy files in force; `policyFile` null: only the organisation's is. */
function buildPolicyFileLinks({ evaluation: { pull, policySources }, links }: SectionSource) {
  const own = policySources.find(({ repository }) => repository === pull.repository);
  const other = policySources.find(({ repository }) => repository !== pull.repository);
  return {
    policyFile:
      own === undefined ? null : formatLink(formatName(own.path), findPolicyFileAddress(links, own)),
    organisationFile:
      other === undefined
        ? null
        : formatLink(formatName(`${other.repository}/${other.path}`), findPolicyFileAddress(links, other)),
  };
}

/** Whether some or all of the blocking rules are the organisation's, so that the repository cannot loosen them. */
function describeMandatory(blocking: readonly Finding[]): "none" | "some" | "all" {
  const bound = blocking.filter(({ mandatory }) => mandatory).length;
  if (bound === 0) return "none";
  return bound === blocking.length ? "all" : "some";
}

/** The person or event that can make an unknown value known. `later`: it may become known without action. */
const REMEDIES = {
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
  tags_unknown: "tags",
} as const satisfies Record<UnknownReason, string>;

/** What can be done about the other reasons; null: nothing. */
const OTHER_REMEDIES = {
  partial: "author",
  workspace_tags: "workspaceTags",
  inconsistent: "figures",
  usage: "usage",
  other_currency: "currency",
  scope_unknown: null,
  condition_failed: null,
} as const satisfies Record<Exclude<UndecidedReason["kind"], "unknown" | "resources">, string | null>;

/** What can be done about what is unknown of single resources. */
const RESOURCE_REMEDIES = {
  tags_later: "tags",
  tags_sensitive: "tags",
  tags_not_read: "unreadTags",
  cost: "unpricedUntagged",
} as const satisfies Record<Extract<UndecidedReason, { kind: "resources" }>["unknown"], string>;

function findRemedy(because: UndecidedReason): string | null {
  if (because.kind === "unknown") return REMEDIES[because.reason];
  return because.kind === "resources" ? RESOURCE_REMEDIES[because.unknown] : OTHER_REMEDIES[because.kind];
}

function listRemedies(findings: readonly Finding[]) {
  const because = findings
    .filter((finding) => decideEffect(finding) === "undecided")
    .flatMap((finding) => finding.because);
  const remedies = new Set(because.map(findRemedy));
  const all = [REMEDIES, OTHER_REMEDIES, RESOURCE_REMEDIES].flatMap((own) => Object.values(own));
  return Object.fromEntries(all.map((remedy) => [remedy, remedies.has(remedy)]));
}

/** Why a policy file cannot be read, or why the evaluation failed. */
function findCause(situation: Situation): string | null {
  if (situation.kind === "policy_unreadable") return situation.reason;
  return situation.kind === "failed" ? situation.cause : null;
}
