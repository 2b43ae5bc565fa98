import type {
  ChangeKind,
  ResourceChanges,
  StageCost,
  UsageBasedResources,
  UsageChange,
  UsageResource,
} from "../model/facts.ts";
import type { StageUsage } from "../model/report.ts";
import { isOpenAfter } from "./usage-counts.ts";

/** The stated cost of a stage and its planned changes; null: not stated. */
interface UsageInput {
  readonly cost: StageCost | null;
  readonly rows: ResourceChanges | null;
  /** Whether the rows are reliable. */
  readonly isPlanKnown: boolean;
}

/**
 * The usage-based resources of a stage. The plan's change at its address, and the estimate, determine whether
 * a resource is new or changed; where neither states it, the resource may be new.
 */
export function buildStageUsage({ cost, rows, isPlanKnown }: UsageInput): StageUsage {
  if (cost === null) return { resources: [], unnamed: 0, unnamedUnchanged: 0, isStated: false };
  const plan = readPlannedChanges(rows, isPlanKnown);
  const { resources, unnamed, unnamedUnchanged } = cost.usage ?? deriveUsage(cost);
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

interface PlannedChanges {
  readonly kinds: ReadonlyMap<string, ReadonlySet<ChangeKind>>;
  /** Addresses of moved resources, which an estimate reports as deleted and new. */
  readonly moved: { readonly from: ReadonlySet<string>; readonly to: ReadonlySet<string> };
  /** True: the list is complete, so unlisted resources do not change. */
  readonly isWhole: boolean;
}

function readPlannedChanges(rows: ResourceChanges | null, isKnown: boolean): PlannedChanges {
  const all = rows?.rows ?? [];
  const byAddress = Map.groupBy(all, ({ address }) => address);
  const moves = all.filter(({ previousAddress }) => previousAddress !== undefined);
  return {
    kinds: new Map(
      [...byAddress].map(([address, own]) => [address, new Set(own.map(({ change }) => change))]),
    ),
    moved: {
      from: new Set(moves.flatMap(({ previousAddress }) => previousAddress ?? [])),
      to: new Set(moves.map(({ address }) => address)),
    },
    isWhole: isKnown && rows?.unread === 0 && rows.omitted === 0,
  };
}

/** What is imported was paid before, and what is no longer managed stays paid: neither is new or gone. */
const NEW_KINDS: readonly ChangeKind[] = ["added"];
/** A replaced resource existed before, with an unknown cost too. */
const CHANGED_KINDS: readonly ChangeKind[] = ["changed", "replaced"];
const GONE_KINDS: readonly ChangeKind[] = ["deleted"];

function findChange(
  { address, change: estimated }: UsageResource,
  { kinds, moved, isWhole }: PlannedChanges,
): UsageChange {
  const change = estimated === "added" && moved.to.has(address) ? "unchanged" : estimated;
  if (change === "added" || !isOpenAfter({ change })) return change;
  return findPlannedChange(kinds.get(address)) ?? (change === "unstated" && isWhole ? "unchanged" : change);
}

/** The change of a usage-based resource by its planned changes; null: no change is planned. */
function findPlannedChange(planned: ReadonlySet<ChangeKind> | undefined): UsageChange | null {
  const is = (wanted: readonly ChangeKind[]): boolean => wanted.some((kind) => planned?.has(kind) === true);
  if (is(NEW_KINDS)) return is(GONE_KINDS) ? "changed" : "added";
  if (is(GONE_KINDS)) return "deleted";
  return is(CHANGED_KINDS) ? "changed" : null;
}
