import type { UsageChange } from "../model/facts.ts";
import { modulePath } from "../model/module-path.ts";
import type { CostLine, StageReport, StageUsage, UsageCounts, UsageReport } from "../model/report.ts";
import { stageKey } from "../model/stage-label.ts";

const INTRODUCED: ReadonlySet<UsageChange> = new Set(["added", "changed", "unstated"]);

/** Whether merging may raise what a usage-based resource costs. */
export const isIntroduced = ({ change }: { readonly change: UsageChange }): boolean => INTRODUCED.has(change);

/** Whether its usage is still not given after merging: it is there then, and nobody stated it. */
export const isOpenAfter = ({ change }: { readonly change: UsageChange }): boolean =>
  change !== "deleted" && change !== "given";

/** Whether merging moves what is paid by use, which the amounts do not show. */
export const movesUsage = (usage: UsageCounts | undefined): boolean =>
  usage !== undefined && usage.introduced + usage.deleted > 0;

/** The usage-based resources of all stages, by name. */
export const buildUsageReports = (stages: readonly StageReport[]): readonly UsageReport[] =>
  stages.flatMap((stage) =>
    (stage.usageBased?.resources ?? []).map((resource) => ({
      ...resource,
      module: modulePath(resource.address),
      workspace: stage.workspace,
      stage: stageKey(stage),
      currency: stage.currency,
    })),
  );

/** How many usage-based resources a stage has, named or not; undefined: none that are known of. */
export function countStageUsage({
  resources,
  unnamed,
  unnamedUnchanged,
}: StageUsage): UsageCounts | undefined {
  const named = countUsage(resources);
  return omitZeroCounts({
    before: named.before + unnamedUnchanged,
    after: named.after + unnamed + unnamedUnchanged,
    introduced: named.introduced + unnamed,
    deleted: named.deleted,
  });
}

/** How many of these there are before and after. One of which nobody knows whether it is new counts afterwards alone. */
export function countUsage(resources: readonly { readonly change: UsageChange }[]): UsageCounts {
  const count = (is: (change: UsageChange) => boolean): number =>
    resources.reduce((sum, { change }) => sum + Number(is(change)), 0);
  return {
    before: count((change) => change !== "added" && change !== "unstated"),
    after: resources.filter(isOpenAfter).length,
    introduced: resources.filter(isIntroduced).length,
    deleted: resources.filter((one) => !isOpenAfter(one)).length,
  };
}

/** The sum; undefined where there is nothing to count. */
export function sumUsage(parts: readonly Pick<CostLine, "usage">[]): UsageCounts | undefined {
  let sum = NONE;
  for (const { usage } of parts) {
    if (usage === undefined) continue;
    sum = {
      before: sum.before + usage.before,
      after: sum.after + usage.after,
      introduced: sum.introduced + usage.introduced,
      deleted: sum.deleted + usage.deleted,
    };
  }
  return omitZeroCounts(sum);
}

const NONE: UsageCounts = { before: 0, after: 0, introduced: 0, deleted: 0 };

const omitZeroCounts = (counts: UsageCounts): UsageCounts | undefined =>
  counts.before + counts.after === 0 ? undefined : counts;

/** How many usage-based resources are in a part (a module, a type) by its name and currency. */
export function groupUsageByPart(
  resources: readonly UsageReport[] = [],
  partOf: (resource: UsageReport) => string,
): (name: string, line: Pick<CostLine, "currency">) => UsageCounts | undefined {
  const keyOf = (name: string, currency: string | null): string => JSON.stringify([currency, name]);
  const parts = Map.groupBy(resources, (one) => keyOf(partOf(one), one.currency));
  return (name, { currency }) => {
    const own = parts.get(keyOf(name, currency));
    return own === undefined ? undefined : countUsage(own);
  };
}
