import type { UsageNote } from "../../platform/contract/cost-changes.ts";
import type { PlanMask } from "../plan/snapshot.ts";
import type { Estimate, EstimateStage } from "./estimate.ts";

type EstimateGroups = Estimate["diff"];
type EstimateQuantities = NonNullable<NonNullable<Estimate["estimate"]>["quantities"]>;

/**
 * Masks the plan's sensitive values in the estimate of the same code: in instance keys, in component names
 * and in the estimator's messages.
 */
export function maskStage(stage: EstimateStage, masks: PlanMask): EstimateStage {
  const { cost } = stage;
  const mask = (text: string) => masks.mask(text);
  const { usage, quantities } = cost.estimate ?? {};
  const estimate = cost.estimate && {
    ...cost.estimate,
    problems: cost.estimate.problems.map(mask),
    ...(cost.estimate.notices && { notices: cost.estimate.notices.map(mask) }),
    ...(usage && { usage: maskUsage(usage, masks) }),
    ...(quantities && { quantities: maskQuantities(quantities, masks) }),
  };
  return { ...stage, cost: { ...cost, diff: maskGroups(cost.diff, masks), ...(estimate && { estimate }) } };
}

const maskUsage = (usage: UsageNote, masks: PlanMask): UsageNote => ({
  ...usage,
  resources: usage.resources.map((one) => ({ ...one, address: masks.maskKeys(one.address) })),
});

function maskQuantities(quantities: EstimateQuantities, masks: PlanMask): EstimateQuantities {
  return Object.fromEntries(
    Object.entries(quantities).map(([resource, parts]) => [
      masks.maskKeys(resource),
      Object.fromEntries(Object.entries(parts).map(([name, quantity]) => [masks.mask(name), quantity])),
    ]),
  );
}

function maskGroups(groups: EstimateGroups, masks: PlanMask): EstimateGroups {
  return Object.fromEntries(
    Object.entries(groups).map(([type, group]) => [
      type,
      {
        ...group,
        diff: group.diff.map((resource) => ({
          ...resource,
          name: masks.maskKeys(resource.name),
          subresources: Object.fromEntries(
            Object.entries(resource.subresources ?? {}).map(([name, costs]) => [masks.mask(name), costs]),
          ),
        })),
      },
    ]),
  );
}
