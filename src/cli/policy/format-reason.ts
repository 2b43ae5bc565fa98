import type { PullMember, UndecidedReason } from "../../policy/model/finding.ts";
import type { UnknownReason } from "../../report/model/facts.ts";

const REASONS: { readonly [reason in UnknownReason]: string } = {
  not_estimated: "no estimate was made",
  partly_estimated: "the estimate is incomplete",
  not_indexed: "the platform has not indexed the execution",
  not_read: "it has not been read",
  not_listed: "the platform does not list this execution",
  not_granted: "this repository may not see it",
  not_stated: "its source leaves it open",
  not_compared: "the estimate is compared with nothing",
  no_plan: "no plan was given",
  execution_failed: "the execution failed",
  execution_pending: "the execution has not ended yet",
  unproven: "nothing proves that the execution belongs to this commit",
  push_disabled: "the platform is configured not to collect it",
  past_retention: "the platform no longer stores it",
  unauthorised: "the platform does not accept Tollgate's token",
  forbidden: "the platform does not let Tollgate see it",
  rate_limited: "the platform limits the rate of requests",
  unavailable: "the platform could not be reached",
  malformed: "the platform's answer was malformed",
  contradictory: "the platform's totals contradict each other: a part of the upload may be missing",
  too_large: "there is too much of it",
  timed_out: "the platform did not answer in time",
  local_preview: "its facts exist only for a pull request",
  no_history: "a CI job knows no other pull request",
};

/** What the options of a preview do not say of its pull request. */
const UNSAID: { readonly [member in PullMember]: string } = {
  branches: "the base branch is not available in a local preview (give --base)",
  authors: "the author is not available in a local preview (give --author)",
  labels: "the labels are not available in a local preview (give --label)",
  paths: "the changed paths are not available in a local preview (give --path)",
};

function usageWords({ count, names }: Extract<UndecidedReason, { kind: "usage" }>): string {
  const what =
    count === 1 ? "1 new or changed resource is paid" : `${count} new or changed resources are paid`;
  const more = count - names.length;
  const named = [...names, ...(more > 0 && names.length > 0 ? [`${more} more`] : [])];
  return named.length === 0 ? what : what.replace(/ (is|are) paid$/, ` (${named.join(", ")}) $1 paid`);
}

/** Why a fact is unknown, in words. */
export const reasonWords = (reason: UnknownReason): string => REASONS[reason];

/** Why a rule is undecided, in words. */
export function becauseWords(because: UndecidedReason): string {
  switch (because.kind) {
    case "unknown":
      return REASONS[because.reason];
    case "partial":
      return "a part of it is not known";
    case "inconsistent":
      return "its figures contradict each other";
    case "usage":
      return `${usageWords(because)} by usage that is not stated`;
    case "condition_failed":
      return `the condition could not be evaluated: ${because.problem}`;
    case "scope_unknown":
      return `whether the rule applies to this pull request: ${because.members.map((member) => UNSAID[member]).join(", ")}`;
    case "other_currency":
      return `it is in ${because.found}, the rule in ${because.expected}`;
  }
}
