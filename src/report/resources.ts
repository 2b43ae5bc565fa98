import { compare, ZERO } from "../kernel/money.ts";
import type { ChangeKind, ListedResource, ResourceChange, StageCost, StageFacts } from "./model/facts.ts";
import { deriveModulePath } from "./model/module-path.ts";
import { sortLargestFirst } from "./model/order.ts";
import type { ReportedRow, ResourceReport, StageReport } from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { getFactValue } from "./stages.ts";
import { withPercent } from "./totals.ts";
import { hasUsageChange, listUsageResources } from "./usage.ts";

/** Every resource whose cost changes with its planned change, largest absolute change first. */
export function buildResourceReports(stages: readonly StageFacts[]): readonly ResourceReport[] {
  const resources = stages.flatMap((stage) => {
    const cost = getFactValue(stage.cost);
    if (cost === null) return [];
    const priced = new Set(cost.groups.flatMap((group) => group.resources.map(({ address }) => address)));
    const planned = getFactValue(stage.rows)?.rows ?? [];
    const rows = Map.groupBy(
      planned.filter(({ address }) => priced.has(address)),
      ({ address }) => address,
    );
    const used = new Set(listUsageResources(cost).map(({ address }) => address));
    const listed = indexListed(stage);
    const shared = { workspace: stage.workspace, stage: buildStageKey(stage), currency: cost.currency };
    return cost.groups.flatMap(({ type, resources: own }) =>
      own.map(({ address, components, ...amounts }) => ({
        ...withPercent(amounts),
        ...shared,
        address,
        type,
        module: deriveModulePath(address),
        ...describePlannedChange(rows.get(address) ?? []),
        // A key that is spelled in another way is two rows, and one resource of the estimate.
        ...pickTags(
          [listed.get(address), ...(rows.get(address) ?? [])].find((one) => one?.tags !== undefined),
        ),
        ...(components.length > 0 && { components }),
        ...pickPlace(cost, address),
        usageBased: used.has(address),
      })),
    );
  });
  return sortLargestFirst(resources, ({ workspace, address }) => `${address} ${workspace}`);
}

const pickPlace = (cost: StageCost | null, address: string): Pick<ReportedRow, "place"> => {
  const place = cost?.places !== undefined && Object.hasOwn(cost.places, address) && cost.places[address];
  return place ? { place } : {};
};

const indexListed = (stage: StageFacts): ReadonlyMap<string, ListedResource> =>
  new Map((getFactValue(stage.cost)?.listed ?? []).map((one) => [one.address, one]));

const pickTags = (one: Pick<ListedResource, "tags"> | undefined): Pick<ListedResource, "tags"> =>
  one?.tags === undefined ? {} : { tags: one.tags };

/** Kinds of changes by precedence: of several rows of one address, the first kind is the change of the resource. */
const KINDS_BY_WEIGHT: readonly ChangeKind[] = [
  "replaced",
  "deleted",
  "added",
  "removed",
  "imported",
  "changed",
  "drifted",
  "moved",
];

/** What the rows of one address say. */
function describePlannedChange(rows: readonly ResourceChange[]) {
  const planned = rows.filter(({ change }) => change !== "drifted");
  const names = planned.map(({ changedAttributes }) => changedAttributes).filter((own) => own !== undefined);
  const values = planned.findLast(({ attributeChanges }) => attributeChanges !== undefined);
  return {
    action: KINDS_BY_WEIGHT.find((kind) => rows.some(({ change }) => change === kind)) ?? null,
    changedAttributes: names.length === 0 ? null : [...new Set(names.flat())],
    ...(values?.attributeChanges !== undefined && { attributeChanges: values.attributeChanges }),
  };
}

/** Kinds of rows in display order; destructive and unusual ones come first. */
const KINDS: readonly ChangeKind[] = [
  "deleted",
  "replaced",
  "removed",
  "imported",
  "drifted",
  "added",
  "changed",
  "moved",
];

/** The rows of all stages. */
export function buildReportedRows(stages: readonly StageFacts[]): readonly ReportedRow[] {
  const rows = stages.flatMap((one) => {
    const [workspace, stage] = [one.workspace, buildStageKey(one)];
    const listed = indexListed(one);
    const cost = getFactValue(one.cost);
    return (getFactValue(one.rows)?.rows ?? []).map((row): ReportedRow => {
      const own = listed.get(row.address);
      // Platforms list neither, and have 100,000 rows.
      if (own === undefined && cost?.places === undefined) return { ...row, workspace, stage };
      return {
        ...pickTags(own),
        ...row,
        workspace,
        stage,
        ...pickPlace(cost, row.address),
        ...(own?.cost !== undefined && { cost: own.cost }),
      };
    });
  });
  const kinds = Map.groupBy(rows, ({ change }) => change);
  return KINDS.flatMap((kind) => kinds.get(kind) ?? []);
}

/**
 * Whether a pull request changes a stage, or may change it. False only where the plan is known to change
 * nothing and the cost is known to stay. Drift that the plan does not touch does not count.
 */
export function isTouched(stage: StageReport): boolean {
  const { state, change, counts, countsBecause, usage, planNotes } = stage;
  if (hasUsageChange(usage) || (planNotes?.invocations.listed.length ?? 0) > 0) return true;
  if (state !== "known" || change === null || compare(change, ZERO) !== 0) return true;
  if (counts === null || countsBecause !== null) return true;
  return counts.added + counts.changed + counts.deleted + counts.imported + counts.removed > 0;
}
