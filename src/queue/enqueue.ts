import type { Kysely } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import { findLastEntry } from "../store/database/lanes.ts";
import { listBaseMergeGroups, saveMergeGroup } from "../store/merge-groups.ts";
import type { Tables } from "../store/tables/tables.ts";
import { formatLaneKey, type LaneSubject } from "./lane-key.ts";
import type { Queue } from "./queue.ts";

export interface EnqueueDeps {
  readonly db: Kysely<Tables>;
  readonly queue: Queue;
  readonly clock: Clock;
  /** Shortest time between two starts of a lane, in ms: fifty events in a second cost two evaluations, and the first starts at once. */
  readonly laneSpacingMs: number;
}

/** Triggers an evaluation in a lane. */
export async function enqueueLane(deps: EnqueueDeps, subject: LaneSubject): Promise<void> {
  const lane = formatLaneKey(subject);
  const last = await findLastEntry(deps.db, lane);
  const spacing = deps.laneSpacingMs;
  const since = last === null ? spacing : deps.clock.now() - last;
  await deps.queue.enqueue(lane, Math.max(0, Math.min(spacing, spacing - since)));
}

/** GitHub gives up a merge group after at most six hours; in ms. */
export const GROUP_MS = 7 * 3_600_000;

/** Saves a merge group and triggers its evaluation. */
export async function enqueueMergeGroup(
  deps: EnqueueDeps,
  repositoryId: number,
  group: Readonly<Record<"headSha" | "headRef" | "baseRef" | "baseSha", string>>,
): Promise<void> {
  const { headSha, headRef, baseRef, baseSha } = group;
  const row = { repository_id: repositoryId, head_sha: headSha, head_ref: headRef, base_ref: baseRef };
  await saveMergeGroup(deps.db, { ...row, base_sha: baseSha }, new Date(deps.clock.now()));
  await enqueueLane(deps, { kind: "group", repositoryId, headSha });
}

/** Triggers an evaluation of each merge group of a base branch. */
export async function enqueueMergeGroups(
  deps: EnqueueDeps,
  { repositoryId, baseRef }: { readonly repositoryId: number; readonly baseRef: string },
): Promise<void> {
  const after = new Date(deps.clock.now() - GROUP_MS);
  for (const { head_sha: headSha } of await listBaseMergeGroups(deps.db, repositoryId, { baseRef, after }))
    await enqueueLane(deps, { kind: "group", repositoryId, headSha });
}
