import { isGlobMatch } from "../../kernel/glob.ts";
import type { Rule, Scope, ScopeNames } from "../../policy/model/policy.ts";
import { isPartialScope, narrowToScope } from "../../policy/scope/scope.ts";
import type { Report } from "../../report/model/report.ts";

/**
 * Lines about each rule with a scope or with severities by stage: the scope, the stages inside it, and the stages of each severity.
 */
export const scopeLines = (rules: readonly Rule[], report: Report): ReadonlyMap<string, readonly string[]> =>
  new Map(rules.map((rule) => [rule.id, [...scopeLine(rule, report), ...enforceLine(rule, report)]]));

function scopeLine({ scope }: Rule, report: Report): readonly string[] {
  if (scope === null) return [];
  const stages = narrowToScope(report, scope).stages.map(({ name }) => name);
  const evaluated = isPartialScope(scope)
    ? `; evaluated: ${stages.join(", ")} of ${pluralize(report.stages.length)}`
    : "";
  return [`scope: ${formatMembers(scope)}${evaluated}`];
}

/** The first pattern that matches a stage counts, so a later one is for the stages that are left. */
function enforceLine({ enforceIn }: Rule, { stages }: Report): readonly string[] {
  if (enforceIn.length === 0) return [];
  const names = [...new Set(stages.map(({ name }) => name))];
  const first = (name: string) => enforceIn.find(({ stage }) => isGlobMatch(stage, name));
  const parts = enforceIn.map((own) => {
    const here = names.filter((name) => first(name) === own);
    return `${own.stage}: ${own.enforce} (${here.length === 0 ? "no stage here" : here.join(", ")})`;
  });
  return [`enforce: ${parts.join("; ")}`];
}

const pluralize = (stages: number): string => `${stages} ${stages === 1 ? "stage" : "stages"}`;

const formatMembers = ({ not, ...named }: Scope): string =>
  [...formatNames(named), ...(not === undefined ? [] : formatNames(not).map((names) => `not ${names}`))].join(
    "; ",
  );

const formatNames = ({ resourceTypes, ...names }: ScopeNames): readonly string[] =>
  Object.entries({ ...names, resource_types: resourceTypes })
    .filter(([, patterns]) => patterns.length > 0)
    .map(([member, patterns]) => `${member} ${patterns.join(", ")}`);
