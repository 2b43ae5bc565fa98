import type { UsageNote } from "../../platform/contract/cost-changes.ts";
import { mapKeys } from "../address.ts";
import type { Estimate, EstimateStage } from "./estimate.ts";

type MaskText = (text: string) => string;
type EstimateGroups = Estimate["diff"];
type EstimateQuantities = NonNullable<NonNullable<Estimate["estimate"]>["quantities"]>;

/**
 * Masks the plan's sensitive values in the estimate of the same code: in instance keys, in component names
 * and in the estimator's messages.
 */
export function maskStage(stage: EstimateStage, mask: MaskText): EstimateStage {
  const { cost } = stage;
  const { usage, quantities } = cost.estimate ?? {};
  const estimate = cost.estimate && {
    ...cost.estimate,
    problems: cost.estimate.problems.map(mask),
    ...(cost.estimate.notices && { notices: cost.estimate.notices.map(mask) }),
    ...(usage && { usage: maskUsage(usage, mask) }),
    ...(quantities && { quantities: maskQuantities(quantities, mask) }),
  };
  return { ...stage, cost: { ...cost, diff: maskGroups(cost.diff, mask), ...(estimate && { estimate }) } };
}

const maskUsage = (usage: UsageNote, mask: MaskText): UsageNote => ({
  ...usage,
  resources: usage.resources.map((one) => ({ ...one, address: mapKeys(one.address, mask) })),
});

function maskQuantities(quantities: EstimateQuantities, mask: MaskText): EstimateQuantities {
  return Object.fromEntries(
    Object.entries(quantities).map(([resource, parts]) => [
      mapKeys(resource, mask),
      Object.fromEntries(Object.entries(parts).map(([name, quantity]) => [mask(name), quantity])),
    ]),
  );
}

function maskGroups(groups: EstimateGroups, mask: MaskText): EstimateGroups {
  return Object.fromEntries(
    Object.entries(groups).map(([type, group]) => [
      type,
      {
        ...group,
        diff: group.diff.map((resource) => ({
          ...resource,
          name: mapKeys(resource.name, mask),
          subresources: Object.fromEntries(
            Object.entries(resource.subresources ?? {}).map(([name, costs]) => [mask(name), costs]),
          ),
        })),
      },
    ]),
  );
}
