import type {
  ChangeKind,
  ResourceChanges,
  StageCost,
  UnknownReason,
  UsageBasedResources,
  UsageChange,
  UsageResource,
} from "./model/facts.ts";
import { deriveModulePath } from "./model/module-path.ts";
import type { CostLine, StageReport, StageUsage, UsageCounts, UsageReport } from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";

/**
 * The usage-based resources of a stage. The plan's change at its address, and the estimate, determine whether
 * a resource is new or changed; where neither states it, the resource may be new. `isPlanKnown`: the rows are reliable.
 */
export function buildStageUsage(
  cost: StageCost | null,
  rows: ResourceChanges | null,
  isPlanKnown: boolean,
): StageUsage {
  if (cost === null) return { resources: [], unnamed: 0, unnamedUnchanged: 0, isStated: false };
  const { resources, unnamed, unnamedUnchanged } = cost.usage ?? deriveUsage(cost);
  const plan = readPlannedChanges(rows, isPlanKnown, new Set(resources.map(({ address }) => address)));
  return {
    resources: resources
      .filter(({ address, change }) => change !== "deleted" || !plan.moved.from.has(address))
      .map((one) => ({ ...one, change: findChange(one, plan) })),
    unnamed,
    unnamedUnchanged,
    isStated: cost.usage !== undefined,
  };
}

/** Usage-based resources that exist after the change. */
export const listUsageResources = (cost: StageCost): readonly UsageResource[] =>
  (cost.usage ?? deriveUsage(cost)).resources.filter(isOpenAfter);

/**
 * Usage-based resources from a source that does not state them: the parts without an amount of the resources
 * that change.
 */
function deriveUsage({ groups }: StageCost): UsageBasedResources {
  const resources = groups.flatMap((group) =>
    group.resources
      .filter(({ components }) => components.some(({ after, change }) => after === null && change === null))
      .map(({ address }): UsageResource => ({ address, type: group.type, change: "changed" })),
  );
  return { resources, unnamed: 0, unnamedUnchanged: 0 };
}

/** What the plan does to usage-based resources. */
interface PlannedChanges {
  readonly kinds: ReadonlyMap<string, ReadonlySet<ChangeKind>>;
  /** Addresses of moved resources, which an estimate reports as deleted and new. */
  readonly moved: { readonly from: ReadonlySet<string>; readonly to: ReadonlySet<string> };
  /** True: the list is complete, so unlisted resources do not change. */
  readonly isWhole: boolean;
}

function readPlannedChanges(
  rows: ResourceChanges | null,
  isKnown: boolean,
  addresses: ReadonlySet<string>,
): PlannedChanges {
  const all = rows?.rows ?? [];
  const own = all.filter(({ address }) => addresses.has(address));
  const byAddress = Map.groupBy(own, ({ address }) => address);
  const moves = all.filter(({ previousAddress }) => previousAddress !== undefined);
  return {
    kinds: new Map(
      [...byAddress].map(([address, changes]) => [address, new Set(changes.map(({ change }) => change))]),
    ),
    moved: {
      from: new Set(moves.flatMap(({ previousAddress }) => previousAddress ?? [])),
      to: new Set(moves.map(({ address }) => address)),
    },
    isWhole: isKnown && rows?.unread === 0 && rows.omitted === 0,
  };
}

function findChange(
  { address, change: estimated }: UsageResource,
  { kinds, moved, isWhole }: PlannedChanges,
): UsageChange {
  const change = estimated === "added" && moved.to.has(address) ? "unchanged" : estimated;
  if (change === "added" || !isOpenAfter({ change })) return change;
  return findPlannedChange(kinds.get(address)) ?? (change === "unstated" && isWhole ? "unchanged" : change);
}

/**
 * The change of a usage-based resource by its planned changes; null: no change is planned. What is imported was paid before, and what is
 * no longer managed stays paid: neither is new or gone. A replaced resource existed before, with an unknown cost too.
 */
function findPlannedChange(planned: ReadonlySet<ChangeKind> = new Set()): UsageChange | null {
  if (planned.has("added")) return "added";
  if (planned.has("deleted")) return "deleted";
  return planned.has("changed") || planned.has("replaced") ? "changed" : null;
}

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
function countUsage(resources: readonly { readonly change: UsageChange }[]): UsageCounts {
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
export const sumUsage = (parts: readonly Pick<CostLine, "usage">[]): UsageCounts | undefined =>
  omitZeroCounts(
    parts.reduce<UsageCounts>(
      (sum, { usage = ZERO_COUNTS }) => ({
        before: sum.before + usage.before,
        after: sum.after + usage.after,
        introduced: sum.introduced + usage.introduced,
        deleted: sum.deleted + usage.deleted,
      }),
      ZERO_COUNTS,
    ),
  );

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

/** Why the usage-based resources of a stage are unknown; null: they are known. */
export const findUsageDoubt = (stage: StageReport): UnknownReason | null =>
  findListDoubt(stage, stage.usageBased?.isStated === true);

/** Why a list of resources of a stage is unknown; null: it is known. A part that was not estimated may contain any. */
export function findListDoubt({ state, because }: StageReport, isStated: boolean): UnknownReason | null {
  if (state === "unknown") return because[0] ?? "not_read";
  const missing = because.find((reason) => reason === "not_estimated" || reason === "partly_estimated");
  return missing ?? (isStated ? null : "not_stated");
}
