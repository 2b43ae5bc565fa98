import type { executions } from "../../platform/contract/registry.ts";
import { findExecution } from "../../store/platform/executions.ts";
import { MAX_PAGE } from "../../store/platform/runs.ts";
import { isPushDisabled } from "../../store/settings/push-disabled.ts";
import type { StageKey } from "../../store/tables/keys.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { isProblem, type Problem, problem } from "../area/problem.ts";
import { commitChanges } from "../changes/commit-snapshot.ts";
import { uploadPage } from "../changes/upload-page.ts";
import { UPLOADED_BY_CHANGE_TYPE } from "../changes/uploaded-totals.ts";
import { noSuchStage, stageIn } from "./stage.ts";

const BY_CHANGE_TYPE: readonly string[] = UPLOADED_BY_CHANGE_TYPE;

/** Uploading resource changes: pages, then the counts that commit them (provisioning 3 and 4.2). */
export const uploadHandlers: Area<Pick<typeof executions, "uploadChangePage" | "uploadChangeCounts">> = {
  uploadChangePage: async ({ params, query, body }, context) => {
    const { category, page, ...rest } = params;
    const { change } = query;
    if (page > MAX_PAGE) return problem("bad_request", `pages go up to ${MAX_PAGE}`);
    if (change !== undefined && !BY_CHANGE_TYPE.includes(category))
      return problem("bad_request", `${category} has no pages of one change type`);
    const stage = stageIn(context, rest);
    const refused = await refuseUpload(context, stage);
    if (refused !== null) return refused;
    const failed = await uploadPage(context.db, stage, { category, change, page, body });
    return failed ?? { body: undefined };
  },

  uploadChangeCounts: async ({ params, body }, context) => {
    const stage = stageIn(context, params);
    const refused = await refuseUpload(context, stage);
    if (refused !== null) return refused;
    const committed = await commitChanges(context.db, stage, {
      body,
      nowMs: context.clock.now(),
      retentionMs: context.detailRetentionMs,
    });
    if (isProblem(committed)) return committed;
    // Read now, so that the first reader does not wait for it.
    await context.indexes.get(committed);
    return { body: undefined };
  },
};

async function refuseUpload(
  context: Context,
  stage: StageKey,
): Promise<Problem<"locked" | "not_found"> | null> {
  if (await isPushDisabled(context.db, stage))
    return problem("locked", "plan and state data may not be pushed in this project");
  return (await findExecution(context.db, stage)) === null ? noSuchStage() : null;
}
