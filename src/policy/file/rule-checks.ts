import { TollgateError } from "../../kernel/errors.ts";
import type { CountLimit, Limit, Policy, Rule } from "../policy.ts";
import { RULE_KINDS } from "../rules/table.ts";
import { memberOf } from "./member.ts";
import { type Flaw, pathText } from "./place.ts";
import { RuleEntry } from "./schema.ts";
import type { YamlTree } from "./yaml-tree.ts";

/** A rule as far as it is right: what is missing here is missing or wrong there. */
export interface WrittenRule {
  readonly index: number;
  readonly id: string | undefined;
  readonly kind: Limit["kind"] | undefined;
  readonly per: RuleEntry["per"];
  readonly enforce: RuleEntry["enforce"];
  readonly on_unknown: RuleEntry["on_unknown"];
  readonly mandatory: RuleEntry["mandatory"];
}

/** What the organisation's file says that a repository's file cannot contradict. */
export interface Organisation {
  /** Ids of rules that no repository can redefine. */
  readonly mandatory: ReadonlySet<string>;
  /** Ids of rules that may warn on unknown facts although they block. */
  readonly mayWarn: ReadonlySet<string>;
  readonly platform: Policy["platform"];
}

/** The rules of a document in which other things may be wrong. */
export function rulesOf({ value }: YamlTree): readonly WrittenRule[] {
  const rules = memberOf(value, "rules");
  return Array.isArray(rules) ? rules.map(writtenRule) : [];
}

function writtenRule(rule: unknown, index: number): WrittenRule {
  const { id, limit, per, enforce, on_unknown, mandatory } = RuleEntry.shape;
  const written = limit.safeParse(memberOf(rule, "limit")).data;
  return {
    index,
    id: id.safeParse(memberOf(rule, "id")).data,
    kind: written === undefined ? undefined : limitOf(written).kind,
    per: per.safeParse(memberOf(rule, "per")).data,
    enforce: enforce.safeParse(memberOf(rule, "enforce")).data,
    on_unknown: on_unknown.safeParse(memberOf(rule, "on_unknown")).data,
    mandatory: mandatory.safeParse(memberOf(rule, "mandatory")).data,
  };
}

interface Judged {
  readonly rules: readonly WrittenRule[];
  readonly mayWarn: ReadonlySet<string>;
  /** Null: the rules are the organisation's own. */
  readonly organisation: Organisation | null;
}

/** What is wrong with rules beyond their shape. */
export function ruleFlaws(tree: YamlTree, { rules, mayWarn, organisation }: Judged): readonly Flaw[] {
  const first = new Map<string, number>();
  return rules.flatMap((rule) => {
    const twin = rule.id === undefined ? undefined : first.get(rule.id);
    if (rule.id !== undefined && twin === undefined) first.set(rule.id, rule.index);
    const complaints = [
      ...(twin === undefined ? [] : [complaint("id", `rules[${twin}] has this id already; choose another`)]),
      ...perComplaints(rule),
      ...unknownComplaints(rule, mayWarn),
      ...(organisation === null ? [] : repositoryComplaints(rule, organisation)),
    ];
    return complaints.map(({ key, message }): Flaw => {
      const path = ["rules", rule.index, key];
      return { ...tree.placeOf(path), path: pathText(path), message };
    });
  });
}

interface Complaint {
  readonly key: keyof RuleEntry;
  readonly message: string;
}

const complaint = (key: keyof RuleEntry, message: string): Complaint => ({ key, message });

function perComplaints({ kind, per }: WrittenRule): readonly Complaint[] {
  if (kind === undefined || per === undefined || RULE_KINDS[kind].pers.includes(per)) return [];
  const pers = RULE_KINDS[kind].pers.join(" or ");
  return [complaint("per", `found "${per}", expected ${pers}: that is what ${kind} can look at`)];
}

function unknownComplaints(rule: WrittenRule, mayWarn: ReadonlySet<string>): readonly Complaint[] {
  const { id, enforce, on_unknown } = rule;
  if (enforce === "warn" && on_unknown === "block") {
    return [
      complaint("on_unknown", 'found "block", but a rule that enforces warn warns in any case; remove it'),
    ];
  }
  if (enforce === "warn" || on_unknown !== "warn" || mayWarn.has(id ?? "")) return [];
  const way = "enforce warn, or let allow_warn_on_unknown in the organisation's file name the rule";
  return [
    complaint(
      "on_unknown",
      `found "warn", but a rule that blocks must not let unknown facts through; ${way}`,
    ),
  ];
}

function repositoryComplaints(
  { id, mandatory }: WrittenRule,
  organisation: Organisation,
): readonly Complaint[] {
  const forOrganisation = "is for the organisation's file only; remove it";
  const redefined = `found "${id}", a mandatory rule of the organisation that cannot be redefined; choose another id`;
  return [
    ...(mandatory === undefined ? [] : [complaint("mandatory", forOrganisation)]),
    ...(organisation.mandatory.has(id ?? "") ? [complaint("id", redefined)] : []),
  ];
}

/** The rule in the words of the policy. */
export function toRule({ id, limit, per, enforce = "block", on_unknown, mandatory }: RuleEntry): Rule {
  return {
    id,
    limit: limitOf(limit),
    per: per ?? "pull-request",
    enforce,
    onUnknown: on_unknown ?? enforce,
    mandatory: mandatory ?? false,
  };
}

/** The one limit of a mapping that was checked to hold one. */
function limitOf({ increase, decrease, total, percent, ...counts }: RuleEntry["limit"]): Limit {
  if (increase !== undefined) return { kind: "increase", amount: increase };
  if (decrease !== undefined) return { kind: "decrease", amount: decrease };
  if (total !== undefined) return { kind: "total", amount: total };
  if (percent !== undefined) return { kind: "percent", percent };
  for (const kind of COUNTS) {
    const count = counts[kind];
    if (count !== undefined) return { kind, count };
  }
  throw new TollgateError("internal", "a rule without a limit passed the schema");
}

const COUNTS = [
  "deletions",
  "replacements",
  "changes",
  "drift",
  "unpriced",
] as const satisfies readonly CountLimit[];
