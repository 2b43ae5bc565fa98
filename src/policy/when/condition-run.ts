import type { ASTNode } from "@marcbachmann/cel-js";
import { LRUCache } from "lru-cache";
import type { Fact } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import type { AttributesByRow } from "../../report/model/resource-attributes.ts";
import type { CostLimits, EvaluationContext } from "../model/context.ts";
import type { FactName } from "../model/policy.ts";
import { CostMeter } from "./cost-meter.ts";
import { AMOUNTS, COUNTS, TYPES } from "./environment.ts";
import { listChildren } from "./find-refusal.ts";
import { type ConditionValues, createValues } from "./values.ts";

/** The condition that stopped an earlier attempt: it and the following ones are skipped. */
export interface ConditionStop {
  /** Counted from 1 in evaluation order; 0: stopped outside of any condition, so all are skipped. */
  readonly position: number;
  readonly problem: string;
}

export interface ConditionRunOptions {
  readonly limits?: CostLimits;
  readonly stop?: ConditionStop | null;
  /** Skipped expressions, each with the reason. */
  readonly skipped?: ReadonlyMap<string, string>;
  /** Receives the position of the condition that is being evaluated, and 0 when none is. */
  readonly onPosition?: (position: number) => void;
}

/** The values that conditions read from a report in a context. */
interface ReadReport {
  readonly context: EvaluationContext;
  readonly values: ConditionValues;
}

/**
 * Evaluates the conditions of one policy on one report within their remaining budget, and skips some of them.
 */
export class ConditionRun {
  readonly meter: CostMeter;
  /** The expression at which the conditions stop; null: it was not reached. */
  stoppedAt: string | null = null;
  readonly #options: ConditionRunOptions;
  /** A few: the values of large reports take much memory. */
  readonly #read = new LRUCache<Report, ReadReport>({ max: 4 });
  #position = 0;

  constructor(options: ConditionRunOptions = {}) {
    this.#options = options;
    this.meter = new CostMeter(options.limits);
  }

  /** Evaluates one condition, unless it is skipped. */
  evaluate<T>(expression: string, work: (meter: CostMeter) => T): T | { readonly problem: string } {
    this.#position += 1;
    const problem = this.#problemOf(expression);
    if (problem !== null) return { problem };
    this.meter.startRule();
    this.#options.onPosition?.(this.#position);
    try {
      return work(this.meter);
    } finally {
      this.#options.onPosition?.(0);
    }
  }

  /** The values that conditions read from a report; cached, so that rules on the same report share them. */
  getValues(report: Report, context: EvaluationContext, attributes: Fact<AttributesByRow>): ConditionValues {
    const known = this.#read.get(report);
    if (known?.context === context) return known.values;
    this.meter.charge(ELEMENT_STEPS * (report.resources.length + report.rows.length + report.modules.length));
    const values = createValues(report, context, attributes);
    this.#read.set(report, { context, values });
    return values;
  }

  #problemOf(expression: string): string | null {
    const { stop = null, skipped: leftOut } = this.#options;
    if (stop === null || this.#position < stop.position) return leftOut?.get(expression) ?? null;
    if (this.#position === stop.position) this.stoppedAt = expression;
    return stop.position === 0 || this.#position === stop.position ? stop.problem : LEFT_OUT_REASON;
  }
}

/** Steps for each element that is prepared for conditions. */
const ELEMENT_STEPS = 10;

const LEFT_OUT_REASON =
  "it was not evaluated, because another condition of the policy took too long; see the finding that says so";

/** When an expression needs a fact. */
interface FactNeed {
  readonly fact: FactName;
  /** The expression names one of these variables, */
  readonly variables: readonly string[];
  /** and reads one of these members anywhere, or of this type where one is named; null: the members do not matter. */
  readonly members: readonly string[] | null;
}

export const NEEDS: readonly FactNeed[] = [
  { fact: "stages", variables: ["stages"], members: null },
  { fact: "cost", variables: ["cost", "costs"], members: null },
  { fact: "cost", variables: ["stages"], members: Object.keys(AMOUNTS) },
  { fact: "totals", variables: ["cost", "costs", "stages"], members: ["before", "after", "percent"] },
  { fact: "currency", variables: ["cost"], members: null },
  { fact: "modules", variables: ["modules"], members: null },
  { fact: "resources", variables: ["resources"], members: null },
  {
    fact: "rows",
    variables: ["resources"],
    members: ["action", "attributes_before", "attributes_after"],
  },
  { fact: "tags", variables: ["resources", "changes"], members: ["Resource.tags", "Row.tags"] },
  {
    fact: "attributes",
    variables: ["resources"],
    members: ["attributes_before", "attributes_after"],
  },
  { fact: "attributes", variables: ["changes"], members: ["Row.before", "Row.after"] },
  { fact: "counts", variables: ["changes", "stages"], members: Object.keys(COUNTS) },
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
  { fact: "anomaly_cost", variables: ["anomalies"], members: ["cost", "currency"] },
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
  if (node.op === "." || node.op === ".?") addMembers(node.args[0], [node.args[1]], used);
  if (node.op === "[]" || node.op === "[?]") addMembers(node.args[0], listIndexMembers(node.args[1]), used);
  for (const child of listChildren(node)) collectUsedNames(child, used);
}

/** Adds members that are read of a node, each alone and with its type: of a value that may be of any type, with every type. */
function addMembers(accessed: ASTNode, members: readonly string[], { members: used }: UsedNames): void {
  const { checkedType } = accessed as { readonly checkedType?: { readonly name?: unknown } }; // assigned by the checker
  const type = String(checkedType?.name);
  // The members of a unit cost have the names of cost members, but no fact depends on them alone.
  if (type === "UnitCost") return;
  const types = Object.hasOwn(TYPES, type) ? [type] : Object.keys(TYPES);
  for (const member of members) {
    used.add(member);
    for (const own of types) used.add(`${own}.${member}`);
  }
}

/** The members that an index expression may read: a computed name may be any member. */
const listIndexMembers = (index: ASTNode): readonly string[] =>
  index.op === "value" ? [String(index.args)] : ALL_MEMBERS;
