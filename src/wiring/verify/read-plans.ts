import { TollgateError } from "../../kernel/errors.ts";
import { listEvaluatedPlans } from "../../policy/evaluated-plans.ts";
import type { WorkspacePlan } from "../../policy/model/apply.ts";
import { previewPull } from "../preview/preview.ts";
import type { PreviewFiles } from "../preview/read-stages.ts";

/** Plans that are about to be applied, one per workspace, and notes for the reader of the files. */
export interface ReadPlans {
  readonly plans: readonly WorkspacePlan[];
  readonly notes: readonly string[];
}

/** Reads files into the plans that an evaluation of them rests on. Throws `usage`, `file_unreadable`, `file_not_recognised`. */
export async function readPlans(files: PreviewFiles): Promise<ReadPlans> {
  const pull = { base: "", author: null, labels: null, paths: null };
  const preview = await previewPull({ ...files, policy: null, pull, nowMs: 0 }, refuseTask);
  if (preview.state !== "previewed") return refuseTask();
  const { evaluation, notes } = preview;
  return { plans: listEvaluatedPlans(evaluation).map(({ plan }) => plan), notes };
}

/** Without a policy there are no tasks. */
const refuseTask = (): Promise<never> =>
  Promise.reject(new TollgateError("internal", "files were evaluated by a policy that was not given"));
