import type { z } from "zod";
import { SENSITIVE } from "../../kernel/redact-credentials.ts";
import {
  type Category,
  CHANGE_TYPES,
  type ChangedResource,
  type ChangeType,
  type OutputElement,
  type StateResource as StateElement,
} from "../../platform/contract/resource-changes.ts";
import { joinModulePath, nameDeposed, parseAddress } from "../address.ts";
import { deriveRowChanges, isManaged } from "./actions.ts";
import { buildAttributeChanges, readPlannedTags, withUnknownValues } from "./attribute-changes.ts";
import type { PlanChange, PlanDocument, PlanResource, StateResource } from "./plan-parts.ts";
import { getMemberMark, hasMarks, type Secrets } from "./secrets.ts";

/** One row of a snapshot: its identity, and the complete element to upload. Sensitive values are masked. */
export interface PlanRow {
  /** `unchanged` for rows that describe no change (`resources`, `data_sources`). */
  readonly change: ChangeType;
  /** Full address; the name for outputs. */
  readonly address: string;
  /** Previous address, when the code moves the resource. */
  readonly previousAddress?: string;
  /** Why the plan does this, in Terraform's words. */
  readonly reason?: string;
  readonly type: string;
  readonly name: string;
  /** Module path without instance keys (`web.db`), `root` for none. */
  readonly module: string;
  readonly element:
    | z.input<typeof ChangedResource>
    | z.input<typeof StateElement>
    | z.input<typeof OutputElement>;
}

export type RowsByCategory = Readonly<Record<Category, readonly PlanRow[]>>;

interface PlanRedaction {
  readonly secrets: Secrets;
  /** The tool may be too old to mark every secret. */
  readonly isOld: boolean;
  /** Names. */
  readonly sensitiveOutputs: ReadonlySet<string>;
}

/** Builds the rows of a plan, sorted by change (CHANGE_TYPES), then name, then address. */
export function buildPlanRows(plan: PlanDocument, redaction: PlanRedaction): RowsByCategory {
  const { secrets, sensitiveOutputs } = redaction;
  const buildRows = (resources: readonly PlanResource[], drift: boolean) =>
    resources
      .filter(isManaged)
      .flatMap((resource) => buildChangedRows(resource, redaction, drift))
      .sort(compareRows);
  const buildStateRows = (resources: readonly StateResource[]) =>
    resources.map((resource) => buildStateRow(resource, secrets)).sort(compareRows);
  const planned = buildRows(plan.resource_changes, false);
  const state = plan.prior_state?.values?.root_module ?? [];
  return {
    planned_changes: planned,
    unchanged: planned.filter(({ change }) => change === "unchanged"),
    drift_changes: buildRows(plan.resource_drift, true).filter(({ change }) => change !== "unchanged"),
    resources: buildStateRows(state.filter(isManaged)),
    data_sources: buildStateRows(state.filter((resource) => !isManaged(resource))),
    outputs: [...plan.output_changes]
      .map(([name, output]) => buildOutputRow(name, output, sensitiveOutputs.has(name), secrets))
      .sort(compareRows),
  };
}

function compareRows(a: PlanRow, b: PlanRow): number {
  const byChange = CHANGE_TYPES.indexOf(a.change) - CHANGE_TYPES.indexOf(b.change);
  return byChange || compareText(a.name, b.name) || compareText(a.address, b.address);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function buildChangedRows(
  resource: PlanResource,
  { secrets, isOld }: PlanRedaction,
  drift: boolean,
): readonly PlanRow[] {
  const { change, previous_address: before, action_reason: reason } = resource;
  const { changes: planned, replaced } = deriveRowChanges(change);
  // An object that drifted is one row, even when the drift is a replacement.
  const changes: readonly ChangeType[] = drift && replaced ? ["changed"] : planned;
  const isMoved = before !== undefined && before !== "" && before !== resource.address;
  const identity = buildIdentity(resource, secrets);
  const previousAddress = isMoved ? secrets.maskKeys(before) : undefined;
  const attributes = buildAttributeChanges(change, { drift, isOld, secrets });
  const tags = drift ? undefined : readPlannedTags(identity.type, change, { isOld, secrets });
  return changes.map((own) => ({
    ...identity,
    ...(previousAddress !== undefined && { previousAddress }),
    ...(reason !== undefined && { reason }),
    change: own,
    element: {
      ...buildElement(resource, identity),
      ...(previousAddress !== undefined && { previous_address: previousAddress }),
      ...(reason !== undefined && { action_reason: reason }),
      ...(tags !== undefined && { tags }),
      change: own,
      change_count: Object.keys(attributes).length,
      drift,
      changes: attributes,
      sensitive_attributes: Object.keys(attributes).filter((name) => attributes[name]?.sensitive === true),
    },
  }));
}

/**
 * Builds the row of a resource or data source of the state before the plan. Its attributes are not included.
 */
function buildStateRow(resource: StateResource, secrets: Secrets): PlanRow {
  const identity = buildIdentity(resource, secrets);
  const { values, sensitive_values: marks } = resource;
  const key = typeof values?.["id"] === "string" ? "id" : "arn";
  const id = values?.[key];
  const isOpen = typeof id === "string" && !hasMarks(getMemberMark(marks, key));
  const element = {
    ...buildElement(resource, identity),
    ...(isOpen && { resource_id: secrets.maskText(id) }),
  };
  return { ...identity, change: "unchanged", element };
}

/** Builds the row of an output. A sensitive output has only its name. */
function buildOutputRow(name: string, output: PlanChange, sensitive: boolean, secrets: Secrets): PlanRow {
  const change = deriveRowChanges({ actions: output.actions }).changes[0] ?? "unchanged";
  const maskValue = (value: unknown) => (sensitive && value !== null ? SENSITIVE : secrets.maskValue(value));
  const after = withUnknownValues(output.after ?? null, output.after_unknown);
  const [old, later] = [maskValue(output.before ?? null), maskValue(after)];
  const element = { name, sensitive, change, old, new: later, value: later };
  return { change, address: name, type: "", name, module: "root", element };
}

type ResourceIdentity = Pick<StateResource, "address" | "type" | "name" | "mode" | "provider_name">;

function buildIdentity(
  resource: ResourceIdentity & { readonly deposed?: string | undefined },
  secrets: Secrets,
) {
  const parsed = parseAddress(resource.address);
  const { address, deposed } = resource;
  const shown = secrets.maskKeys(address);
  return {
    address: deposed === undefined ? shown : nameDeposed(shown, deposed),
    type: resource.type ?? parsed?.type ?? "",
    name: resource.name ?? parsed?.name ?? address,
    module: joinModulePath(parsed?.modules ?? []),
  };
}

function buildElement(
  { provider_name: provider, mode = "managed" }: ResourceIdentity,
  { type, name, module, address }: ReturnType<typeof buildIdentity>,
) {
  return { provider: provider?.split("/").at(-1) ?? "", type, name, module, mode, resource_address: address };
}
