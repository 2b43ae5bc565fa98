import { SENSITIVE } from "../../kernel/redact-credentials.ts";
import { shorten } from "../../kernel/shorten.ts";
import type { CountsMarker, PlanGaps, PlanNotes } from "../../platform/contract/resource-changes.ts";
import { joinModulePath, mapKeys, parseAddress } from "../address.ts";
import { deriveRowChanges, isManaged } from "./actions.ts";
import { listMarkedSides } from "./attribute-changes.ts";
import type { PlanDocument } from "./plan-parts.ts";
import { buildPlanRows, type PlanRow, type RowsByCategory } from "./plan-rows.ts";
import {
  forEachPairInText,
  hasMarks,
  type MarkedValue,
  mapSensitive,
  type PlanMask,
  Secrets,
  type SensitiveMarks,
} from "./secrets.ts";

/** How many managed resources change. A replacement counts in `added` and in `deleted`. */
interface PlanCounts {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly imported: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly drifted: number;
}

/** The content of one plan file without sensitive values. */
export interface PlanSnapshot extends PlanMask {
  /** The plan states that planning failed: its changes are incomplete. */
  readonly errored: boolean;
  /** What the plan leaves out; null: nothing. */
  readonly incomplete: PlanGaps | null;
  /** The file has every resource of code and state. False: planning failed, or a part was left out or cut out. */
  readonly isWhole: boolean;
  /**
   * `planned_changes` contains every managed resource of the plan, like the platform's own counts; `unchanged`
   * repeats those without a change.
   */
  readonly rows: RowsByCategory;
  readonly marker: CountsMarker;
  readonly counts: PlanCounts;
  /** Notes for the reader of the file, e.g. that text after the JSON was ignored. */
  readonly notes: readonly string[];
}

/**
 * Builds the snapshot of a plan. `notes`: notes of the document's reader. `listsChanges`: the plan has its list
 * of changes. `isPart`: the file is no plan as a tool writes it.
 */
export function buildSnapshot(
  plan: PlanDocument,
  { notes, listsChanges, isPart }: { notes: readonly string[]; listsChanges: boolean; isPart: boolean },
): PlanSnapshot {
  const sensitiveOutputs = listSensitiveOutputs(plan);
  const isOld = isToolOld(plan);
  const secrets = collectSecrets(plan, { isOld, sensitiveOutputs });
  const masks: PlanMask = {
    mask: (text) => secrets.maskText(text),
    maskKeys: (address) => secrets.maskKeys(address),
  };
  const rows = buildPlanRows(plan, { secrets, isOld, sensitiveOutputs });
  const counts = countPlanRows(rows);
  const errored = plan.errored === true;
  const incomplete = findGaps(plan, listsChanges, masks);
  const { added, changed, deleted, unchanged } = counts;
  return {
    ...masks,
    errored,
    incomplete,
    isWhole: !errored && incomplete === null && listsChanges && !isPart,
    rows,
    marker: {
      PlannedTotal: rows.planned_changes.length,
      PlannedByChangeType: { added, changed, deleted, unchanged },
      Drift: rows.drift_changes.length,
      Resources: rows.resources.length,
      DataSources: rows.data_sources.length,
      Outputs: rows.outputs.length,
      PlanNotes: {
        incomplete,
        invocations: listInvocations(plan, masks),
        failedChecks: listFailedChecks(plan, masks),
      },
    },
    counts,
    notes: [...notes, ...(incomplete === null ? [] : [describeGaps(incomplete)])],
  };
}

function countPlanRows(rows: RowsByCategory): PlanCounts {
  const planned = (change: PlanRow["change"]) =>
    rows.planned_changes.filter((row) => row.change === change).length;
  return {
    added: planned("added"),
    changed: planned("changed"),
    deleted: planned("deleted"),
    imported: planned("imported"),
    removed: planned("removed"),
    unchanged: rows.unchanged.length,
    drifted: rows.drift_changes.length,
  };
}

function listSensitiveOutputs(plan: PlanDocument): ReadonlySet<string> {
  const marked = [...plan.output_changes].filter(([, { before_sensitive, after_sensitive }]) =>
    hasMarks([before_sensitive, after_sensitive]),
  );
  const stated = listStateOutputs(plan).filter(([, { sensitive }]) => sensitive === true);
  return new Set([...marked, ...stated].map(([name]) => name));
}

const listStateOutputs = ({ planned_values: planned, prior_state: prior }: PlanDocument) =>
  [planned?.outputs, prior?.values?.outputs].flatMap((outputs) => Object.entries(outputs ?? {}));

/** Collects every sensitive value of a plan, and the instance keys that read like a masked one. */
function collectSecrets(
  plan: PlanDocument,
  { isOld, sensitiveOutputs }: { isOld: boolean; sensitiveOutputs: ReadonlySet<string> },
): Secrets {
  const secrets = new Secrets();
  const deferred = plan.deferred_changes.flatMap(({ resource_change: one }) => one ?? []);
  const changed = [...plan.resource_changes, ...plan.resource_drift, ...deferred];
  const state = plan.prior_state?.values?.root_module ?? [];
  const invocations = [
    ...plan.action_invocations,
    ...plan.deferred_action_invocations.flatMap(({ action_invocation: one }) => one ?? []),
  ];
  const marked: readonly MarkedValue[] = [
    ...changed.flatMap(({ change }) => listMarkedSides(change, isOld)),
    ...state.map(({ values, sensitive_values: marks }) => toMarked(values, marks)),
    ...invocations.map(({ config_values: values, config_sensitive: marks }) => toMarked(values, marks)),
  ];
  const add = (part: unknown) => secrets.add(part);
  for (const one of marked) {
    mapSensitive(one, add);
    forEachPairInText(one.value, add);
  }
  const declared = Object.entries(plan.configuration?.root_module?.variables ?? {});
  secrets.add([
    ...declared
      .filter(([, { sensitive }]) => sensitive === true)
      .map(([name, { default: value }]) => [value, plan.variables.get(name)?.value]),
    ...listStateOutputs(plan).map(([name, { value }]) => sensitiveOutputs.has(name) && value),
    ...[...plan.output_changes].map(
      ([name, { before, after }]) => sensitiveOutputs.has(name) && [before, after],
    ),
  ]);
  for (const { address, previous_address: previous = "" } of changed)
    reserveKeys(secrets, [address, previous]);
  reserveKeys(
    secrets,
    state.map(({ address }) => address),
  );
  return secrets;
}

const toMarked = (value: unknown, marks: SensitiveMarks): MarkedValue => ({
  value,
  marks,
  byName: marks === undefined,
});

/**
 * Whether the tool may be too old to mark every secret: those that wrote format 0.1 marked values from sensitive
 * variables, but not values that the provider declares to be secret. A plan without a version counts as old.
 */
const isToolOld = ({ format_version: version, plan_format_version: redacted }: PlanDocument): boolean =>
  (version ?? redacted ?? "0.1") === "0.1";

/** Keeps what is masked later from reading like a key of the plan. */
function reserveKeys(secrets: Secrets, addresses: readonly string[]): void {
  for (const address of addresses.filter((one) => one.includes(SENSITIVE)))
    mapKeys(address, (key) => {
      secrets.reserveKey(key);
      return key;
    });
}

/** Most deferred changes, invocations and failed checks that are listed. */
const MAX_LISTED = 50;
/** In characters. Length of the message of a failed check. */
const MAX_MESSAGE = 500;

/**
 * Returns what a plan leaves out; null: nothing. A failed plan leaves out anything: that is its state, and no
 * gap. A plan with resources and without the list of changes does not say that nothing changes.
 */
function findGaps(plan: PlanDocument, listsChanges: boolean, { maskKeys }: PlanMask): PlanGaps | null {
  const deferred = listDeferred(plan);
  const isCut = !listsChanges && plan.planned_values?.root_module.some(({ mode }) => mode === "managed");
  if (plan.errored === true || (plan.complete !== false && !isCut && deferred.length === 0)) return null;
  const listed = deferred.filter((one) => one !== null).slice(0, MAX_LISTED);
  return {
    deferred: listed.map(({ address, change }) => ({ address: maskKeys(address), change })),
    more: deferred.length - listed.length,
  };
}

type Deferred = PlanGaps["deferred"][number];

/** Null: the plan does not say of which object, or what is deferred. */
function listDeferred(plan: PlanDocument): readonly (Deferred | null)[] {
  const changes = plan.deferred_changes.flatMap(({ resource_change: resource }): (Deferred | null)[] => {
    if (resource === undefined) return [null];
    if (!isManaged(resource)) return [];
    const { replaced, changes: kinds } = deriveRowChanges(resource.change);
    return (replaced ? (["replaced"] as const) : kinds).map((change) =>
      change === "unchanged" ? null : { address: resource.address, change },
    );
  });
  const invocations = plan.deferred_action_invocations.map(({ action_invocation: invocation }) =>
    invocation === undefined ? null : { address: invocation.address, change: "invoked" as const },
  );
  return [...changes, ...invocations];
}

function describeGaps({ deferred, more }: PlanGaps): string {
  const count = deferred.length + more;
  if (count === 0)
    return "the plan is of a part of the code only: what it leaves out is not counted, and limits on counts are undecided";
  const what = count === 1 ? "one change is" : `${count} changes are`;
  return `${what} deferred to a later plan and not counted, so limits on counts are undecided`;
}

function listInvocations(
  { action_invocations: all }: PlanDocument,
  { maskKeys }: PlanMask,
): PlanNotes["invocations"] {
  const listed = all.slice(0, MAX_LISTED).map(({ address, type, lifecycle_action_trigger: trigger }) => {
    const parsed = parseAddress(address);
    return {
      address: maskKeys(address),
      type: type ?? parsed?.type ?? "",
      module: joinModulePath(parsed?.modules ?? []),
      resource: maskKeys(trigger?.triggering_resource_address ?? "") || null,
      event: trigger?.action_trigger_event ?? null,
    };
  });
  return { listed, more: all.length - listed.length };
}

/** The failed checks of a plan, one entry per object that was checked. */
function listFailedChecks({ checks }: PlanDocument, { mask, maskKeys }: PlanMask): PlanNotes["failedChecks"] {
  const failed = checks.flatMap(({ address, status, instances }) =>
    (instances?.length ? instances : [{ status, problems: [], address }])
      .filter((one) => one.status === "fail" || one.status === "error")
      .map(({ address: own, problems }) => ({
        address: maskKeys(own?.to_display ?? address?.to_display ?? "a check"),
        problems: (problems ?? []).flatMap(({ message }) => message ?? []),
      })),
  );
  const listed = failed.slice(0, MAX_LISTED).map(({ address, problems }) => ({
    address,
    problems: problems.map((message) => shorten(mask(message), MAX_MESSAGE)),
  }));
  return { listed, more: failed.length - listed.length };
}
