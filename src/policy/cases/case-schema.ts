import { z } from "zod";
import { type Decimal, decimal, type Money } from "../../kernel/money.ts";
import { createMapping, readFile } from "../../kernel/schema-problems.ts";
import { byPlace, type FileProblem } from "../../kernel/yaml-tree.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import {
  count,
  createChoice,
  createList,
  createNonEmptyList,
  createText,
  createWord,
  createWordChoice,
  day,
  duration,
  flag,
  login,
  path,
  ruleId,
  tagKey,
} from "../file/fields.ts";
import { ACTIONS, USAGE_ACTIONS } from "../when/environment.ts";

// The grammar of a file of cases. An omitted fact is known and empty; an unknown fact is stated as unknown.

const REASONS = [
  "not_estimated",
  "partly_estimated",
  "not_indexed",
  "not_read",
  "not_granted",
  "not_stated",
  "not_compared",
  "no_plan",
  "incomplete_plan",
  "unavailable",
  "malformed",
  "contradictory",
  "too_large",
  "timed_out",
] as const satisfies readonly UnknownReason[];

const reason = createWordChoice(REASONS);

const name = createWord("a name as text");
const names = createNonEmptyList(name);

/** Optional members of one kind. */
const createMembers = <const Key extends string, Schema extends z.ZodType>(
  keys: readonly Key[],
  schema: Schema,
) =>
  Object.fromEntries(keys.map((key) => [key, z.exactOptional(schema)])) as {
    [key in Key]: z.ZodExactOptional<Schema>; // the same keys
  };

const COUNT_KINDS = [
  "added",
  "changed",
  "deleted",
  "replaced",
  "imported",
  "removed",
  "unchanged",
  "drifted",
] as const;

const counts = createMapping(createMembers(COUNT_KINDS, count));
const rows = createMapping(createMembers(ACTIONS, names));
const usage = createMapping({ ...createMembers(USAGE_ACTIONS, names), unnamed: count.exactOptional() });

const values = z.record(name, z.unknown(), { error: "attributes, each with its value" });
const attributes = createMapping({
  before: values.exactOptional().describe("The values before."),
  after: values.exactOptional().describe("The values after."),
});

const NUMBER_ERROR = { error: "an amount, such as 100 or 12.5" };

/** An amount without its currency: a number, or a text where it has many digits. */
const before = z
  .union(
    [
      z.number(NUMBER_ERROR),
      z.string(NUMBER_ERROR).regex(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?$/, NUMBER_ERROR),
    ],
    NUMBER_ERROR,
  )
  .transform((value): Decimal => decimal(String(value)));

/** Before and after. */
const pair = z.tuple([before, before], { error: "two amounts, before and after: [50, 100]" });

const currency = z
  .string({ error: "a currency code, such as USD" })
  .regex(/^[A-Z]{3}$/, { error: "a currency code, such as USD" });

/** `500 USD`, negative ones too. */
const decimalAmount = z
  .string({ error: 'an amount with its currency, such as "500 USD"' })
  .regex(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})? [A-Z]{3}$/, {
    error: 'an amount with its currency, such as "500 USD"',
  })
  .transform((text): Money => {
    const [amount = "0", code = ""] = text.split(" ");
    return { amount: decimal(amount), currency: code };
  });

const caseTags = z.union(
  [z.enum(["later", "unknown", "unsupported"]), z.record(tagKey, z.string({ error: "text" }))],
  { error: "the tags of a resource, or later, unknown or unsupported" },
);

const stage = createMapping({
  workspace: name.describe("The workspace."),
  before: before.exactOptional().describe("Monthly cost before; default: that of its resources, else 0."),
  after: before.exactOptional().describe("Monthly cost afterwards; default: that of its resources, else 0."),
  currency: currency.exactOptional().describe("Default: USD."),
  resources: z
    .record(name, pair, { error: "addresses, each with its cost before and after: [50, 100]" })
    .exactOptional()
    .describe("Monthly cost of changed resources before and after, by address."),
  modules: z
    .record(name, pair, { error: "modules, each with its cost before and after: [50, 100]" })
    .exactOptional()
    .describe("Monthly cost of modules; default: that of their resources, or all of it in the root module."),
  rows: rows.exactOptional().describe("Addresses of changing resources, by kind of change."),
  tags: z
    .record(name, caseTags, { error: "addresses, each with its tags: { team: payments }" })
    .exactOptional()
    .describe(
      "Tags of changing resources after the change, by address; later: known only after the apply, unknown: not read, unsupported: there are none. Default: no tags.",
    ),
  attributes: z
    .record(name, attributes, { error: "addresses, each with its attributes before and after" })
    .exactOptional()
    .describe(
      "Attributes of resources that `rows` names, by address, as a plan has them; `(known after apply)` and `(sensitive value)` are unknown. Default: none.",
    ),
  changes: counts.exactOptional().describe("How many resources change; default: as many as `rows` names."),
  invocations: names.exactOptional().describe("Addresses of the actions that the plan invokes."),
  unpriced: z
    .record(name, count, { error: "resource types, each with a number" })
    .exactOptional()
    .describe("Resources without a price, by type."),
  estimator: createMapping({ issues: count.exactOptional(), policies: count.exactOptional() })
    .exactOptional()
    .describe("How many new issues and violated policies of the estimator's own there are; default: none."),
  usage: usage.exactOptional().describe("Usage-based resources, by kind of change."),
  status: createChoice(["succeeded", "failed", "pending"])
    .exactOptional()
    .describe("How its execution ended; default: succeeded."),
  proven: flag.exactOptional().describe("Whether it is proven to be of this commit."),
  unknown: createMapping({
    cost: reason.exactOptional(),
    modules: reason.exactOptional(),
    changes: reason.exactOptional(),
    rows: reason.exactOptional(),
    attributes: reason.exactOptional(),
    unpriced: reason.exactOptional(),
    usage: z.literal("not_stated", { error: "not_stated" }).exactOptional(),
  })
    .exactOptional()
    .describe("What could not be read, and why."),
});

const saving = createMapping({
  address: name,
  workspace: name,
  type: name.exactOptional(),
  monthly: decimalAmount,
});
const UNKNOWNS = [
  "savings",
  "anomalies",
  "governance",
  "unit_costs",
  "governance_prompts",
  "lifetimes",
  "budget_use",
] as const;

const prompt = createMapping({
  type: name.describe("The touched resource type, e.g. aws_instance."),
  resource: name.exactOptional().describe("Its name in governance; default: the same."),
  description: createText("a description of 1 to 300 characters", 300),
});
const workspaceCost = createMapping({ workspace: name, monthly: decimalAmount });

const pull = createMapping({
  author: login.exactOptional().describe("Default: somebody."),
  labels: createList(name).exactOptional(),
  base: name.exactOptional().describe("Branch to merge into; default: main."),
  paths: createList(path).exactOptional().describe("Changed files."),
  draft: flag.exactOptional(),
  number: count.exactOptional(),
  unknown: createList(createChoice(["author", "labels", "paths"]))
    .exactOptional()
    .describe("What GitHub does not state."),
});

const outcome = createChoice(["passed", "violated", "undecided", "waived", "silent"]);
const expectedFinding = z.union(
  [
    outcome,
    createMapping({
      outcome,
      about: names.exactOptional().describe("The stages, modules or resource types, in any order."),
      measured: name.exactOptional().describe("The measured value of the first: 700 USD, 12.5%, 3."),
      message: name.exactOptional(),
      because: name.exactOptional().describe("Why it is undecided, e.g. timed_out."),
    }),
  ],
  { error: "passed, violated, undecided, waived or silent, or a mapping with outcome" },
);

const expected = createMapping({
  verdict: createChoice(["pass", "warn", "block", "undecided"]).exactOptional(),
  findings: z
    .record(ruleId, expectedFinding, { error: "rules, each with its outcome" })
    .exactOptional()
    .describe("The outcome of each rule. A rule that is not named must not be violated or undecided."),
});

const oneCase = createMapping({
  case: createText("a name of 1 to 200 characters", 200).describe("What the case shows."),
  day: day.exactOptional().describe("The day of the evaluation; default: 2026-01-01."),
  pull: pull.exactOptional(),
  stages: createList(stage).exactOptional(),
  savings: createList(saving).exactOptional(),
  anomalies: count.exactOptional(),
  anomaly_cost: decimalAmount
    .exactOptional()
    .describe("What they cost above what was expected; default: not stated."),
  governance_failures: count.exactOptional(),
  unit_costs: z
    .record(name, pair, { error: "metrics, each with its cost before and after: [0.5, 0.6]" })
    .exactOptional(),
  lifetime: duration
    .exactOptional()
    .describe("The time after which every stage is destroyed automatically; default: never."),
  governance_prompts: createList(prompt).exactOptional().describe("Rules that governance suggests."),
  budget_use: createMapping({
    workspaces: createList(workspaceCost).exactOptional().describe("The cost of other workspaces."),
    pulls: createList(workspaceCost).exactOptional().describe("The increase of other open pull requests."),
    merged: createList(workspaceCost).exactOptional().describe("Changes that were merged on the same day."),
  }).exactOptional(),
  unknown: createList(createWordChoice(UNKNOWNS)).exactOptional().describe("What could not be read."),
  hidden: flag.exactOptional().describe("An execution may not be shown here."),
  expect: expected,
});

export const CaseFile = createMapping({
  policy: createText("the path of a policy file", 1_000)
    .exactOptional()
    .describe("The policy, from this file on; default: this file's name without .test."),
  organisation: createText("the path of a policy file", 1_000)
    .exactOptional()
    .describe("The organisation's policy."),
  cases: createList(oneCase).min(1, { error: "at least one case" }),
});
export type CaseFile = z.output<typeof CaseFile>;
export type Case = CaseFile["cases"][number];
export type CaseStage = NonNullable<Case["stages"]>[number];
export type ExpectedFinding = Exclude<z.output<typeof expectedFinding>, string>;

/** A file of cases, or all its problems. */
type ParsedCases =
  | { readonly state: "ok"; readonly file: CaseFile }
  | { readonly state: "invalid"; readonly flaws: readonly FileProblem[] };

export function readCases(text: string): ParsedCases {
  const { value, flaws } = readFile(text, CaseFile);
  return flaws.length === 0 && value !== undefined
    ? { state: "ok", file: value }
    : { state: "invalid", flaws: flaws.toSorted(byPlace) };
}
