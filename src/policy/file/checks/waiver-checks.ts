import { suggestChoice } from "../../../kernel/suggest.ts";
import type { Limit } from "../../model/policy.ts";
import type { RuleSource } from "../rules/rule-source.ts";
import { WaiverEntry } from "../schema/rule-schema.ts";
import { readMember } from "../text/member.ts";
import { type FileProblem, formatPath } from "../text/text-position.ts";
import type { YamlTree } from "../text/yaml-tree.ts";
import type { OrganisationConstraints } from "./rule-checks.ts";
import { findWaiverScopeProblems } from "./scope-checks.ts";

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
