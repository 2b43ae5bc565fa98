import { suggestChoice } from "../../kernel/suggest.ts";
import type { Limit, Policy } from "../model/policy.ts";
import { RULE_KINDS } from "../rules/table.ts";
import { compileCondition } from "../when/compile.ts";
import type { ScopeEntry } from "./schema.ts";
import { WaiverEntry } from "./schema.ts";
import { readMember } from "./schema-problems.ts";
import { type FileProblem, formatPath } from "./text-position.ts";
import type { RuleSource } from "./to-rule.ts";
import type { YamlTree } from "./yaml-tree.ts";

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

const KEY = "override";

/**
 * Finds problems of a repository's `override`. An override passes over every rule, so a repository that chose who may override could
 * loosen the organisation's mandatory rules.
 */
export function findOverrideFlaws(
  tree: YamlTree,
  { isOverrideMandatory, mandatory }: OrganisationConstraints,
): readonly FileProblem[] {
  const own = readMember(tree.value, KEY);
  if (own === undefined) return [];
  const flaws: FileProblem[] = [];
  if (isOverrideMandatory || mandatory.size > 0) {
    const why = isOverrideMandatory
      ? "the organisation's file decides who may override"
      : "the organisation's file has mandatory rules, so it decides who may override";
    flaws.push({ ...tree.findKeyPosition([], KEY), path: KEY, message: `${why}; remove it` });
  }
  if (readMember(own, "mandatory") !== undefined) {
    const path = formatPath([KEY, "mandatory"]);
    const message = "is for the organisation's file only; remove it";
    flaws.push({ ...tree.findKeyPosition([KEY], "mandatory"), path, message });
  }
  return flaws;
}

/** A problem with a member of a scope; null: with `per`. */
interface ScopeProblem {
  readonly key: string | null;
  readonly message: string;
}

const PARTS = { modules: "modules", resource_types: "types", providers: "types" } as const;

/** A part of a stage that a scope names or leaves out: `not.modules`. */
interface NamedPart {
  readonly key: string;
  readonly part: "modules" | "types";
}

const listNamedParts = (scope: ScopeEntry): readonly NamedPart[] =>
  listNamedKeys(scope, Object.keys(PARTS) as (keyof typeof PARTS)[]).map(({ key, name }) => ({
    key,
    part: PARTS[name],
  })); // its own keys

/** The members that a scope includes or excludes, with their places. */
const listNamedKeys = <Name extends keyof Omit<ScopeEntry, "not">>(
  scope: ScopeEntry,
  names: readonly Name[],
) => [
  ...names.filter((name) => scope[name] !== undefined).map((name) => ({ name, key: String(name) })),
  ...names
    .filter((name) => scope.not?.[name] !== undefined)
    .map((name) => ({ name, key: `not.${String(name)}` })),
];

/** Why a scope does not fit its rule: the limit is not measured per part, or has no lines of the requested kind. */
function findScopeProblems({ kind, per, scope, when }: RuleSource): readonly ScopeProblem[] {
  if (kind === undefined || scope === undefined) return [];
  return [
    ...findUnknownParts(kind, scope),
    ...findUncountedParts(when, scope),
    ...findCrossedParts(per, listNamedParts(scope)),
  ];
}

/** Why a scope does not fit a waiver of this rule. */
export function findWaiverScopeProblems(rule: RuleSource, scope: ScopeEntry): readonly ScopeProblem[] {
  const { kind, per, when } = rule;
  if (kind === undefined) return [];
  if (kind === "budget") return findBudgetParts(scope);
  const own = findCrossedParts(per, [...listNamedParts(rule.scope ?? {}), ...listNamedParts(scope)]).map(
    () => ({
      key: listNamedParts(scope)[0]?.key ?? null,
      message: `does not fit the rule, which looks at each ${per}; remove it`,
    }),
  );
  return [...findUnknownParts(kind, scope), ...findUncountedParts(when, scope), ...own];
}

const findUnknownParts = (
  kind: NonNullable<RuleSource["kind"]>,
  scope: ScopeEntry,
): readonly ScopeProblem[] =>
  listNamedParts(scope)
    .filter(({ part }) => !RULE_KINDS[kind].parts.includes(part))
    .map(({ key }) => ({
      key,
      message: `is not available for ${kind}, which is not known part by part; remove it`,
    }));

/** Resources that do not change are not listed. */
function findUncountedParts(when: string | undefined, scope: ScopeEntry): readonly ScopeProblem[] {
  const key = listNamedParts(scope)[0]?.key;
  const compiled = when === undefined ? null : compileCondition(when);
  if (key === undefined || compiled?.ok !== true || !compiled.condition.needs.includes("unchanged"))
    return [];
  return [
    { key, message: "is not available here: the condition reads unchanged, which is not known part by part" },
  ];
}

function findCrossedParts(per: RuleSource["per"], parts: readonly NamedPart[]): readonly ScopeProblem[] {
  const kinds = new Set(parts.map(({ part }) => part));
  const crosses =
    (per === "module" && kinds.has("types")) || (per === "resource-type" && kinds.has("modules"));
  const other = per === "module" ? "resource types" : "modules";
  return crosses ? [{ key: null, message: `found "${per}", but a scope by ${other} has no such lines` }] : [];
}

/** A budget is waived as a whole or not at all. */
const findBudgetParts = (scope: ScopeEntry): readonly ScopeProblem[] =>
  listNamedKeys(scope, ["stages", "workspaces", "modules", "resource_types", "providers"]).map(({ key }) => ({
    key,
    message: "is not available for a budget, which can be waived only as a whole; remove it",
  }));

interface WaiverCheckInput {
  readonly rules: readonly RuleSource[];
  /** Null: the waivers are the organisation's own. */
  readonly organisation: OrganisationConstraints | null;
}

/** Finds problems of waivers beyond their shape: their rule, and the scope and amount that fit it. */
export function findWaiverFlaws(tree: YamlTree, input: WaiverCheckInput): readonly FileProblem[] {
  const waivers = readMember(tree.value, "waivers");
  if (!Array.isArray(waivers)) return [];
  return waivers.flatMap((waiver: unknown, index) =>
    findWaiverProblems(waiver, input).map(({ key, message }): FileProblem => {
      const path = ["waivers", index, ...key.split(".")];
      return { ...tree.findPosition(path), path: formatPath(path), message };
    }),
  );
}

interface WaiverProblem {
  readonly key: string;
  readonly message: string;
}

function findWaiverProblems(
  waiver: unknown,
  { rules, organisation }: WaiverCheckInput,
): readonly WaiverProblem[] {
  const { rule: ruleId, scope: ofScope, up_to } = WaiverEntry.shape;
  const id = ruleId.safeParse(readMember(waiver, "rule")).data;
  if (id === undefined) return [];
  if (organisation?.mandatory.has(id) === true)
    return [
      {
        key: "rule",
        message: `found "${id}", a mandatory rule of the organisation; only its file can except from it`,
      },
    ];
  const known = [...rules, ...(organisation?.rules ?? [])];
  const rule = known.find((other) => other.id === id);
  if (rule === undefined) return [{ key: "rule", message: describeUnknownRule(id, known) }];
  const scope = ofScope.safeParse(readMember(waiver, "scope")).data;
  const upTo = up_to.safeParse(readMember(waiver, "up_to"));
  const message = upTo.success ? findAmountProblem(rule, upTo.data, readMember(waiver, "up_to")) : null;
  return [
    ...(scope === undefined ? [] : findWaiverScopeProblems(rule, scope)).map((complaint) => ({
      key: complaint.key === null ? "scope" : `scope.${complaint.key}`,
      message: complaint.message,
    })),
    ...(message === null ? [] : [{ key: "up_to", message }]),
  ];
}

function describeUnknownRule(id: string, known: readonly RuleSource[]): string {
  const meant = suggestChoice(
    id,
    known.flatMap((rule) => rule.id ?? []),
  );
  return `found "${id}", which is no rule${meant === null ? "" : ` (did you mean ${meant}?)`}`;
}

function findAmountProblem(
  { kind, currency }: RuleSource,
  upTo: WaiverEntry["up_to"],
  rawValue: unknown,
): string | null {
  if (kind === undefined) return null;
  const expected = getExpectedAmount(kind);
  if (expected === "nothing")
    return upTo === undefined ? null : `is not for ${kind}, which measures nothing; remove it`;
  if (upTo === undefined)
    return expected === "a whole number" ? null : `is missing; ${kind} needs ${expected}`;
  const meanings = listAmountMeanings(upTo, rawValue);
  if (!meanings.includes(expected)) return `found ${meanings[0]}, expected ${expected}, as ${kind} has it`;
  return typeof upTo === "object" && currency !== undefined && upTo.currency !== currency
    ? `found an amount in ${upTo.currency}, expected ${currency}, as the rule has it`
    : null;
}

/** The possible meanings of an amount, most likely first. */
function listAmountMeanings(upTo: NonNullable<WaiverEntry["up_to"]>, rawValue: unknown): readonly string[] {
  if (typeof upTo === "object") return ["an amount"];
  return typeof rawValue === "number" && /^\d+$/.test(upTo)
    ? ["a whole number", "a percentage"]
    : ["a percentage"];
}

function getExpectedAmount(kind: Limit["kind"]): "an amount" | "a percentage" | "a whole number" | "nothing" {
  switch (kind) {
    case "increase":
    case "decrease":
    case "total":
    case "missed-savings":
    case "budget":
      return "an amount";
    case "percent":
    case "unit-cost":
      return "a percentage";
    case "when":
      return "nothing";
    default:
      return "a whole number";
  }
}
