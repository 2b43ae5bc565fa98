import { compare, ZERO } from "../kernel/money.ts";
import type {
  AttributeChange,
  ChangeKind,
  ResourceChange,
  ResourceGroup,
  StageFacts,
} from "./model/facts.ts";
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
    const priced = new Set(cost.groups.flatMap(({ resources: own }) => own.map(({ address }) => address)));
    const rows = (getFactValue(stage.rows)?.rows ?? []).filter(({ address }) => priced.has(address));
    const used = new Set(listUsageResources(cost).map(({ address }) => address));
    const rowDetails = { attributes: collectAttributes(rows), values: collectValues(rows) };
    const actions = { used, kinds: indexStrongestActions(rows), ...rowDetails };
    const shared = { workspace: stage.workspace, stage: buildStageKey(stage), currency: cost.currency };
    return cost.groups.flatMap((group) =>
      listStageResources(group, actions).map((own) => ({ ...own, ...shared })),
    );
  });
  return sortLargestFirst(resources, ({ workspace, address }) => `${address} ${workspace}`);
}

interface ResourceActions {
  readonly used: ReadonlySet<string>;
  readonly kinds: ReadonlyMap<string, ChangeKind>;
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly values: ReadonlyMap<string, readonly AttributeChange[]>;
}

function listStageResources(
  { type, resources }: ResourceGroup,
  { used, kinds, attributes, values }: ResourceActions,
) {
  return resources.map(({ address, components, ...amounts }) => ({
    ...withPercent(amounts),
    address,
    type,
    module: deriveModulePath(address),
    action: kinds.get(address) ?? null,
    changedAttributes: attributes.get(address) ?? null,
    ...pickAttributeChanges(values.get(address)),
    ...(components.length === 0 ? {} : { components }),
    usageBased: used.has(address),
  }));
}

/** The stated attribute names by address; both halves of a replacement state them. */
function collectAttributes(rows: readonly ResourceChange[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const { address, change, changedAttributes } of rows) {
    if (changedAttributes === undefined || change === "drifted") continue;
    all.set(address, [...new Set([...(all.get(address) ?? []), ...changedAttributes])]);
  }
  return all;
}

/** Both halves of a replacement have the same values. */
const collectValues = (rows: readonly ResourceChange[]): ResourceActions["values"] =>
  new Map(
    rows.flatMap(({ address, change, attributeChanges }) =>
      attributeChanges === undefined || change === "drifted" ? [] : [[address, attributeChanges] as const],
    ),
  );

const pickAttributeChanges = (attributeChanges: readonly AttributeChange[] | undefined) =>
  attributeChanges === undefined ? {} : { attributeChanges };

/**
 * Kinds of changes by precedence: of several rows of one address, the first kind is the change of the
 * resource.
 */
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

/** The planned change of each address; deleted and added together is a replacement. */
function indexStrongestActions(rows: readonly ResourceChange[]): ReadonlyMap<string, ChangeKind> {
  const actions = new Map<string, ChangeKind>();
  for (const { address, change } of rows) actions.set(address, pickStronger(actions.get(address), change));
  return actions;
}

function pickStronger(before: ChangeKind | undefined, change: ChangeKind): ChangeKind {
  if (before === undefined) return change;
  if (isReplacement(before, change)) return "replaced";
  return KINDS_BY_WEIGHT.indexOf(before) <= KINDS_BY_WEIGHT.indexOf(change) ? before : change;
}

const isReplacement = (a: ChangeKind, b: ChangeKind): boolean =>
  (a === "deleted" && b === "added") || (a === "added" && b === "deleted");

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

/** The rows of all stages; a deleted and an added row of one address become one replaced row. */
export function buildReportedRows(stages: readonly StageFacts[]): readonly ReportedRow[] {
  const rows = stages.flatMap((stage) =>
    joinReplacements(getFactValue(stage.rows)?.rows ?? []).map(
      (row): ReportedRow => ({ ...row, workspace: stage.workspace, stage: buildStageKey(stage) }),
    ),
  );
  const kinds = Map.groupBy(rows, ({ change }) => change);
  return KINDS.flatMap((kind) => kinds.get(kind) ?? []);
}

function joinReplacements(rows: readonly ResourceChange[]): readonly ResourceChange[] {
  const halves = {
    added: collectAddresses(rows, "added"),
    deleted: collectAddresses(rows, "deleted"),
    replaced: collectAddresses(rows, "replaced"), // the source lists both the replacement and its halves
  };
  return rows.flatMap((row) => {
    const change = deriveWholeChange(row, halves);
    if (change === null) return [];
    return [change === row.change ? row : { ...row, change }];
  });
}

type ReplacementHalves = Readonly<Record<"added" | "deleted" | "replaced", ReadonlySet<string>>>;

/** The change that a row is reported with; null: another row reports it. */
function deriveWholeChange(
  { address, change }: ResourceChange,
  { added, deleted, replaced }: ReplacementHalves,
): ChangeKind | null {
  if (change === "added") return deleted.has(address) || replaced.has(address) ? null : change;
  if (change !== "deleted") return change;
  if (replaced.has(address)) return null;
  return added.has(address) ? "replaced" : change;
}

const collectAddresses = (rows: readonly ResourceChange[], kind: ChangeKind): ReadonlySet<string> =>
  new Set(rows.filter(({ change }) => change === kind).map(({ address }) => address));

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
