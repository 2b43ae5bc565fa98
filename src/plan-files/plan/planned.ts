import type { StatedTags } from "../../kernel/resource-tags.ts";
import { normaliseAddress, parseAddress, parseDeposed } from "../address.ts";
import type { PlanRow } from "./plan-rows.ts";
import type { PlanSnapshot } from "./snapshot.ts";

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
  /** Undefined: unknown. */
  readonly tags: StatedTags | undefined;
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

type Row = Pick<PlanRow, "address" | "previousAddress" | "type"> & {
  readonly change: string;
  readonly element?: PlanRow["element"];
};

function toPlanned(rows: readonly Row[], toKey: (address: string) => string): readonly Planned[] {
  return [...Map.groupBy(rows, ({ address }) => address)].map(([written, own]) => {
    const changes = new Set(own.map(({ change }) => change));
    const { previousAddress: previous, element } = own[0] ?? {};
    return {
      written,
      address: toKey(written),
      previous: previous === undefined ? null : toKey(previous),
      type: own[0]?.type ?? "",
      fate: findFate(changes),
      isChanged: !changes.has("unchanged"),
      tags: element !== undefined && "tags" in element ? element.tags : undefined,
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
    const deleted = own.find(({ fate }) => fate === "deleted");
    if (own.length !== 2 || created === undefined || deleted === undefined) return own;
    return [{ ...created, fate: "kept", tags: joinTags(deleted.tags, created.tags) }];
  });
}

const joinTags = (past: StatedTags | undefined, next: StatedTags | undefined): StatedTags | undefined =>
  typeof past === "object" && typeof next === "object"
    ? { before: past.before ?? past.after, after: next.after }
    : next;

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
