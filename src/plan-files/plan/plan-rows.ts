import type { z } from "zod";
import type { ChangedResource, ChangeType, OutputElement } from "../../platform/contract/resource-changes.ts";
import { joinModulePath, nameDeposed, parseAddress } from "../address.ts";
import { buildAttributeChanges, forEachSensitivePart } from "./attribute-changes.ts";
import type { PlanChange, PlanResource, StateResource } from "./plan-parts.ts";
import { deriveRowChanges } from "./row-changes.ts";
import { MASK } from "./secrets.ts";
import { buildMarksByName, getMemberMark, hasMarks } from "./sensitive-marks.ts";
import type { DraftRow } from "./snapshot.ts";

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
  const maskValue = (value: unknown) => (sensitive && value !== null ? MASK : value);
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
