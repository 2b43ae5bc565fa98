import { z } from "zod";
import type { Decimal } from "../../kernel/money.ts";
import { compare, parseDecimal, ZERO } from "../../kernel/money.ts";
import type { EstimatorResult, EstimatorResults } from "../../platform/contract/cost-changes.ts";
import type { PlanMask } from "../plan/secrets.ts";
import type { StatedPlace } from "./code-place.ts";
import { amount, listOf, type Project, toLine } from "./estimate-parts.ts";

const Issue = z.object({
  description: z.string().nullish(),
  monthly_savings: amount,
  address: z.string().nullish(),
  attribute: z.string().nullish(),
});

/** Not stated: no policy was evaluated, which is not the same as no issue. */
export const FinopsResults = z
  .array(
    z.object({
      policy_name: z.string(),
      failing_resources: listOf(z.object({ name: z.string(), issues: listOf(Issue) })),
    }),
  )
  .nullish();

const texts = listOf(z.string());

export const TaggingResults = listOf(
  z.object({
    policy_name: z.string(),
    failing_resources: listOf(
      z.object({
        address: z.string(),
        path: z.string().nullish(),
        line: z.int().nullish(),
        missing_mandatory_tags: texts,
        invalid_tags: listOf(z.object({ key: z.string() })),
      }),
    ),
  }),
);

export const GuardrailResults = listOf(z.object({ guardrail_name: z.string(), triggered: z.boolean() }));

export const BudgetResults = listOf(
  z.object({
    budget_name: z.string(),
    over_budget: z.boolean(),
    custom_overrun_message: z.string().nullish(),
  }),
);

/** The issues of a project, one for each resource and attribute. `placeOf`: where a resource stands in the code. */
export const listIssues = (
  results: NonNullable<z.infer<typeof FinopsResults>>,
  placeOf: (address: string) => StatedPlace,
): readonly EstimatorResult[] =>
  results.flatMap(({ policy_name: policy, failing_resources: failing }) =>
    failing.flatMap(({ name, issues }) =>
      issues.map((issue): EstimatorResult => {
        const address = issue.address || name;
        return {
          kind: "finops",
          policy,
          address,
          attribute: issue.attribute || null,
          message: toLine(issue.description),
          saving: issue.monthly_savings,
          ...placeOf(name),
        };
      }),
    ),
  );

/** What tagging policies say of a project, one result for each resource. */
export const listTagging = (results: z.infer<typeof TaggingResults>): readonly EstimatorResult[] =>
  results.flatMap(({ policy_name: policy, failing_resources: failing }) =>
    failing.map(
      ({ address, path, line, missing_mandatory_tags: missing, invalid_tags: invalid }): EstimatorResult => {
        const keys = invalid.map(({ key }) => key);
        const problems = [
          ...(missing.length === 0 ? [] : [`missing ${missing.join(", ")}`]),
          ...(keys.length === 0 ? [] : [`not allowed: ${keys.join(", ")}`]),
        ];
        return {
          kind: "tagging",
          policy,
          address,
          attribute: null,
          message: toLine(problems.join("; ")),
          saving: null,
          file: path || null,
          line: line || null,
        };
      },
    ),
  );

const OF_WHOLE = { address: null, attribute: null, saving: null, file: null, line: null } as const;

/** Guardrails that the estimate triggers, and budgets that it exceeds. */
export const listFileResults = (
  guardrails: z.infer<typeof GuardrailResults>,
  budgets: z.infer<typeof BudgetResults>,
): readonly EstimatorResult[] => [
  ...guardrails
    .filter(({ triggered }) => triggered)
    .map(
      ({ guardrail_name: policy }): EstimatorResult => ({
        kind: "guardrail",
        policy,
        message: "",
        ...OF_WHOLE,
      }),
    ),
  ...budgets
    .filter(({ over_budget }) => over_budget)
    .map(({ budget_name: policy, custom_overrun_message: message }): EstimatorResult => {
      return { kind: "budget", policy, message: toLine(message), ...OF_WHOLE };
    }),
];

/** Most results that are listed; all are counted. */
const MAX_LISTED = 100;

/**
 * What the estimator's own policies say of projects, and of the whole file (`ofFile`). An issue counts where the
 * base does not have it; without a base it is unknown which are new. Null: the file is of a version without policies.
 */
export function buildEstimatorResults(
  projects: readonly Project[],
  ofFile: readonly EstimatorResult[] = [],
): EstimatorResults | null {
  if (projects.length === 0 || projects.some(({ findings }) => findings === undefined)) return null;
  const own = projects.flatMap(({ findings, pastFindings }) => {
    const former = Map.groupBy(pastFindings ?? [], identify);
    return (findings ?? []).filter(
      (one) => one.kind !== "finops" || former.get(identify(one))?.pop() === undefined,
    );
  });
  const all = [...own, ...ofFile];
  const isCompared = projects.every(({ pastFindings }) => pastFindings !== undefined);
  const issues = all.filter(({ kind }) => kind === "finops").length;
  const bySaving = all.toSorted((a, b) => compare(savingOf(b), savingOf(a)));
  return {
    issues: isCompared ? issues : null,
    policies: new Set(
      all.filter(({ kind }) => kind !== "finops").map(({ kind, policy }) => `${kind} ${policy}`),
    ).size,
    listed: bySaving.slice(0, MAX_LISTED),
    more: Math.max(0, all.length - MAX_LISTED),
  };
}

const savingOf = ({ saving }: EstimatorResult): Decimal =>
  (saving === null ? null : parseDecimal(saving)) ?? ZERO;

const identify = ({ policy, address, attribute }: EstimatorResult): string =>
  JSON.stringify([policy, address, attribute]);

export const maskEstimatorResults = (results: EstimatorResults, masks: PlanMask): EstimatorResults => ({
  ...results,
  listed: results.listed.map((one) => ({
    ...one,
    address: one.address && masks.maskKeys(one.address),
    attribute: one.attribute && masks.mask(one.attribute),
    message: masks.mask(one.message),
    file: one.file && masks.mask(one.file) === one.file ? one.file : null,
  })),
});
