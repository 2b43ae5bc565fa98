import type { PastOutcomes, PolicyEdit } from "../../policy/model/evaluation.ts";
import { formatName } from "../escape.ts";
import type { Section, SectionSource } from "./section.ts";

const MAX_RULES = 8;
/** Largest number of named pull requests for each changed outcome. */
const MAX_PULLS = 5;

/**
 * The section about the pull request's own edit of the policy file. The edit is described, but not applied.
 */
export const buildPolicyEditSection = ({ evaluation: { policyEdit, pull } }: SectionSource): Section => ({
  template: "policy-edit",
  view: () => policyEdit && { base: formatName(pull.baseRef), ...buildEditView(policyEdit) },
});

const buildEditView = ({ outcome, past, ...edit }: PolicyEdit) => ({
  outcome: outcome.kind,
  verdict: outcome.kind === "evaluated" ? outcome.verdict : null,
  problems: outcome.kind === "invalid" ? outcome.problems : 0,
  rules: listNames({ added: edit.addedRules, changed: edit.changedRules, removed: edit.removedRules }),
  waivers: listNames({ added: edit.addedWaivers, removed: edit.removedWaivers }),
  others: edit.otherParts.map((part) => ({ part })),
  past: past === null || past.compared === 0 ? null : buildPastView(past),
});

const buildPastView = ({ compared, changed }: PastOutcomes) => ({
  compared,
  changed: changed.map(({ from, to, pulls }) => ({
    ...{ from, to, count: pulls.length },
    pulls: pulls.slice(0, MAX_PULLS).map((pull) => ({ pull: String(pull) })),
    more: Math.max(0, pulls.length - MAX_PULLS),
  })),
});

/** Lists the names by what happens to them. */
const listNames = (names: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(names)
    .filter(([, rules]) => rules.length > 0)
    .map(([kind, rules]) => ({
      kind,
      names: rules.slice(0, MAX_RULES).map((rule) => ({ name: formatName(rule) })),
      more: Math.max(0, rules.length - MAX_RULES),
    }));
