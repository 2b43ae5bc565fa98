import { mapKeys, normaliseAddress } from "../address.ts";
import type { PlanRow, PlanSnapshot } from "./snapshot.ts";

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

/** The managed resources of a plan, one entry per address. A replaced resource is kept, and changed. */
export function listPlanned(plan: PlanSnapshot): readonly Planned[] {
  const toKey = createAddressKey(plan);
  const groups = [...Map.groupBy(plan.rows.planned_changes, ({ address }) => address)];
  return groups.map(([written, own]) => {
    const changes = new Set(own.map(({ change }) => change));
    const previous = own[0]?.previousAddress;
    return {
      written,
      address: toKey(written),
      previous: previous === undefined ? null : toKey(previous),
      type: own[0]?.type ?? "",
      fate: plan.replaced.has(written) ? "kept" : findFate(changes),
      isChanged: !changes.has("unchanged"),
    };
  });
}

/** One spelling of an address for comparison, with the plan's sensitive keys masked as its rows have them. */
export const createAddressKey =
  ({ mask }: Pick<PlanSnapshot, "mask">) =>
  (address: string): string =>
    normaliseAddress(mapKeys(address, mask));

/** Only an import without another change adds nothing: with one, it is a change of what existed. */
function findFate(changes: ReadonlySet<PlanRow["change"]>): Planned["fate"] {
  if (changes.has("imported")) return changes.size === 1 ? "imported" : "kept";
  if (changes.has("deleted")) return "deleted";
  if (changes.has("removed")) return changes.has("added") ? "abandoned" : "forgotten";
  return changes.has("added") ? "created" : "kept";
}
