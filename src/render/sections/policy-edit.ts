import type { PastOutcomes } from "../../policy/model/evaluation.ts";
import { formatName } from "../escape.ts";
import type { Section, Subject } from "./section.ts";

const MAX_RULES = 8;

/**
 * The section about the pull request's own edit of the policy file. The edit is described, but not applied.
 */
export function buildPolicyEditSection({ evaluation: { policyEdit, pull } }: Subject): Section {
  return {
    template: "policy-edit",
    rows: 0,
    isRequired: false,
    view: () => {
      if (policyEdit === null) return null;
      const { outcome, addedRules, changedRules, removedRules } = policyEdit;
      return {
        base: formatName(pull.baseRef),
        outcome: outcome.kind,
        verdict: outcome.kind === "evaluated" ? outcome.verdict : null,
        problems: outcome.kind === "invalid" ? outcome.problems : 0,
        rules: [
          { kind: "added", ...buildRuleList(addedRules) },
          { kind: "changed", ...buildRuleList(changedRules) },
          { kind: "removed", ...buildRuleList(removedRules) },
        ].filter(({ names }) => names.length > 0),
        waivers: [
          { kind: "added", ...buildRuleList(policyEdit.addedWaivers) },
          { kind: "removed", ...buildRuleList(policyEdit.removedWaivers) },
        ].filter(({ names }) => names.length > 0),
        others: policyEdit.otherParts.map((part) => ({ part })),
        past:
          policyEdit.past === null || policyEdit.past.compared === 0 ? null : buildPastView(policyEdit.past),
      };
    },
  };
}

/** Largest number of named pull requests for each changed outcome. */
const MAX_PULLS = 5;

const buildPastView = ({ compared, changed }: PastOutcomes) => ({
  compared,
  changed: changed.map(({ from, to, pulls }) => ({
    from,
    to,
    count: pulls.length,
    pulls: pulls.slice(0, MAX_PULLS).map((pull) => ({ pull: String(pull) })),
    more: Math.max(0, pulls.length - MAX_PULLS),
  })),
});

const buildRuleList = (rules: readonly string[]) => ({
  names: rules.slice(0, MAX_RULES).map((rule) => ({ name: formatName(rule) })),
  more: Math.max(0, rules.length - MAX_RULES),
});
