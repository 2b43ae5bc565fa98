import { z } from "zod";
import { type Decimal, parseDecimal } from "../../kernel/money.ts";
import { StatedTags } from "../../kernel/resource-tags.ts";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { EXECUTION, executionDefaults } from "./executions.ts";
import { count, list, map, textOrEmpty } from "./shapes/fields.ts";
import { markAlwaysWritten } from "./wire/schema-parts.ts";

/** Resources whose price depends on unstated usage: their cost is unknown, and in no amount. */
export const UsageNote = z
  .object({
    resources: z
      .array(
        z.object({
          address: z.string(),
          type: z.string(),
          change: z
            .enum(["added", "changed", "deleted", "given", "unchanged", "unstated"])
            .describe(
              "What the estimate says of it before and after; `given`: its usage is stated afterwards and was not before; " +
                "`unstated`: it does not state it.",
            ),
        }),
      )
      .describe("Those that the estimate lists."),
    unnamed: count.describe("Further ones that it counts and does not list; they may be created or changed."),
    unnamed_unchanged: count.describe(
      "Further ones that it counts and does not list, of a part that stays as it is.",
    ),
  })
  .meta({ id: "UsageNote" });
export type UsageNote = z.output<typeof UsageNote>;

const quantity = z.string().nullable();

const ComponentQuantity = z
  .object({ unit: z.string(), previous: quantity, current: quantity })
  .meta({ id: "ComponentQuantity" });
export type ComponentQuantity = z.output<typeof ComponentQuantity>;

export const EstimatorResult = z
  .object({
    kind: z
      .enum(["finops", "tagging", "guardrail", "budget"])
      .describe("Which of the estimator's policies it is."),
    policy: z.string().describe("Name of that policy."),
    address: z.string().nullable().describe("The resource. Null: it is about the whole."),
    attribute: z.string().nullable(),
    message: z.string().describe("Text from outside."),
    saving: quantity.describe(
      "What could be saved per month, in the currency of the costs. Null: not stated.",
    ),
    file: z
      .string()
      .nullable()
      .describe("Where the resource stands in the code, from the repository's root on."),
    line: z.int().nullable(),
  })
  .meta({ id: "EstimatorFinding" });
export type EstimatorResult = z.output<typeof EstimatorResult>;

/** What the estimator's own policies say: those of Infracost 2. */
export const EstimatorResults = z
  .object({
    issues: count
      .nullable()
      .describe(
        "Number of issues of kind `finops` that the state before does not have. Null: it is not known.",
      ),
    policies: count.describe("Number of policies of the other kinds that are violated."),
    listed: z.array(EstimatorResult).describe("The largest savings first."),
    more: count.describe("Number of further ones."),
  })
  .meta({ id: "EstimatorFindings" });
export type EstimatorResults = z.output<typeof EstimatorResults>;

/** A resource of an estimate, whether its cost changes or not. */
const EstimatedResource = z
  .object({
    address: z.string(),
    type: z.string(),
    cost: quantity
      .optional()
      .describe("What it costs per month, where it is not in `diff` because that stays. Null: not known."),
    tags: StatedTags.optional().describe(
      "Its tags or labels before and after; `unsupported`: its type carries none. Absent: not known.",
    ),
  })
  .meta({ id: "EstimatedResource" });
export type EstimatedResource = z.output<typeof EstimatedResource>;

const CodePlace = z
  .object({ file: z.string().describe("From the repository's root on."), line: z.int().min(1) })
  .meta({ id: "CodePlace" });
export type CodePlace = z.output<typeof CodePlace>;

/**
 * What the embedded platform states about an estimate beyond the documents. A real platform does not send it;
 * it is then unknown whether everything was estimated and which resources are unpriced.
 */
export const EstimateNote = z
  .object({
    completeness: z.enum(["complete", "partial"]).describe("`partial`: a part failed to be estimated."),
    problems: z.array(z.string()).describe("What the estimator said went wrong. Text from outside."),
    notices: z
      .array(z.string())
      .optional()
      .describe("What a reader of the estimate should know and no figure lacks. Text from outside."),
    comparison: z
      .enum(["past", "nothing"])
      .optional()
      .describe(
        "What the amounts are compared with. `nothing`: one state was estimated, so the change is not known. Absent: with the past.",
      ),
    unpriced: z
      .record(z.string(), count)
      .nullable()
      .describe(
        "Resources without a price: how many of each type. Null: the estimate does not state it, which is not none.",
      ),
    usage: UsageNote.optional().describe(
      "Resources with a price that depends on usage. Absent: not stated, which is not none.",
    ),
    quantities: z
      .record(z.string(), z.record(z.string(), ComponentQuantity))
      .optional()
      .describe("How much of what is priced, by the resource's name and its subresource's."),
    findings: EstimatorResults.optional().describe(
      "What the estimator's own policies say. Absent: it has none, or does not state it.",
    ),
    resources: z
      .array(EstimatedResource)
      .optional()
      .describe(
        "Every resource after the change that may cost something, and deleted ones. Absent: not stated.",
      ),
    places: z
      .record(z.string(), CodePlace)
      .optional()
      .describe("Where resources stand in the code, by address. Absent: not stated."),
    parts: z
      .enum(["all", "changed"])
      .describe("Whether `diff` lists every part that adds up to the totals, or changed ones only."),
  })
  .meta({ id: "EstimateNote" });
export type EstimateNote = z.output<typeof EstimateNote>;

/** The shape of provisioning 2.10, with the caller's schemas for money and percentages. */
function createCostChangeSchema<M extends z.ZodType, P extends z.ZodType>(amount: M, share: P) {
  const costs = {
    current_monthly_cost: amount,
    previous_monthly_cost: amount,
    diff_monthly_cost: amount,
    percentage_change_monthly_cost: share,
  };
  const resource = z.object({ name: z.string(), ...costs, subresources: map(z.object(costs)).optional() });
  return z.object({
    currency: z.string().describe("Empty: not estimated."),
    diff: map(z.object({ ...costs, diff: list(resource) })),
    total_monthly_cost: amount,
    past_total_monthly_cost: amount,
    diff_total_monthly_cost: amount,
    percentage_change_total_monthly_cost: share,
    stage_execution_id: z.string(),
    stage_id: z.string(),
    workspace_id: z.string(),
    estimate: EstimateNote.optional(),
  });
}

/** Money on the wire: a plain decimal ("12.30", "-0.5"); "" or null: unknown, which is not zero. */
type MoneyText = string | null;
/** A percentage on the wire: a number or a plain decimal; null: unknown, or an increase from zero. */
type PercentText = number | string | null;

const isKnownOrEmpty = (text: string): boolean => text === "" || parseDecimal(text) !== null;

/** Money in a request: not converted, and refused unless it is a plain decimal, "" or null. */
export const moneyToWrite: z.ZodType<MoneyText, MoneyText> = z
  .string()
  .refine(isKnownOrEmpty, "expected a plain decimal such as 12.30")
  .nullable();

/** A percentage in a request: a number, as the document has it; a decimal text is read as one. */
export const percentToWrite: z.ZodType<number | null | undefined, PercentText | undefined> = z
  .union([
    z.number(),
    z
      .string()
      .refine((text) => parseDecimal(text) !== null, "expected a plain decimal such as 12.3")
      .transform(Number),
  ])
  .nullish();

const readText = (text: string | null | undefined): Decimal | null =>
  text === null || text === undefined ? null : parseDecimal(text.trim());

/** Money in an answer: decimal text as a decimal; absent, null, "" and other text as null (unknown). */
export const money = markAlwaysWritten(
  z.string().nullish().transform(readText),
  () => true,
) as unknown as z.ZodType<Decimal | null, MoneyText>; // absent is read and never written

/** A percentage in an answer: a number, a decimal text, null or absent. An increase from zero has no percentage. */
export const percent: z.ZodType<Decimal | null, PercentText | undefined> = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => readText(typeof value === "number" ? formatPlainNumber(value) : value));

/** A number in decimal notation; one with too many digits becomes an unreadable text, which is read as unknown. */
function formatPlainNumber(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 100 });
}

/** The costs of one stage as read: `Decimal`, or null where unknown. An empty currency means: not estimated. */
export const CostChange = createCostChangeSchema(money, percent).meta({ id: "CostChange" });
export type CostChange = z.output<typeof CostChange>;

/** The costs of one stage as sent to the ingestion: amounts stay text. */
export const CostChangeBody = createCostChangeSchema(moneyToWrite, percentToWrite).meta({
  id: "WrittenCostChange",
});
export type CostChangeBody = z.input<typeof CostChangeBody>;

export const ModuleCosts = z
  .object({
    modules: map(CostChange).describe("By the name of the module."),
    stage_execution_id: z.string(),
    stage_id: z.string(),
    workspace_id: z.string(),
  })
  .meta({ id: "ModuleCosts" });
export type ModuleCosts = z.output<typeof ModuleCosts>;

const EXECUTION_PATH = "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}";

const getCostChange = declareEndpoint({
  ...executionDefaults,
  operation: "cost-changes",
  method: "GET",
  path: `${EXECUTION_PATH}/cost-changes`,
  summary: "Cost change of one stage",
  description:
    "Amounts are decimal texts per month in `currency`; they leave as they were sent, nothing is computed. Without a stage: the newest stage that has an estimate. 404: there is no estimate, which is not zero.",
  source: "provisioning 2.10 and 4.2",
  params: z.object(EXECUTION),
  query: z.object({
    pipeline_stage_id: textOrEmpty(
      128,
      "The stage's run; empty: the newest that has an estimate. Up to 128 characters.",
    ),
  }),
  response: CostChange,
});

export const listStageCosts = declareEndpoint({
  ...executionDefaults,
  operation: "cost-changes-all-stages",
  method: "GET",
  path: `${EXECUTION_PATH}/cost-changes-all-stages`,
  summary: "Cost changes of all stages of an execution",
  description:
    "One entry for each stage that has an estimate, oldest first; a stage without one is left out. 404: there is no such execution.",
  source: "provisioning 2.10 and 4.2",
  params: z.object(EXECUTION),
  response: list(CostChange),
});

export const listModuleCosts = declareEndpoint({
  ...executionDefaults,
  operation: "cost-changes-all-stages-by-modules",
  method: "GET",
  path: `${EXECUTION_PATH}/cost-changes-all-stages-by-modules`,
  summary: "Cost changes of all stages of an execution, per module",
  description:
    "One entry for each stage that has an estimate per module, oldest first. 404: there is no such execution.",
  source: "provisioning 2.10 and 4.2",
  params: z.object(EXECUTION),
  query: z.object({
    stack_path: textOrEmpty(1024, "Only the module of this name; empty: all. Up to 1,024 characters."),
  }),
  response: list(ModuleCosts),
});

/** Cost changes of executions (provisioning 4.2), by the name that handlers use. */
export const costChanges = { getCostChange, listStageCosts, listModuleCosts } as const satisfies Contract;
