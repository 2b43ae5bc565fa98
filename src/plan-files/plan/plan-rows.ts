import type { z } from "zod";
import { SENSITIVE } from "../../kernel/redact-credentials.ts";
import type { ChangedResource, ChangeType, OutputElement } from "../../platform/contract/resource-changes.ts";
import { joinModulePath, nameDeposed, normaliseAddress, parseAddress, parseDeposed } from "../address.ts";
import { buildAttributeChanges, forEachSensitivePart } from "./attribute-changes.ts";
import type { PlanChange, PlanResource, StateResource } from "./plan-parts.ts";
import { buildMarksByName, getMemberMark, hasMarks } from "./secrets.ts";
import type { DraftRow, PlanRow, PlanSnapshot } from "./snapshot-builder.ts";

/** The members that identify a resource in any part of the plan. */
type ResourceIdentity = Pick<PlanResource, "address" | "type" | "name" | "mode" | "provider_name">;

/**
 * Whether the resource is managed: neither a data source nor ephemeral. A missing or unknown mode counts as
 * managed.
 */
export function isManaged(resource: {
  readonly address: string;
  readonly mode?: string | undefined;
}): boolean {
  return !UNCOUNTED_MODES.has(resource.mode ?? parseAddress(resource.address)?.mode ?? "managed");
}

const UNCOUNTED_MODES: ReadonlySet<string> = new Set(["data", "ephemeral", "list"]);

/** Builds the rows of one planned change, with its attribute changes when `elements` is true. */
export function buildChangedRows(
  resource: PlanResource,
  options: { elements: boolean; drift: boolean },
): DraftRow[] {
  const { changes: planned, replaced } = deriveRowChanges(resource.change.actions, isImporting(resource));
  // An object that drifted is one row, even when the drift is a replacement.
  const changes: readonly ChangeType[] = options.drift && replaced ? ["changed"] : planned;
  const { action_reason } = resource;
  const reason = action_reason === undefined ? {} : { reason: action_reason };
  const identity = { ...buildIdentity(resource), ...pickPreviousAddress(resource), ...reason };
  if (!options.elements) return changes.map((change) => ({ ...identity, change, element: "" }));
  const attributes = buildAttributeChanges(resource.change, options.drift);
  return changes.map((change) => ({
    ...identity,
    change,
    element: JSON.stringify({
      ...buildElement(resource, identity),
      ...(identity.previousAddress === undefined ? {} : { previous_address: identity.previousAddress }),
      ...(action_reason === undefined ? {} : { action_reason }),
      change,
      change_count: Object.keys(attributes).length,
      drift: options.drift,
      changes: attributes,
      sensitive_attributes: Object.keys(attributes).filter((name) => attributes[name]?.sensitive === true),
    } satisfies z.input<typeof ChangedResource>),
  }));
}

/** Whether single attributes of the resource change, unlike in a creation or deletion. */
export const hasAttributeChanges = ({ change: { actions } }: PlanResource): boolean =>
  actions.includes("update") || deriveRowChanges(actions, false).replaced;

/**
 * Builds the row of a resource or data source of the state before the plan. Its attributes are not included.
 */
export function buildStateRow(resource: StateResource, elements: boolean): DraftRow {
  const identity = buildIdentity(resource);
  const { values = {}, sensitive_values: marks = buildMarksByName(values) } = resource;
  const key = typeof values?.["id"] === "string" ? "id" : "arn";
  const id = values?.[key];
  const idIsOpen = typeof id === "string" && !hasMarks(getMemberMark(marks, key));
  const element = { ...buildElement(resource, identity), ...(idIsOpen ? { resource_id: id } : {}) };
  return { ...identity, change: "unchanged", element: elements ? JSON.stringify(element) : "" };
}

/** Builds the row of an output. A sensitive output has only its name. */
export function buildOutputRow(name: string, output: PlanChange, sensitive: boolean): DraftRow {
  const change = deriveOutputChange(output.actions);
  const maskValue = (value: unknown) => (sensitive && value !== null ? SENSITIVE : value);
  const [old, later] = [maskValue(output.before ?? null), maskValue(output.after ?? null)];
  const element = { name, sensitive, change, old, new: later, value: later } satisfies z.input<
    typeof OutputElement
  >;
  return { change, address: name, type: "", name, module: "root", element: JSON.stringify(element) };
}

/** Calls `found` with every value of a state resource that is marked as sensitive. */
export function forEachSensitiveValue(resource: StateResource, found: (part: unknown) => void): void {
  const marks = resource.sensitive_values;
  forEachSensitivePart({ actions: [], before: resource.values, before_sensitive: marks }, found);
}

/** Returns the object's previous address, when its address changes. */
function pickPreviousAddress({ address, previous_address: before }: PlanResource): {
  previousAddress?: string;
} {
  return before === undefined || before === "" || before === address ? {} : { previousAddress: before };
}

/** Whether an existing object is imported. */
export function isImporting(resource: PlanResource): boolean {
  return resource.change.importing !== undefined && resource.change.importing !== null;
}

function deriveOutputChange(actions: readonly string[]): ChangeType {
  return deriveRowChanges(actions, false).changes[0] ?? "unchanged";
}

function buildIdentity(resource: ResourceIdentity & { readonly deposed?: string | undefined }) {
  const parsed = parseAddress(resource.address);
  const { address, deposed } = resource;
  return {
    address: deposed === undefined ? address : nameDeposed(address, deposed),
    type: resource.type ?? parsed?.type ?? "",
    name: resource.name ?? parsed?.name ?? resource.address,
    module: joinModulePath(parsed?.modules ?? []),
  };
}

function buildElement(resource: ResourceIdentity, identity: ReturnType<typeof buildIdentity>) {
  return {
    provider: resource.provider_name?.split("/").at(-1) ?? "",
    type: identity.type,
    name: identity.name,
    module: identity.module,
    mode: resource.mode ?? "managed",
    resource_address: identity.address,
  };
}

/**
 * The rows that one entry of a plan produces. A replacement is a deletion and a creation at the same address.
 */
interface RowChanges {
  readonly changes: readonly ChangeType[];
  readonly replaced: boolean;
}

const NO_CHANGES: RowChanges = { changes: [], replaced: false };

const CHANGE_BY_ACTION: ReadonlyMap<string, ChangeType> = new Map([
  ["delete", "deleted"],
  ["create", "added"],
  ["update", "changed"],
  ["forget", "removed"],
]);

/** Whether there is at least one action and all of them are known. */
export const areActionsKnown = (actions: readonly string[]): boolean =>
  actions.length > 0 && actions.every((action) => CHANGE_BY_ACTION.has(action) || WITHOUT_CHANGE.has(action));

const WITHOUT_CHANGE: ReadonlySet<string> = new Set(["no-op", "read"]);

/**
 * Derives the rows of a set of actions (`["delete", "create"]`, `["no-op"]`, …), in the sort order of rows.
 * An import counts in addition to other actions, as in the tools' own counts. A read produces no row.
 */
export function deriveRowChanges(actions: readonly string[], importing: boolean): RowChanges {
  const changes: ChangeType[] = [];
  for (const [action, change] of CHANGE_BY_ACTION) if (actions.includes(action)) changes.push(change);
  const known = changes.length > 0 || actions.includes("no-op");
  if (!known) return importing ? { changes: ["imported"], replaced: false } : NO_CHANGES;
  if (importing) changes.push("imported");
  if (changes.length === 0) changes.push("unchanged");
  return { changes, replaced: actions.includes("delete") && actions.includes("create") };
}

/** What happens to one address of a plan. */
export interface Planned {
  /** As the plan writes it. */
  readonly written: string;
  /** In the spelling of `createAddressKey`. */
  readonly address: string;
  /** Its address before, in the same spelling, when the code moves it; null: it stays where it is. */
  readonly previous: string | null;
  readonly type: string;
  /** `abandoned`: the object at this address is forgotten and another one is created there. */
  readonly fate: "created" | "deleted" | "forgotten" | "abandoned" | "imported" | "kept";
  readonly isChanged: boolean;
}

/**
 * The managed resources of a plan, one entry per address. A replaced resource is kept, and changed. Deposed
 * objects are not among them: no code and no estimate has them. Of deferred changes those are that an estimate
 * of code cannot know.
 */
export function listPlanned(plan: PlanSnapshot): readonly Planned[] {
  const rows = plan.rows.planned_changes.filter(({ address }) => parseDeposed(address) === null);
  const deferred = (plan.incomplete?.deferred ?? []).map((one) => {
    return { ...one, type: parseAddress(one.address)?.type ?? "" };
  });
  const toKey = createAddressKey(plan);
  return [...joinSpellings(toPlanned(rows, toKey)), ...toPlanned(deferred, toKey).filter(isKnownToPlanOnly)];
}

/** Whether the plan says of a resource's cost what an estimate of code cannot know: see `reconcileWithPlan`. */
export const isKnownToPlanOnly = ({ fate, previous }: Planned): boolean =>
  previous !== null || fate === "imported" || fate === "forgotten" || fate === "abandoned";

type Row = Pick<PlanRow, "address" | "previousAddress" | "type"> & { readonly change: string };

function toPlanned(rows: readonly Row[], toKey: (address: string) => string): readonly Planned[] {
  return [...Map.groupBy(rows, ({ address }) => address)].map(([written, own]) => {
    const changes = new Set(own.map(({ change }) => change));
    const previous = own[0]?.previousAddress;
    return {
      written,
      address: toKey(written),
      previous: previous === undefined ? null : toKey(previous),
      type: own[0]?.type ?? "",
      fate: findFate(changes),
      isChanged: !changes.has("unchanged"),
    };
  });
}

/**
 * Joins what is deleted under one spelling of a key and created under another, as when `count` becomes
 * `for_each` (`[0]`, `["0"]`): an estimate has one resource there, before and afterwards, so it is kept, and changed.
 */
function joinSpellings(planned: readonly Planned[]): readonly Planned[] {
  return [...Map.groupBy(planned, ({ address }) => address).values()].flatMap((own) => {
    const created = own.find(({ fate }) => fate === "created");
    const isRekeyed = own.length === 2 && own.some(({ fate }) => fate === "deleted");
    return created !== undefined && isRekeyed ? [{ ...created, fate: "kept" }] : own;
  });
}

/** Returns the addresses that a plan has in code or state, in the spelling of `createAddressKey`; null: not all of them. */
export function listKnownAddresses(plan: PlanSnapshot): ReadonlySet<string> | null {
  if (!plan.isWhole) return null;
  const rows = [...plan.rows.planned_changes, ...plan.rows.resources];
  const addresses = rows.flatMap(({ address, previousAddress = address }) => [address, previousAddress]);
  const toKey = createAddressKey(plan);
  return new Set(addresses.map((address) => toKey(parseDeposed(address) ?? address)));
}

/** One spelling of an address for comparison, with the plan's sensitive keys masked as its rows have them. */
export const createAddressKey =
  ({ maskKeys }: Pick<PlanSnapshot, "maskKeys">) =>
  (address: string): string =>
    normaliseAddress(maskKeys(address));

/** Only an import without another change adds nothing: with one, it is a change of what existed. */
function findFate(changes: ReadonlySet<string>): Planned["fate"] {
  if (changes.has("imported")) return changes.size === 1 ? "imported" : "kept";
  if (changes.has("deleted")) return changes.has("added") ? "kept" : "deleted";
  if (changes.has("removed")) return changes.has("added") ? "abandoned" : "forgotten";
  return changes.has("added") ? "created" : "kept";
}
