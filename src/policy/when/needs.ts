import type { ASTNode } from "@marcbachmann/cel-js";
import { FACT_NAMES, type FactName } from "./facts.ts";
import { childrenOf } from "./guard.ts";

const AMOUNTS = ["previous", "current", "change", "percent", "currency"];
const COUNTS = ["added", "changed", "deleted", "replaced", "imported", "removed", "unchanged", "drifted"];

/**
 * The facts that an expression rests on, seen from the variables that it names and the members that it reads anywhere:
 * rather one too many than one too few.
 */
export function needsOf(ast: ASTNode): readonly FactName[] {
  const used = { names: new Set<string>(), members: new Set<string>() };
  collect(ast, used);
  const reads = (members: readonly string[]) => members.some((member) => used.members.has(member));
  const needs: Readonly<Record<FactName, boolean>> = {
    cost: used.names.has("cost") || used.names.has("costs") || (used.names.has("stages") && reads(AMOUNTS)),
    modules: used.names.has("modules"),
    resources: used.names.has("resources"),
    counts: (used.names.has("changes") && reads(COUNTS)) || (used.names.has("stages") && reads(COUNTS)),
    rows: used.names.has("changes") && reads(["rows"]),
    unpriced: used.names.has("unpriced") || (used.names.has("stages") && reads(["unpriced"])),
    paths: used.names.has("pull") && reads(["paths"]),
    savings: used.names.has("savings"),
    anomalies: used.names.has("anomalies"),
    governance: used.names.has("governance"),
    unit_costs: used.names.has("unit_costs"),
  };
  return FACT_NAMES.filter((name) => needs[name]);
}

interface Used {
  readonly names: Set<string>;
  readonly members: Set<string>;
}

function collect(node: ASTNode, used: Used): void {
  if (node.op === "id") used.names.add(node.args);
  if (node.op === ".") used.members.add(node.args[1]);
  // A member may be read by a computed name as well: then any of them may be meant.
  if (node.op === "[]" && node.args[1].op !== "value")
    for (const name of [...AMOUNTS, ...COUNTS, "rows", "paths"]) used.members.add(name);
  if (node.op === "[]" && node.args[1].op === "value") used.members.add(String(node.args[1].args));
  for (const child of childrenOf(node)) collect(child, used);
}
