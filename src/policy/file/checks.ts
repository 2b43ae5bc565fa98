import type { z } from "zod";
import { readMember } from "../../kernel/schema-problems.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import {
  createFlaw,
  createKeyFlaw,
  type FileProblem,
  type ValuePath,
  type YamlTree,
} from "../../kernel/yaml-tree.ts";
import { PartMember } from "../model/finding.ts";
import type { Limit, Scope, Waiver } from "../model/policy.ts";
import type { RuleKind } from "../rules/measurement.ts";
import { RULE_KINDS } from "../rules/rule-kinds.ts";
import { BudgetEntry, PolicyFile, RuleEntry, readGranularity, WaiverEntry } from "./schema.ts";

/** What a file says of other files, as far as it is valid. */
export interface PolicyConstraints {
  /** Its rules and budgets. No repository can redefine or waive the organisation's mandatory ones. */
  readonly rules: readonly WrittenRule[];
  /** Ids of rules that may warn on unknown facts although they block. */
  readonly warnableRules: readonly string[];
  readonly platform: NonNullable<PolicyFile["platform"]>;
  /** Keys of the tags that it requires; null: one without a key. */
  readonly requiredTags: readonly (string | null)[];
  /** Whether its `override` is mandatory. */
  readonly isOverrideMandatory: boolean;
}

/** A rule or budget of a document that may have problems: a member that is absent here is missing or invalid there. */
export interface WrittenRule extends Partial<Omit<RuleEntry, "limit" | "when">> {
  readonly path: ValuePath;
  readonly kind?: Limit["kind"];
  readonly limit?: Limit;
  /** Whether it has a limit and a condition at all, valid or not. */
  readonly has: { readonly limit: boolean; readonly when: boolean };
  /** The key of the tag by which it divides approvers; undefined: it does not. */
  readonly approversBy: unknown;
}

/** Finds the problems of a policy file beyond its shape. `organisation`: null for the organisation's own file. */
export const findPolicyFlaws = (
  tree: YamlTree,
  own: PolicyConstraints,
  organisation: PolicyConstraints | null,
): readonly FileProblem[] => [
  ...findRuleFlaws(tree, own, organisation),
  ...listEntries(tree.value, "waivers").flatMap((waiver, index) =>
    locate(tree, ["waivers", index], findWaiverProblems(waiver, own.rules, organisation)),
  ),
  ...findTagFlaws(tree, own, organisation),
  ...(organisation === null ? [] : findRepositoryFlaws(tree, organisation)),
];

export function readConstraints({ value }: YamlTree): PolicyConstraints {
  const { allow_warn_on_unknown: warnableRules = [], platform = {} } = readMembers(PolicyFile, value);
  return {
    rules: listWrittenRules(value),
    warnableRules,
    platform,
    requiredTags: listEntries(readMember(value, "tags"), "required").map((tag) => {
      const key = readMember(tag, "key");
      return typeof key === "string" ? key : null;
    }),
    isOverrideMandatory: readMember(readMember(value, "override"), "mandatory") === true,
  };
}

const isMandatory = (organisation: PolicyConstraints | null, id: string | undefined): boolean =>
  organisation?.rules.some((rule) => rule.id === id && rule.mandatory === true) === true;

/** Lists the rules and budgets of a document that may have problems elsewhere. */
const listWrittenRules = (value: unknown): readonly WrittenRule[] => [
  ...listEntries(value, "rules").map((entry, index): WrittenRule => {
    const { when, ...rule } = readMembers(RuleEntry, entry);
    const limit = rule.limit ?? when;
    const isCondition = typeof readMember(entry, "when") === "string";
    const kind = limit?.kind ?? (isCondition ? "when" : undefined);
    return {
      ...rule,
      path: ["rules", index],
      has: hasKeys(entry),
      approversBy: readApproverKey(entry),
      ...(limit && { limit }),
      ...(kind && { kind }),
    };
  }),
  ...listEntries(value, "budgets").map((entry, index): WrittenRule => {
    const { amount, ...budget } = readMembers(BudgetEntry, entry);
    const limit = amount && { limit: { kind: "budget", amount } as const };
    return {
      ...budget,
      ...limit,
      path: ["budgets", index],
      kind: "budget",
      has: { limit: true, when: false },
      approversBy: readApproverKey(entry),
    };
  }),
];

const readApproverKey = (entry: unknown): unknown =>
  readMember(readMember(readMember(entry, "approve"), "by_tag"), "key");

function listEntries(value: unknown, list: string): readonly unknown[] {
  const entries = readMember(value, list);
  return Array.isArray(entries) ? entries : [];
}

/** The valid members of a written value. */
function readMembers<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  value: unknown,
): Partial<z.output<z.ZodObject<Shape>>> {
  const members = Object.entries(shape).flatMap(([key, schema]) => {
    const read = (schema as z.ZodType).safeParse(readMember(value, key)); // the shapes here have no others
    return read.success ? [[key, read.data]] : [];
  });
  return Object.fromEntries(members) as Partial<z.output<z.ZodObject<Shape>>>; // each by its own schema
}

/** A misspelled key counts as present: it has a problem of its own, as has a rule that is no mapping. */
function hasKeys(rule: unknown): WrittenRule["has"] {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) return { limit: true, when: false };
  const known = Object.keys(RuleEntry.shape);
  const meant = Object.keys(rule).map((key) => (known.includes(key) ? key : suggestChoice(key, known)));
  return { limit: meant.includes("limit"), when: meant.includes("when") };
}

/** A problem of a member, such as `scope.modules`; empty: of the rule or waiver itself. */
type Complaint = readonly [member: string, message: string];

const locate = (tree: YamlTree, path: ValuePath, complaints: readonly Complaint[]): readonly FileProblem[] =>
  complaints.map(([member, message]) =>
    createFlaw(tree, [...path, ...(member === "" ? [] : member.split("."))], message),
  );

const FOR_ORGANISATION = "is for the organisation's file only; remove it";

function findRuleFlaws(
  tree: YamlTree,
  { rules, warnableRules, requiredTags }: PolicyConstraints,
  organisation: PolicyConstraints | null,
): readonly FileProblem[] {
  const hasTags = requiredTags.length + (organisation?.requiredTags.length ?? 0) > 0;
  return rules.flatMap((rule) =>
    locate(tree, rule.path, [
      ...findTwins(rule, rules),
      ...findChoiceProblems(rule),
      ...findGranularityProblems(rule),
      ...findApproverProblems(rule),
      ...findScopeProblems(rule).map(
        ([key, message]): Complaint => [key === "" ? "per" : `scope.${key}`, message],
      ),
      ...findUnknownProblems(rule, (organisation ?? { warnableRules }).warnableRules),
      ...findWarningProblems(rule),
      ...findExistingProblems(rule),
      ...(hasTags ? [] : findTagLimitProblems(rule)),
      ...(organisation === null ? [] : findRepositoryProblems(rule, organisation)),
    ]),
  );
}

function findTwins(rule: WrittenRule, rules: readonly WrittenRule[]): readonly Complaint[] {
  const first = rules.find(({ id }) => id === rule.id);
  if (rule.id === undefined || first === undefined || first === rule) return [];
  const [list, index] = first.path.map(String);
  return [["id", `${list}[${index}] has this id already; choose another`]];
}

function findChoiceProblems({ has }: WrittenRule): readonly Complaint[] {
  if (has.limit !== has.when) return [];
  return has.limit
    ? [["when", "stands beside a limit; a rule has one of them, write two rules"]]
    : [["", "has neither limit nor when; expected one of them"]];
}

function findGranularityProblems({ kind, per }: WrittenRule): readonly Complaint[] {
  const own = readGranularity(per);
  if (kind === undefined || per === undefined || RULE_KINDS[kind].granularities.includes(own)) return [];
  const allowed = RULE_KINDS[kind].granularities.join(" or ");
  return [["per", `found "${own}", expected ${allowed}: that is what ${kind} can look at`]];
}

function findApproverProblems({ per, approversBy: key }: WrittenRule): readonly Complaint[] {
  if (typeof key !== "string" || (typeof per === "object" && per.tag === key)) return [];
  const way = `write per: { tag: ${JSON.stringify(key)} }, or name the approvers without by_tag`;
  return [
    ["approve.by_tag", `is for rules that look at each value of the tag ${JSON.stringify(key)}; ${way}`],
  ];
}

function findUnknownProblems(
  { id, enforce, on_unknown }: WrittenRule,
  warnableRules: readonly string[],
): readonly Complaint[] {
  if (enforce === "warn" && on_unknown === "block")
    return [["on_unknown", 'found "block", but a rule that enforces warn warns in any case; remove it']];
  if (typeof enforce === "object" && on_unknown === "block") {
    const message =
      'found "block", but where a rule warns, what is not known warns as well; remove it: where it blocks, what is not known blocks already';
    return [["on_unknown", message]];
  }
  if (enforce === "warn" || on_unknown !== "warn" || (id !== undefined && warnableRules.includes(id)))
    return [];
  const way = "enforce warn, or let allow_warn_on_unknown in the organisation's file name the rule";
  return [["on_unknown", `found "warn", but a rule that blocks must not let unknown facts through; ${way}`]];
}

/** Members that say when and by whom a check is held, on a rule that never holds one. */
const findWarningProblems = ({ enforce, enforce_from, approve }: WrittenRule): readonly Complaint[] => {
  if (enforce !== "warn") return [];
  const never = "but a rule that enforces warn never blocks; remove one of them";
  return [
    ...(enforce_from === undefined ? [] : [["enforce_from", `states a day, ${never}`] as const]),
    ...(approve?.objections ? [["approve.objections", `found "block", ${never}`] as const] : []),
  ];
};

function findExistingProblems({ kind, existing }: WrittenRule): readonly Complaint[] {
  if (existing === undefined || kind === undefined || RULE_KINDS[kind].takesExisting) return [];
  return [["existing", `is not for ${kind}, but for unpriced, usage and drift; remove it`]];
}

/** The problem of a limit about required tags where no file requires any. */
const findTagLimitProblems = ({ kind }: WrittenRule): readonly Complaint[] =>
  kind === "untagged" || kind === "untagged-cost"
    ? [[`limit.${kind}`, "counts resources without required tags; add tags.required, which names them"]]
    : [];

function findRepositoryProblems(
  { id, mandatory }: WrittenRule,
  organisation: PolicyConstraints,
): readonly Complaint[] {
  const redefined = `found "${id}", a mandatory rule of the organisation that cannot be redefined; choose another id`;
  return [
    ...(mandatory === undefined ? [] : ([["mandatory", FOR_ORGANISATION]] as const)),
    ...(isMandatory(organisation, id) ? ([["id", redefined]] as const) : []),
  ];
}

/** Why a scope does not fit its rule: the limit is not measured per part, or has no lines of the requested kind. */
function findScopeProblems({ kind, per, scope, limit }: WrittenRule): readonly Complaint[] {
  if (kind === undefined || scope === undefined) return [];
  return [...findUnmeasuredParts(kind, limit, scope), ...findCrossedParts(per, listNamedParts(scope))];
}

/** Why a scope does not fit a waiver of this rule. */
function findWaiverScopeProblems(rule: WrittenRule, scope: Scope): readonly Complaint[] {
  const { kind, per, limit } = rule;
  if (kind === undefined) return [];
  if (kind === "budget")
    return listNamedKeys(scope, PartMember.options).map(({ key }) => [
      key,
      "is not available for a budget, which can be waived only as a whole; remove it",
    ]);
  const own = listNamedParts(scope);
  const crossed = findCrossedParts(per, [...(rule.scope ? listNamedParts(rule.scope) : []), ...own]);
  return [
    ...findUnmeasuredParts(kind, limit, scope),
    ...crossed.map(
      (): Complaint => [
        own[0]?.key ?? "",
        `does not fit the rule, which looks at each ${readGranularity(per)}; remove it`,
      ],
    ),
  ];
}

function findUnmeasuredParts(
  kind: Limit["kind"],
  limit: Limit | undefined,
  scope: Scope,
): readonly Complaint[] {
  const parts = listNamedParts(scope);
  // Resources that do not change are not listed.
  const readsUnchanged = limit?.kind === "when" && limit.needs.includes("unchanged");
  return [
    ...parts
      .filter(({ part }) => !RULE_KINDS[kind].parts.includes(part))
      .map(
        ({ key }): Complaint => [
          key,
          `is not available for ${kind}, which is not known part by part; remove it`,
        ],
      ),
    ...(readsUnchanged ? parts.slice(0, 1) : []).map(
      ({ key }): Complaint => [
        key,
        "is not available here: the condition reads unchanged, which is not known part by part",
      ],
    ),
  ];
}

function findCrossedParts(per: RuleEntry["per"], parts: readonly NamedPart[]): readonly Complaint[] {
  if (per !== "module" && per !== "resource-type") return [];
  const crossing = ["tags", per === "module" ? "types" : "modules"];
  const other = parts.find(({ part }) => crossing.includes(part));
  return other === undefined
    ? []
    : [["", `found "${per}", but a scope by ${PART_WORDS[other.part]} has no such lines`]];
}

const PARTS = { modules: "modules", resource_types: "types", providers: "types", tags: "tags" } as const;
const PART_WORDS = { modules: "modules", types: "resource types", tags: "tags" } as const;

/** A part of a stage that a scope includes or excludes: `not.modules`. */
interface NamedPart {
  readonly key: string;
  readonly part: (typeof PARTS)[keyof typeof PARTS];
}

const listNamedParts = (scope: Scope): readonly NamedPart[] =>
  listNamedKeys(scope, ["modules", "resource_types", "providers", "tags"]).map(({ name, key }) => ({
    key,
    part: PARTS[name],
  }));

/** The members that a scope includes or excludes, with their places. */
const listNamedKeys = <Name extends keyof Omit<Scope, "not">>(scope: Scope, names: readonly Name[]) => [
  ...names.filter((name) => scope[name].length > 0).map((name) => ({ name, key: String(name) })),
  ...names
    .filter((name) => (scope.not?.[name].length ?? 0) > 0)
    .map((name) => ({ name, key: `not.${String(name)}` })),
];

/** Finds problems of a waiver: its rule, and the scope and amount that fit it. */
function findWaiverProblems(
  waiver: unknown,
  rules: readonly WrittenRule[],
  organisation: PolicyConstraints | null,
): readonly Complaint[] {
  const { rule: id, scope, up_to: upTo } = readMembers(WaiverEntry, waiver);
  if (id === undefined) return [];
  if (isMandatory(organisation, id))
    return [
      ["rule", `found "${id}", a mandatory rule of the organisation; only its file can except from it`],
    ];
  const known = [...rules, ...(organisation?.rules ?? [])];
  const rule = known.find((other) => other.id === id);
  if (rule === undefined) {
    const meant = suggestChoice(
      id,
      known.flatMap((other) => other.id ?? []),
    );
    return [["rule", `found "${id}", which is no rule${meant === null ? "" : ` (did you mean ${meant}?)`}`]];
  }
  const written = readMember(waiver, "up_to");
  const isInvalid = written !== undefined && upTo === undefined;
  const message = isInvalid ? null : findAmountProblem(rule, upTo, written);
  return [
    ...(scope === undefined ? [] : findWaiverScopeProblems(rule, scope)).map(
      ([key, complaint]): Complaint => [key === "" ? "scope" : `scope.${key}`, complaint],
    ),
    ...(message === null ? [] : ([["up_to", message]] as const)),
  ];
}

function findAmountProblem(
  { kind, limit }: WrittenRule,
  upTo: Exclude<Waiver["upTo"], null> | undefined,
  written: unknown,
): string | null {
  if (kind === undefined) return null;
  const expected = AMOUNT_WORDS[RULE_KINDS[kind].unit];
  if (expected === null)
    return upTo === undefined ? null : `is not for ${kind}, which measures nothing; remove it`;
  if (upTo === undefined)
    return expected === "a whole number" ? null : `is missing; ${kind} needs ${expected}`;
  const [likely, ...others] = listAmountMeanings(upTo, written);
  if (![likely, ...others].includes(expected))
    return `found ${likely}, expected ${expected}, as ${kind} has it`;
  const currency = limit !== undefined && "amount" in limit ? limit.amount.currency : undefined;
  return typeof upTo === "object" && currency !== undefined && upTo.currency !== currency
    ? `found an amount in ${upTo.currency}, expected ${currency}, as the rule has it`
    : null;
}

const AMOUNT_WORDS: { readonly [unit in RuleKind["unit"]]: string | null } = {
  money: "an amount",
  percent: "a percentage",
  "unit-cost": "a percentage",
  count: "a whole number",
  condition: null,
};

/** The possible meanings of an amount, most likely first. */
function listAmountMeanings(upTo: Exclude<Waiver["upTo"], null>, written: unknown): readonly string[] {
  if (typeof upTo === "object") return ["an amount"];
  return typeof written === "number" && /^\d+$/.test(upTo)
    ? ["a whole number", "a percentage"]
    : ["a percentage"];
}

/** Finds tags that are required twice. Keys that differ only in case are one: Azure compares them without case. */
function findTagFlaws(
  tree: YamlTree,
  { requiredTags: own }: PolicyConstraints,
  organisation: PolicyConstraints | null,
): readonly FileProblem[] {
  return own.flatMap((key, index) => {
    if (key === null) return [];
    const isSame = (other: string | null) => other?.toLowerCase() === key.toLowerCase();
    const first = own.findIndex(isSame);
    const isAbove = organisation?.requiredTags.some(isSame) === true;
    if (first === index && !isAbove) return [];
    const why = isAbove
      ? "the organisation's file requires this tag already; remove it"
      : `required[${first}] requires this tag already; remove one of them`;
    return [createFlaw(tree, ["tags", "required", index, "key"], `found ${JSON.stringify(key)}, but ${why}`)];
  });
}

function findRepositoryFlaws(tree: YamlTree, organisation: PolicyConstraints): readonly FileProblem[] {
  const has = (key: string) => readMember(tree.value, key) !== undefined;
  return [
    ...["allow_warn_on_unknown", "notify"]
      .filter(has)
      .map((key) => createKeyFlaw(tree, [key], FOR_ORGANISATION)),
    ...findOverrideFlaws(tree, organisation),
    ...(["org", "project"] as const).flatMap((key) => findWidenedPlatform(tree, organisation, key)),
  ];
}

/**
 * Finds problems of a repository's `override`. An override passes over every rule, so a repository that chose who may override could
 * loosen the organisation's mandatory rules.
 */
function findOverrideFlaws(
  tree: YamlTree,
  { isOverrideMandatory, rules }: PolicyConstraints,
): readonly FileProblem[] {
  const own = readMember(tree.value, "override");
  if (own === undefined) return [];
  const why = isOverrideMandatory
    ? "the organisation's file decides who may override"
    : "the organisation's file has mandatory rules, so it decides who may override";
  return [
    ...(isOverrideMandatory || rules.some(({ mandatory }) => mandatory === true)
      ? [createKeyFlaw(tree, ["override"], `${why}; remove it`)]
      : []),
    ...(readMember(own, "mandatory") === undefined
      ? []
      : [createKeyFlaw(tree, ["override", "mandatory"], FOR_ORGANISATION)]),
  ];
}

function findWidenedPlatform(
  tree: YamlTree,
  { platform }: PolicyConstraints,
  key: "org" | "project",
): readonly FileProblem[] {
  const own = readMember(readMember(tree.value, "platform"), key);
  const above = platform[key];
  if (typeof own !== "string" || above === undefined || own === above) return [];
  const message = `found ${JSON.stringify(own)}, but the organisation's file narrows it to ${JSON.stringify(above)}`;
  return [createFlaw(tree, ["platform", key], message)];
}
