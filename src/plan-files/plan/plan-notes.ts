import { shorten } from "../../kernel/shorten.ts";
import type { PlanGaps, PlanNotes } from "../../platform/contract/resource-changes.ts";
import { joinModulePath, parseAddress } from "../address.ts";
import { deriveRowChanges, isManaged } from "./actions.ts";
import type { PlanDocument } from "./plan-parts.ts";
import type { PlanMask } from "./secrets.ts";

/** Most deferred changes, invocations and failed checks that are listed. */
const MAX_LISTED = 50;
/** In characters. Length of the message of a failed check. */
const MAX_MESSAGE = 500;

/**
 * Returns what a plan leaves out; null: nothing. A failed plan leaves out anything: that is its state, and no
 * gap. A plan with resources and without the list of changes does not say that nothing changes.
 */
export function findGaps(plan: PlanDocument, listsChanges: boolean, { maskKeys }: PlanMask): PlanGaps | null {
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

export function describeGaps({ deferred, more }: PlanGaps): string {
  const count = deferred.length + more;
  if (count === 0)
    return "the plan is of a part of the code only: what it leaves out is not counted, and limits on counts are undecided";
  const what = count === 1 ? "one change is" : `${count} changes are`;
  return `${what} deferred to a later plan and not counted, so limits on counts are undecided`;
}

export function listInvocations(
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
export function listFailedChecks(
  { checks }: PlanDocument,
  { mask, maskKeys }: PlanMask,
): PlanNotes["failedChecks"] {
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
