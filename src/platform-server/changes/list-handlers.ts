import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { z } from "zod";
import type { ListedChange } from "../../platform/contract/own-operations.ts";
import type { ours } from "../../platform/contract/registry.ts";
import { type Category, CountsMarker } from "../../platform/contract/shapes/change-snapshot.ts";
import type { Area } from "../area/area.ts";
import { addAccount } from "../area/keys.ts";
import { createProblem } from "../area/problem.ts";
import { listStages } from "../executions/store/executions.ts";
import type { ExecutionTables } from "../executions/store/tables.ts";
import { findPlaces, readRows } from "./read-rows.ts";
import { countRows } from "./store/runs.ts";
import { findCommitted, type SnapshotRow } from "./store/snapshots.ts";
import type { ChangeTables } from "./store/tables.ts";

type ListedChangeBody = z.input<typeof ListedChange>;

/** More rows are for the paged reads. */
const MAX_LISTED = 20_000;
/** Read between two turns of the event loop, which the embedded database runs on. */
const AT_ONCE = 500;
const CHANGES = ["planned_changes", "unchanged", "drift_changes"] as const;
const STATE = ["resources", "data_sources", "outputs"] as const;

/**
 * Returns all resource changes of a stage at once. Only committed snapshots are listed, so that an incomplete
 * upload is never taken for a complete one.
 */
export const listingHandlers: Area<
  Pick<typeof ours, "listChanges" | "readChangeCounts">,
  ChangeTables & ExecutionTables
> = {
  listChanges: async ({ params, query }, context) => {
    const execution = addAccount(context, params);
    const stages = await listStages(context.db, execution);
    const wanted = query.pipeline_stage_id;
    const committed: SnapshotRow[] = [];
    for (const stage of stages) {
      if (wanted !== "" && stage.pipeline_stage_id !== wanted) continue;
      const snapshot = await findCommitted(context.db, stage);
      if (snapshot !== null) committed.push(snapshot);
    }
    const [snapshot, ...others] = committed;
    if (snapshot === undefined) return createProblem("not_found", "there are no resource changes");
    if (others.length > 0)
      return createProblem(
        "bad_request",
        "several stages have resource changes: name one with pipeline_stage_id",
      );
    const lists = await readLists(context, snapshot, query.exclude_state ? CHANGES : [...CHANGES, ...STATE]);
    if (lists === null)
      return createProblem("bad_request", `there are more than ${MAX_LISTED} rows: read them in pages`);
    const { planned_changes = [], unchanged = [], drift_changes = [] } = lists;
    const { resources = [], data_sources = [], outputs = [] } = lists;
    return {
      body: {
        pipeline_execution: snapshot.pipeline_execution_id,
        pipeline_stage: snapshot.pipeline_stage_id,
        workspace_id: stages.find((stage) => stage.pipeline_stage_id === snapshot.pipeline_stage_id)
          ?.workspace,
        planned_changes: [...planned_changes, ...unchanged],
        drift_changes,
        resources,
        data_sources,
        outputs,
      },
    };
  },

  readChangeCounts: async ({ params, query }, context) => {
    const stage = addAccount(context, { ...params, ...query });
    const snapshot = await findCommitted(context.db, stage);
    // Checked when it was uploaded.
    const counts = CountsMarker.safeParse(JSON.parse(snapshot?.counts ?? "null"));
    return counts.success
      ? { body: counts.data }
      : createProblem("not_found", "there are no resource changes");
  },
};

async function readLists(
  { db }: { readonly db: Kysely<ChangeTables> },
  { account, snapshot_id }: SnapshotRow,
  categories: readonly Category[],
): Promise<Partial<Record<Category, ListedChangeBody[]>> | null> {
  const lists: Partial<Record<Category, ListedChangeBody[]>> = {};
  let total = 0;
  for (const category of categories) {
    const key = { account, snapshot_id, category };
    const rows = await countRows(db, key);
    total += rows;
    if (total > MAX_LISTED) return null;
    const list: ListedChangeBody[] = [];
    for (let from = 0; from < rows; from += AT_ONCE) {
      list.push(...(await readRows(db, key, await findPlaces(db, key, { from, to: from + AT_ONCE }))));
      await setImmediate();
    }
    lists[category] = list;
  }
  return lists;
}
