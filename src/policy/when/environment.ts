import { RE2JS } from "@bufbuild/re2";
import { Environment } from "@marcbachmann/cel-js";
import { LRUCache } from "lru-cache";
import { type Decimal, ZERO } from "../../kernel/money.ts";
import {
  type AmountOperand,
  add,
  ConditionAmount,
  compareAmounts,
  multiply,
  negateAmount,
  subtract,
} from "./amount.ts";
import { UnknownValue } from "./unknown-values.ts";

/** Limits on the size of an expression; they bound the cost of parsing it. */
const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 50,
  maxListElements: 200,
  maxMapEntries: 50,
  maxCallArguments: 8,
};

export const AMOUNTS = {
  before: "amount",
  after: "amount",
  change: "amount",
  percent: "double",
  currency: "string",
} as const;
export const COUNTS = {
  added: "int",
  changed: "int",
  deleted: "int",
  replaced: "int",
  imported: "int",
  removed: "int",
  unchanged: "int",
  drifted: "int",
} as const;
/** Where a resource or an action is. */
const ADDRESS = {
  address: "string",
  type: "string",
  provider: "string",
  module: "string",
  workspace: "string",
  stage: "string",
} as const;

/** Every type with members, by its name in messages. */
export const TYPES = {
  Cost: AMOUNTS,
  Stage: {
    name: "string",
    workspace: "string",
    org: "string",
    project: "string",
    status: "string",
    ...AMOUNTS,
    ...COUNTS,
    unpriced: "int",
    usage: "int",
  },
  Module: { path: "string", ...AMOUNTS },
  Resource: {
    ...ADDRESS,
    action: "string",
    ...AMOUNTS,
    tags: "map<string, string>",
    attributes_before: "map<string, dyn>",
    attributes_after: "map<string, dyn>",
  },
  Row: {
    ...ADDRESS,
    action: "string",
    tags: "map<string, string>",
    before: "map<string, dyn>",
    after: "map<string, dyn>",
  },
  Changes: { ...COUNTS, rows: "list<Row>" },
  Invocation: { ...ADDRESS, resource: "string", event: "string" },
  Unpriced: { count: "int", types: "list<string>" },
  Usage: { count: "int", introduced: "int", deleted: "int", resources: "list<UsageResource>" },
  UsageResource: { ...ADDRESS, action: "string" },
  Saving: { address: "string", type: "string", workspace: "string", monthly: "amount", currency: "string" },
  Anomalies: { count: "int", cost: "amount", currency: "string" },
  Governance: { failed: "int", total: "int" },
  UnitCost: {
    metric: "string",
    name: "string",
    perspective: "string",
    before: "amount",
    after: "amount",
    percent: "double",
    currency: "string",
  },
  Drift: { stage: "string", workspace: "string", drift: "amount", own: "amount", currency: "string" },
  Lifetime: { stage: "string", workspace: "string", hours: "double", amount: "amount", currency: "string" },
  GovernancePrompt: { resource: "string", type: "string", description: "string" },
  Pull: {
    number: "int",
    author: "string",
    base: "string",
    draft: "bool",
    labels: "list<string>",
    paths: "list<string>",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type TypeName = keyof typeof TYPES;

/** What happens to a resource; a move alone changes none. */
export const ACTIONS = ["added", "changed", "deleted", "replaced", "imported", "removed", "drifted"] as const;
/** What happens to a usage-based resource. */
export const USAGE_ACTIONS = ["added", "changed", "deleted", "given", "unchanged", "unstated"] as const;

/** The members whose values are words, with every word: a comparison with another one would never hold. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  "Row.action": ACTIONS,
  "Resource.action": [...ACTIONS, "moved", ""],
  "UsageResource.action": USAGE_ACTIONS,
  "Stage.status": ["succeeded", "failed", "pending", "unknown"],
};

/** One class per type: the language distinguishes types by class. */
const CLASSES = Object.fromEntries(Object.keys(TYPES).map((name) => [name, class {}])) as {
  readonly [name in TypeName]: new () => object; // the same keys
};

/**
 * Creates a value of one of the types from its members, once, so that nothing is converted during evaluation. The amounts are in the
 * currency of `members`. An unknown member becomes empty or zero.
 */
export function createElement<Name extends TypeName>(
  name: Name,
  members: Readonly<Record<keyof (typeof TYPES)[Name], unknown>> & { readonly currency?: string | null },
): object {
  const source: Readonly<Record<string, unknown>> = members;
  const currency = members.currency ?? "";
  const element = new CLASSES[name]();
  for (const [member, type] of Object.entries(TYPES[name]))
    Reflect.set(element, member, convertMember(source[member], type, currency));
  return element;
}

function convertMember(value: unknown, type: string, currency: string): unknown {
  switch (type) {
    case "int":
      return BigInt((value as number | null | undefined) ?? 0); // as `TYPES` has it
    case "amount":
      return new ConditionAmount((value as Decimal | null) ?? ZERO, currency); // as `TYPES` has it
    case "string":
      return value ?? "";
    default:
      return value;
  }
}

/** Every variable of expressions, with its type. */
export const VARIABLES = {
  pull: "Pull",
  cost: "Cost",
  costs: "list<Cost>",
  stages: "list<Stage>",
  modules: "list<Module>",
  resources: "list<Resource>",
  changes: "Changes",
  invocations: "list<Invocation>",
  unpriced: "Unpriced",
  usage: "Usage",
  savings: "list<Saving>",
  anomalies: "Anomalies",
  governance: "Governance",
  unit_costs: "list<UnitCost>",
  governance_prompts: "list<GovernancePrompt>",
  drift: "list<Drift>",
  lifetimes: "list<Lifetime>",
} as const satisfies Readonly<Record<string, string>>;

/** The language derives "!=" from "==", which is symmetric. */
const COMPARISONS = {
  "<": (order: number) => order < 0,
  "<=": (order: number) => order <= 0,
  ">": (order: number) => order > 0,
  ">=": (order: number) => order >= 0,
  "==": (order: number) => order === 0,
} as const;

/** Registers comparisons and arithmetic of money with money and with number literals. */
function registerMoney(environment: Environment): void {
  for (const [sign, isMet] of Object.entries(COMPARISONS)) {
    const decide = (a: AmountOperand, b: AmountOperand) => isMet(compareAmounts(a, b));
    for (const pair of sign === "==" ? AMOUNT_FIRST : PAIRS)
      environment.registerOperator(`${pair.join(` ${sign} `)}: bool`, decide);
  }
  for (const [sign, work] of Object.entries({ "+": add, "-": subtract, "*": multiply }))
    for (const pair of PAIRS) environment.registerOperator(`${pair.join(` ${sign} `)}: amount`, work);
}

/** Creates the language of conditions: CEL with exact money and linear-time patterns. */
export function createEnvironment(): Environment {
  const environment = new Environment({ limits: LIMITS }).registerType("amount", {
    ctor: ConditionAmount,
    fields: {},
  });
  for (const [name, fields] of Object.entries(TYPES))
    environment.registerType(name, {
      ctor: CLASSES[name as TypeName], // its own keys
      fields,
    });
  for (const [name, type] of Object.entries(VARIABLES)) environment.registerVariable(name, type);
  environment.registerType("UnknownValue", UnknownValue);
  registerMoney(environment);
  return environment
    .registerOperator("-amount: amount", negateAmount)
    .registerOperator("double * int", (a: number, b: bigint) => a * Number(b))
    .registerFunction("string.like(string): bool", hasMatch)
    .registerFunction("sum(list<amount>): amount", (amounts: ConditionAmount[]) =>
      amounts.reduce((total, amount) => add(total, amount), new ConditionAmount(ZERO, null)),
    );
}

const AMOUNT_FIRST = [
  ["amount", "amount"],
  ["amount", "int"],
  ["amount", "double"],
] as const;
const PAIRS = [...AMOUNT_FIRST, ["int", "amount"], ["double", "amount"]] as const;

const MAX_PATTERN = 1_000;
/**
 * Largest size of a pattern, in instructions with expanded repetitions; it bounds the cost per character of a
 * text.
 */
const MAX_PATTERN_SIZE = 2_000;

/** Compiled patterns. The RE2 engine takes time linear in the text, for every pattern. */
const patterns = new LRUCache<string, RE2JS>({ max: 200, memoMethod: (pattern) => RE2JS.compile(pattern) });

/** Whether a part of the text matches the pattern. */
const hasMatch = (text: string, pattern: string): boolean => patterns.memo(pattern).test(text);

/** The size of a pattern in instructions. */
export const getPatternSize = (pattern: string): number => patterns.memo(pattern).re2().prog.numInst();

/** Describes the problem of a pattern as the end of a sentence ("the pattern …"); null: none. */
export function findPatternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  try {
    return getPatternSize(pattern) > MAX_PATTERN_SIZE
      ? "is too large when its repetitions {n,m} are written out; repeat less"
      : null;
  } catch (error) {
    return `is none: ${error instanceof Error ? error.message : "it cannot be read"}`;
  }
}
