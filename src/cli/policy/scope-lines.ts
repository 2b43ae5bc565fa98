import type { Rule, Scope, ScopeNames } from "../../policy/policy.ts";
import { isPartial, within } from "../../policy/scope/scope.ts";
import type { Report } from "../../report/report.ts";

/** Of each rule with a scope: what its scope says, and which stages it leaves the rule to judge. */
export const scopeLines = (rules: readonly Rule[], report: Report): readonly (readonly [string, string])[] =>
  rules.flatMap(({ id, scope }) => {
    if (scope === null) return [];
    const stages = within(report, scope).stages.map(({ name }) => name);
    const judged = isPartial(scope)
      ? `; judged: ${stages.join(", ")} of ${counted(report.stages.length)}`
      : "";
    return [[id, `${membersOf(scope)}${judged}`] as const];
  });

const counted = (stages: number): string => `${stages} ${stages === 1 ? "stage" : "stages"}`;

const membersOf = ({ not, ...named }: Scope): string =>
  [...namesOf(named), ...(not === undefined ? [] : namesOf(not).map((names) => `not ${names}`))].join("; ");

const namesOf = ({ resourceTypes, ...names }: ScopeNames): readonly string[] =>
  Object.entries({ ...names, resource_types: resourceTypes })
    .filter(([, patterns]) => patterns.length > 0)
    .map(([member, patterns]) => `${member} ${patterns.join(", ")}`);
