import type { Kysely } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import { lastEntered } from "../store/database/lanes.ts";
import { mergeGroupsOfBase } from "../store/merge-groups.ts";
import type { Tables } from "../store/tables/tables.ts";
import { type LaneSubject, laneKey } from "./lane-key.ts";
import type { Queue } from "./queue.ts";

export interface EnqueueDeps {
  readonly db: Kysely<Tables>;
  readonly queue: Queue;
  readonly clock: Clock;
  /** A lane begins a run at most this often, in ms: fifty events in a second cost two runs, and the first is not kept waiting. */
  readonly laneSpacingMs: number;
}

/** Asks a lane to look at the world again. */
export async function enqueueLane(deps: EnqueueDeps, subject: LaneSubject): Promise<void> {
  const lane = laneKey(subject);
  const last = await lastEntered(deps.db, lane);
  const spacing = deps.laneSpacingMs;
  const since = last === null ? spacing : deps.clock.now() - last;
  await deps.queue.enqueue(lane, Math.max(0, Math.min(spacing, spacing - since)));
}

/** GitHub gives up a merge group after six hours at most. */
const GROUP_MS = 7 * 3_600_000;

/** Groups in a base branch's merge queue look again at what their pull requests are worth. */
export async function enqueueMergeGroups(
  deps: EnqueueDeps,
  { repositoryId, baseRef }: { readonly repositoryId: number; readonly baseRef: string },
): Promise<void> {
  const after = new Date(deps.clock.now() - GROUP_MS);
  for (const { head_sha: headSha } of await mergeGroupsOfBase(deps.db, repositoryId, { baseRef, after }))
    await enqueueLane(deps, { kind: "group", repositoryId, headSha });
}
