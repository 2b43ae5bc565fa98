import type { EstimateFile } from "../../src/plan-files/estimate/estimate.ts";
import { readEstimate } from "../../src/plan-files/estimate/read-estimate.ts";
import { inPieces, utf8 } from "./bytes.ts";

type Cost = string | number | null;

export interface ResourceGiven {
  readonly name: string;
  readonly resourceType?: string;
  readonly monthlyCost?: Cost;
  readonly tags?: object | null;
  readonly costComponents?: readonly object[];
  readonly subresources?: readonly object[];
  readonly metadata?: object;
}

export const breakdown = (totalMonthlyCost: Cost, resources: readonly ResourceGiven[] = []): object => ({
  totalMonthlyCost,
  resources,
});

/** A project whose only resource costs `before` and then `after`. */
export function project(name: string, [before, after, change]: readonly Cost[], more: object = {}): object {
  const resource = (cost: Cost | undefined) => [{ name: "cloud_disk.data", monthlyCost: cost ?? null }];
  return {
    name,
    metadata: { path: name },
    pastBreakdown: breakdown(before ?? null, resource(before)),
    breakdown: breakdown(after ?? null, resource(after)),
    diff: breakdown(change ?? null, change === "0" ? [] : resource(change)),
    summary: { totalDetectedResources: 1, totalSupportedResources: 1, unsupportedResourceCounts: {} },
    ...more,
  };
}

export function estimate(
  projects: readonly object[],
  [before, after, change]: readonly Cost[],
  more: object = {},
): object {
  return {
    version: "0.2",
    currency: "USD",
    projects,
    totalMonthlyCost: after,
    pastTotalMonthlyCost: before,
    diffTotalMonthlyCost: change,
    ...more,
  };
}

/** A resource of `infracost scan --json`; `cost`: of its only component, per month. */
export const scanResource = (
  name: string,
  { cost = null, ...more }: { cost?: Cost } & Record<string, unknown>,
): object => ({
  name,
  type: name.split(".").at(-2),
  is_supported: true,
  is_free: false,
  cost_components:
    cost === null
      ? []
      : [
          {
            name: "Hours",
            unit: "hours",
            price: cost === 0 ? "0" : "1",
            quantity: cost === 0 ? "1" : String(cost),
            total_monthly_cost: String(cost),
          },
        ],
  ...more,
});

export const scanProject = (resources: readonly object[], more: object = {}): object => ({
  project_name: "stack",
  path: ".",
  finops_results: [],
  resources,
  ...more,
});

export const scan = (projects: readonly object[], more: object = {}): object => ({
  currency: "USD",
  projects,
  ...more,
});

export const readEstimateOf = (document: object): Promise<EstimateFile> =>
  readEstimate({ file: "costs.json", bytes: inPieces(utf8(JSON.stringify(document))), fallback: "costs" });
