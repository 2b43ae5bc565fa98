import type { executions } from "../../platform/contract/registry.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount, type StageKey } from "../area/keys.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { checkExecutionCommit } from "../executions/commits.ts";
import { createUnknownStageProblem } from "../executions/executions.ts";
import { findExecution } from "../executions/store/executions.ts";
import type { ExecutionTables } from "../executions/store/tables.ts";
import { isPushDisabled } from "../settings/store/push-disabled.ts";
import type { SettingsTables } from "../settings/store/tables.ts";
import { commitChanges } from "./commit-snapshot.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import { MAX_PAGE } from "./store/runs.ts";
import type { ChangeTables } from "./store/tables.ts";
import { saveUploadedPage } from "./upload-page.ts";
import { UPLOADED_BY_CHANGE_TYPE } from "./uploaded-totals.ts";

/** Whether a project takes uploads is one of its settings. */
type UploadTables = ChangeTables & ExecutionTables & SettingsTables;

const BY_CHANGE_TYPE: readonly string[] = UPLOADED_BY_CHANGE_TYPE;

/**
 * Handlers for uploading resource changes: pages, then the counts that commit them (provisioning 3 and 4.2).
 */
export const createUploadHandlers = (
  indexes: SnapshotCache,
): Area<Pick<typeof executions, "uploadChangePage" | "uploadChangeCounts">, UploadTables> => ({
  uploadChangePage: async ({ params, query, body }, context) => {
    const { category, page, ...rest } = params;
    const { change } = query;
    if (page > MAX_PAGE) return createProblem("bad_request", `pages go up to ${MAX_PAGE}`);
    if (change !== undefined && !BY_CHANGE_TYPE.includes(category))
      return createProblem("bad_request", `${category} has no pages of one change type`);
    const stage = addAccount(context, rest);
    const refused = await refuseUpload(context, stage);
    if (refused !== null) return refused;
    const failed = await saveUploadedPage(context.db, stage, { category, change, page, body });
    return failed ?? { body: undefined };
  },

  uploadChangeCounts: async ({ params, body }, context) => {
    const stage = addAccount(context, params);
    const refused = await refuseUpload(context, stage);
    if (refused !== null) return refused;
    const committed = await commitChanges(context.db, stage, {
      body,
      nowMs: context.clock.now(),
      retentionMs: context.detailRetentionMs,
    });
    if (isProblem(committed)) return committed;
    // Read now, so that the first reader does not wait for it.
    await indexes.get(committed);
    return { body: undefined };
  },
});

async function refuseUpload(
  context: Context<UploadTables>,
  stage: StageKey,
): Promise<Problem<"forbidden" | "locked" | "not_found"> | null> {
  const refused = await checkExecutionCommit(context, stage);
  if (refused !== null) return refused;
  if (await isPushDisabled(context.db, stage))
    return createProblem("locked", "plan and state data may not be pushed in this project");
  return (await findExecution(context.db, stage)) === null ? createUnknownStageProblem() : null;
}
