import type { Kysely } from "kysely";
import type { Waiver } from "../../policy/model/policy.ts";
import type { Tables } from "../tables/tables.ts";
import { listPoliciesInForce } from "./policies-in-force.ts";
import type { RepositoryIds } from "./readable.ts";

/** A waiver of a policy in force. */
export interface WaiverInForce extends Waiver {
  readonly repositoryId: number;
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  /** The base branches whose policy has it. */
  readonly baseRefs: readonly string[];
  /** True: readers may not see figures, so `upTo` is null whatever it is. */
  readonly isHidden: boolean;
}

/**
 * The waivers of these repositories that end after `fromMs` and before `toMs`, in ms since 1970; the first to end first. `inForce`:
 * their policies, where they were read already.
 */
export async function listEndingWaivers(
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  inForce = listPoliciesInForce(db, repositoryIds),
): Promise<readonly WaiverInForce[]> {
  const all = (await inForce).flatMap(({ policy, baseRef, figures, ...place }) =>
    policy.waivers
      .filter(({ untilMs }) => untilMs > fromMs && untilMs < toMs)
      .map((waiver) => ({ ...waiver, ...place, baseRef, isHidden: !figures })),
  );
  const same = Map.groupBy(all, ({ baseRef: _, ...waiver }) => JSON.stringify(waiver));
  return [...same.values()]
    .flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const { baseRef, ...waiver } = first;
      const baseRefs = [baseRef, ...others.map((other) => other.baseRef)];
      return [{ ...waiver, upTo: waiver.isHidden ? null : waiver.upTo, baseRefs }];
    })
    .sort((a, b) => a.untilMs - b.untilMs);
}
