import type { Limit } from "../policy.ts";
import { memberOf } from "./member.ts";
import { type Flaw, pathText } from "./place.ts";
import type { Organisation } from "./rule-checks.ts";
import { WaiverEntry } from "./schema.ts";
import { suggest } from "./suggest.ts";
import type { WrittenRule } from "./written-rule.ts";
import type { YamlTree } from "./yaml-tree.ts";

interface Judged {
  readonly rules: readonly WrittenRule[];
  /** Null: the waivers are the organisation's own. */
  readonly organisation: Organisation | null;
}

/** What is wrong with waivers beyond their shape: the rule that they are for, and the amount that fits it. */
export function waiverFlaws(tree: YamlTree, { rules, organisation }: Judged): readonly Flaw[] {
  const waivers = memberOf(tree.value, "waivers");
  if (!Array.isArray(waivers)) return [];
  const kinds = new Map([
    ...(organisation?.rules ?? []),
    ...rules.flatMap(({ id, kind }) => (id === undefined || kind === undefined ? [] : [[id, kind] as const])),
  ]);
  return waivers.flatMap((waiver: unknown, index) => {
    const rule = WaiverEntry.shape.rule.safeParse(memberOf(waiver, "rule")).data;
    if (rule === undefined) return [];
    const found = problemOf(rule, waiver, { kinds, organisation });
    if (found === null) return [];
    const path = ["waivers", index, found.key];
    return [{ ...tree.placeOf(path), path: pathText(path), message: found.message }];
  });
}

interface Known {
  readonly kinds: ReadonlyMap<string, Limit["kind"]>;
  readonly organisation: Organisation | null;
}

interface Problem {
  readonly key: "rule" | "up_to";
  readonly message: string;
}

function problemOf(rule: string, waiver: unknown, { kinds, organisation }: Known): Problem | null {
  if (organisation?.mandatory.has(rule) === true)
    return {
      key: "rule",
      message: `found "${rule}", a mandatory rule of the organisation; only its file can except from it`,
    };
  const kind = kinds.get(rule);
  if (kind === undefined) {
    const meant = suggest(rule, [...kinds.keys()]);
    return {
      key: "rule",
      message: `found "${rule}", which is no rule${meant === null ? "" : ` (did you mean ${meant}?)`}`,
    };
  }
  const message = amountProblem(kind, WaiverEntry.shape.up_to.safeParse(memberOf(waiver, "up_to")).data);
  return message === null ? null : { key: "up_to", message };
}

function amountProblem(kind: Limit["kind"], upTo: WaiverEntry["up_to"]): string | null {
  const expected = expectedFor(kind);
  if (expected === "nothing")
    return upTo === undefined ? null : `is not for ${kind}, which measures nothing; remove it`;
  if (upTo === undefined)
    return expected === "a whole number" ? null : `is missing; ${kind} needs ${expected}`;
  const given =
    typeof upTo === "object" ? "an amount" : /^\d+$/.test(upTo) ? "a whole number" : "a percentage";
  const fits = given === expected || (expected === "a percentage" && given === "a whole number");
  return fits ? null : `found ${given}, expected ${expected}, as ${kind} has it`;
}

function expectedFor(kind: Limit["kind"]): "an amount" | "a percentage" | "a whole number" | "nothing" {
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
