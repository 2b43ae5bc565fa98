import type { UsageChange } from "../model/facts.ts";
import { deriveModulePath } from "../model/module-path.ts";
import type { CostLine, StageReport, StageUsage, UsageCounts, UsageReport } from "../model/report.ts";
import { buildStageKey } from "../model/stage-label.ts";

const INTRODUCING_CHANGES: ReadonlySet<UsageChange> = new Set(["added", "changed", "unstated"]);

/** Whether merging may raise the cost of a usage-based resource. */
export const isIntroduced = ({ change }: { readonly change: UsageChange }): boolean =>
  INTRODUCING_CHANGES.has(change);

/** Whether the resource exists after merging and its usage is still unstated. */
export const isOpenAfter = ({ change }: { readonly change: UsageChange }): boolean =>
  change !== "deleted" && change !== "given";

/** Whether merging changes usage-based costs, which are in no amount. */
export const hasUsageChange = (usage: UsageCounts | undefined): boolean =>
  usage !== undefined && usage.introduced + usage.deleted > 0;

/** The named usage-based resources of all stages. */
export const buildUsageReports = (stages: readonly StageReport[]): readonly UsageReport[] =>
  stages.flatMap((stage) =>
    (stage.usageBased?.resources ?? []).map((resource) => ({
      ...resource,
      module: deriveModulePath(resource.address),
      workspace: stage.workspace,
      stage: buildStageKey(stage),
      currency: stage.currency,
    })),
  );

/** The numbers of usage-based resources of a stage, named or not; undefined: none are known. */
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

/** The numbers of these resources before and after. A resource that may be new counts only after. */
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

/** The sum of the counts; undefined where there are none. */
export function sumUsage(parts: readonly Pick<CostLine, "usage">[]): UsageCounts | undefined {
  let sum = ZERO_COUNTS;
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

const ZERO_COUNTS: UsageCounts = { before: 0, after: 0, introduced: 0, deleted: 0 };

const omitZeroCounts = (counts: UsageCounts): UsageCounts | undefined =>
  counts.before + counts.after === 0 ? undefined : counts;

/** The numbers of usage-based resources per part (a module, a type), by its name and currency. */
export function groupUsageByPart(
  resources: readonly UsageReport[] = [],
  getPart: (resource: UsageReport) => string,
): (name: string, line: Pick<CostLine, "currency">) => UsageCounts | undefined {
  const toKey = (name: string, currency: string | null): string => JSON.stringify([currency, name]);
  const parts = Map.groupBy(resources, (one) => toKey(getPart(one), one.currency));
  return (name, { currency }) => {
    const own = parts.get(toKey(name, currency));
    return own === undefined ? undefined : countUsage(own);
  };
}
