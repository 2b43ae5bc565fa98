import type { ASTNode } from "@marcbachmann/cel-js";
import type { FactName } from "../model/fact-names.ts";
import { TYPES } from "./environment.ts";
import { listChildren } from "./find-refusal.ts";

/** When an expression needs a fact. */
export interface FactNeed {
  readonly fact: FactName;
  /** The expression names one of these variables, */
  readonly variables: readonly string[];
  /** and reads one of these members anywhere; null: the members do not matter. */
  readonly members: readonly string[] | null;
}

const AMOUNTS = ["before", "after", "change", "percent", "currency"];
const COUNTS = ["added", "changed", "deleted", "replaced", "imported", "removed", "unchanged", "drifted"];

export const NEEDS: readonly FactNeed[] = [
  { fact: "stages", variables: ["stages"], members: null },
  { fact: "cost", variables: ["cost", "costs"], members: null },
  { fact: "cost", variables: ["stages"], members: AMOUNTS },
  { fact: "totals", variables: ["cost", "costs", "stages"], members: ["before", "after", "percent"] },
  { fact: "currency", variables: ["cost"], members: null },
  { fact: "modules", variables: ["modules"], members: null },
  { fact: "resources", variables: ["resources"], members: null },
  { fact: "rows", variables: ["resources"], members: ["action"] },
  { fact: "counts", variables: ["changes", "stages"], members: COUNTS },
  { fact: "unchanged", variables: ["changes", "stages"], members: ["unchanged"] },
  { fact: "rows", variables: ["changes"], members: ["rows"] },
  { fact: "invocations", variables: ["invocations"], members: null },
  { fact: "unpriced", variables: ["unpriced"], members: null },
  { fact: "unpriced", variables: ["stages"], members: ["unpriced"] },
  { fact: "usage", variables: ["usage"], members: null },
  { fact: "usage", variables: ["stages"], members: ["usage"] },
  { fact: "usage_resources", variables: ["usage"], members: ["resources"] },
  { fact: "paths", variables: ["pull"], members: ["paths"] },
  { fact: "author", variables: ["pull"], members: ["author"] },
  { fact: "labels", variables: ["pull"], members: ["labels"] },
  { fact: "savings", variables: ["savings"], members: null },
  { fact: "anomalies", variables: ["anomalies"], members: null },
  { fact: "governance", variables: ["governance"], members: null },
  { fact: "unit_costs", variables: ["unit_costs"], members: null },
  { fact: "governance_prompts", variables: ["governance_prompts"], members: null },
  { fact: "cost", variables: ["drift", "lifetimes"], members: null },
  { fact: "drift", variables: ["drift"], members: null },
  { fact: "totals", variables: ["lifetimes"], members: null },
  { fact: "lifetimes", variables: ["lifetimes"], members: null },
];

/**
 * The facts that an expression needs, derived from the variables that it names and all members that it reads.
 * May include unneeded facts, but never omits a needed one.
 */
export function listNeededFacts(ast: ASTNode): readonly FactName[] {
  const used = { names: new Set<string>(), members: new Set<string>() };
  collectUsedNames(ast, used);
  const applies = ({ variables, members }: FactNeed): boolean =>
    variables.some((name) => used.names.has(name)) &&
    (members === null || members.some((member) => used.members.has(member)));
  return [...new Set(NEEDS.filter(applies).map(({ fact }) => fact))];
}

interface UsedNames {
  readonly names: Set<string>;
  readonly members: Set<string>;
}

const ALL_MEMBERS: readonly string[] = Object.values(TYPES).flatMap((type) => Object.keys(type));

function collectUsedNames(node: ASTNode, used: UsedNames): void {
  if (node.op === "id") used.names.add(node.args);
  if ((node.op === "." || node.op === ".?") && !isUnitCost(node.args[0])) used.members.add(node.args[1]);
  if (node.op === "[]" || node.op === "[?]")
    for (const name of listIndexMembers(node.args[1])) used.members.add(name);
  for (const child of listChildren(node)) collectUsedNames(child, used);
}

/**
 * Whether a node is a unit cost: its members have the names of cost members, but no fact depends on them
 * alone. False before the types are checked.
 */
const isUnitCost = (node: ASTNode): boolean => {
  const { checkedType } = node as { readonly checkedType?: { readonly name?: unknown } }; // assigned by the checker
  return checkedType?.name === "UnitCost";
};

/** The members that an index expression may read: a computed name may be any member. */
const listIndexMembers = (index: ASTNode): readonly string[] =>
  index.op === "value" ? [String(index.args)] : ALL_MEMBERS;
