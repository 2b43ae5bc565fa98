import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { count, createTokenSchema, list, map, wrapInEnvelope } from "./shapes/fields.ts";
import { TimeFilters } from "./shapes/time-filter.ts";

/** Clouds that governance rules are evaluated in (cost management 2.6 and 4.1). */
export const GOVERNED_CLOUDS = ["CLOUD_1", "CLOUD_2", "CLOUD_3"] as const;
const cloudProvider = createTokenSchema("cloud", GOVERNED_CLOUDS);

const COMMON = {
  api: "cost",
  area: "governance",
  source: "cost management 4.1",
  status: 200,
} as const;

/** Governance overview and prompts (cost management 4.1). */
export const governance = {
  countDailyEvaluations: declareEndpoint({
    ...COMMON,
    operation: "day-wise-total-evaluations",
    method: "POST",
    path: "/governance/overview/dayWiseTotalEvaluations",
    summary: "Evaluations of governance rules by day and status",
    description:
      "By day in UTC, written as `2026-03-31`; in each, how many evaluations ended with which status. Days and statuses without any are left out.",
    query: z.object({
      cloudProvider: z.array(cloudProvider).max(20).optional().describe("Only these; all when absent."),
    }),
    body: TimeFilters.describe("On the time of the evaluation; at most 100, all of them must hold."),
    response: wrapInEnvelope(map(map(count))),
  }),
  listPromptResources: declareEndpoint({
    ...COMMON,
    operation: "prompt-resources",
    method: "GET",
    path: "/governance/promptResources",
    summary: "Resource types for which rules can be generated",
    query: z.object({ cloudProvider }),
    response: wrapInEnvelope(list(z.string())),
  }),
  listPromptRules: declareEndpoint({
    ...COMMON,
    operation: "prompt-rules",
    method: "GET",
    path: "/governance/promptRules",
    summary: "Sample rules to generate rules from",
    query: z.object({
      cloudProvider,
      resourceType: z.string().min(1).max(128).optional().describe("Only of this type; all when absent."),
    }),
    response: wrapInEnvelope(
      list(z.object({ description: z.string(), ruleYaml: z.string() }).meta({ id: "PromptRule" })),
    ),
  }),
} as const satisfies Contract;
