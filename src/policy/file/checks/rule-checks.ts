import type { Policy } from "../../model/policy.ts";
import { RULE_KINDS } from "../../rules/table.ts";
import { compileCondition } from "../../when/compile.ts";
import type { RuleSource } from "../rules/rule-source.ts";
import { type FileProblem, formatPath } from "../text/text-position.ts";
import type { YamlTree } from "../text/yaml-tree.ts";
import { findScopeProblems } from "./scope-checks.ts";

/** The parts of the organisation's file that a repository's file cannot contradict. */
export interface OrganisationConstraints {
  /** Ids of rules that no repository can redefine or waive. */
  readonly mandatory: ReadonlySet<string>;
  /** Ids of rules that may warn on unknown facts although they block. */
  readonly warnableRules: ReadonlySet<string>;
  readonly platform: Policy["platform"];
  /** Its rules, with their valid members. */
  readonly rules: readonly RuleSource[];
  /** Whether its `override` is mandatory. */
  readonly isOverrideMandatory: boolean;
}

interface RuleCheckInput {
  readonly rules: readonly RuleSource[];
  readonly warnableRules: ReadonlySet<string>;
  /** Null: the rules are the organisation's own. */
  readonly organisation: OrganisationConstraints | null;
}

/** Finds problems of rules and budgets beyond their shape. */
export function findRuleFlaws(
  tree: YamlTree,
  { rules, warnableRules: mayWarn, organisation }: RuleCheckInput,
): readonly FileProblem[] {
  const first = new Map<string, RuleSource>();
  return rules.flatMap((rule) => {
    const twin = rule.id === undefined ? undefined : first.get(rule.id);
    if (rule.id !== undefined && twin === undefined) first.set(rule.id, rule);
    const complaints = [
      ...(twin === undefined
        ? []
        : [createRuleProblem("id", `${twin.list}[${twin.index}] has this id already; choose another`)]),
      ...findChoiceProblems(rule),
      ...findConditionProblems(rule, tree),
      ...findPerProblems(rule),
      ...findScopeProblems(rule).map(({ key, message }) =>
        createRuleProblem(key === null ? "per" : `scope.${key}`, message),
      ),
      ...findUnknownProblems(rule, mayWarn),
      ...findExistingProblems(rule),
      ...(organisation === null ? [] : findRepositoryProblems(rule, organisation)),
    ];
    return complaints.map(({ key, message, character }): FileProblem => {
      const path = [rule.list, rule.index, ...(key === null ? [] : key.split("."))];
      const place = character === null ? tree.findPosition(path) : tree.findTextPosition(path, character);
      return { ...place, path: formatPath(path), message };
    });
  });
}

interface RuleProblem {
  /** Member of the rule; null: the rule itself. */
  readonly key: string | null;
  readonly message: string;
  /** Place in the member's text; null: where it starts. */
  readonly character: number | null;
}

const createRuleProblem = (key: string | null, message: string): RuleProblem => ({
  key,
  message,
  character: null,
});

function findChoiceProblems({ has }: RuleSource): readonly RuleProblem[] {
  if (has.limit !== has.when) return [];
  return has.limit
    ? [createRuleProblem("when", "stands beside a limit; a rule has one of them, write two rules")]
    : [createRuleProblem(null, "has neither limit nor when; expected one of them")];
}

function findConditionProblems({ when, list, index }: RuleSource, tree: YamlTree): readonly RuleProblem[] {
  if (when === undefined) return [];
  const compiled = compileCondition(when);
  if (compiled.ok) return [];
  if (tree.endsAtComma([list, index, "when"]))
    return [
      createRuleProblem(
        "when",
        "ends at a comma, as a text within { } does; put the whole condition in quotes",
      ),
    ];
  return [{ key: "when", message: compiled.message, character: compiled.offset }];
}

function findPerProblems({ kind, per }: RuleSource): readonly RuleProblem[] {
  if (kind === undefined || per === undefined || RULE_KINDS[kind].granularities.includes(per)) return [];
  const pers = RULE_KINDS[kind].granularities.join(" or ");
  return [createRuleProblem("per", `found "${per}", expected ${pers}: that is what ${kind} can look at`)];
}

function findUnknownProblems(rule: RuleSource, mayWarn: ReadonlySet<string>): readonly RuleProblem[] {
  const { id, enforce, on_unknown } = rule;
  if (enforce === "warn" && on_unknown === "block") {
    return [
      createRuleProblem(
        "on_unknown",
        'found "block", but a rule that enforces warn warns in any case; remove it',
      ),
    ];
  }
  if (typeof enforce === "object" && on_unknown === "block") {
    const message =
      'found "block", but where a rule warns, what is not known warns as well; remove it: where it blocks, what is not known blocks already';
    return [createRuleProblem("on_unknown", message)];
  }
  if (enforce === "warn" || on_unknown !== "warn" || mayWarn.has(id ?? "")) return [];
  const way = "enforce warn, or let allow_warn_on_unknown in the organisation's file name the rule";
  return [
    createRuleProblem(
      "on_unknown",
      `found "warn", but a rule that blocks must not let unknown facts through; ${way}`,
    ),
  ];
}

/** Kinds of limits that distinguish new resources from existing ones. */
const NEW_AWARE_KINDS: readonly RuleSource["kind"][] = ["unpriced", "usage", "drift"];

function findExistingProblems({ kind, existing }: RuleSource): readonly RuleProblem[] {
  if (existing === undefined || kind === undefined || NEW_AWARE_KINDS.includes(kind)) return [];
  return [createRuleProblem("existing", `is not for ${kind}, but for unpriced, usage and drift; remove it`)];
}

function findRepositoryProblems(
  { id, mandatory }: RuleSource,
  organisation: OrganisationConstraints,
): readonly RuleProblem[] {
  const forOrganisation = "is for the organisation's file only; remove it";
  const redefined = `found "${id}", a mandatory rule of the organisation that cannot be redefined; choose another id`;
  return [
    ...(mandatory === undefined ? [] : [createRuleProblem("mandatory", forOrganisation)]),
    ...(organisation.mandatory.has(id ?? "") ? [createRuleProblem("id", redefined)] : []),
  ];
}
