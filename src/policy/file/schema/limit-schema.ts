import { z } from "zod";
import type { Limit } from "../../model/policy.ts";
import { amount, count, percentage } from "../fields/amounts.ts";
import { createMapping, createText } from "../fields/fields.ts";

/** Every kind of limit, with what it takes. */
const limits = {
  increase: amount.describe("Most that the monthly cost may rise."),
  decrease: amount.describe("Most that the monthly cost may fall."),
  percent: percentage.describe(
    "Most that the monthly cost may rise, in percent. A rise from zero exceeds every percentage.",
  ),
  total: amount.describe(
    "Most that may be paid per month afterwards. A change that does not raise what is paid is only warned about.",
  ),
  deletions: count.describe("Most resources that may be deleted, replaced ones included."),
  replacements: count.describe("Most resources that may be deleted and created again."),
  changes: count.describe("Most creations, changes, deletions, imports and removals in all."),
  invocations: count.describe("Most actions that the plan may invoke (Terraform 1.14)."),
  drift: count.describe(
    "Most resources that may have been changed outside of the plan, of those that the plan changes too.",
  ),
  unpriced: count.describe("Most new or changed resources that the estimator cannot price."),
  usage: count.describe("Most new or changed resources whose price depends on usage that is not given."),
  "missed-savings": amount.describe("Most that could be saved on resources that the pull request touches."),
  anomalies: count.describe("Most open cost anomalies of the granted perspectives."),
  "governance-failures": count.describe("Most governance evaluations that did not pass."),
  "unit-cost": createMapping({
    metric: createText("the identifier of a unit metric", 128).describe("A granted unit metric."),
    percent: percentage.describe("Most that the cost of one unit may rise, in percent."),
  }).describe("Most that the cost of one unit of a metric may rise."),
} satisfies { readonly [kind in Exclude<Limit["kind"], "when" | "budget">]: z.ZodType };

/** Every kind of limit by name. */
const LIMIT_KINDS = Object.keys(limits);

/** Exactly one limit. */
export const limit = z
  .strictObject(
    Object.fromEntries(Object.entries(limits).map(([kind, schema]) => [kind, schema.optional()])) as {
      [kind in keyof typeof limits]: z.ZodOptional<(typeof limits)[kind]>; // the same keys, each optional
    },
    {
      error: ({ code }) =>
        code === "invalid_type" ? `a mapping with one of ${LIMIT_KINDS.join(", ")}` : undefined,
    },
  )
  .refine((value) => Object.keys(value).length === 1, {
    error: `exactly one of ${LIMIT_KINDS.join(", ")}; write one rule per limit`,
  })
  .meta({ minProperties: 1, maxProperties: 1 });

/** What each kind of limit allows, in words. */
export const LIMIT_WORDS = Object.fromEntries(
  Object.entries(limits).map(([kind, schema]) => [kind, schema.description ?? ""]),
) as { readonly [kind in keyof typeof limits]: string }; // the same keys
