import { TollgateError } from "../../kernel/errors.ts";
import { readWorkspaceFiles, type WorkspaceFiles } from "../import/read-files.ts";
import type { NamedStage } from "../preview/read-stages.ts";

/** One workspace's files of a job; `failed`: they could not be read, so its cost and changes are unknown. */
export interface JobWorkspace {
  readonly workspace: string;
  readonly files: WorkspaceFiles | "failed";
}

export type WorkspaceInput = Pick<NamedStage, "workspace" | "plan" | "estimate">;

/**
 * Reads the files of each workspace. `onNote` receives what their reader should know. A file that cannot be read fails
 * its workspace and not the job, so that the check says so.
 */
export async function readWorkspaces(
  stages: readonly WorkspaceInput[],
  onNote: (note: string) => void,
): Promise<readonly JobWorkspace[]> {
  const read: JobWorkspace[] = [];
  for (const stage of stages)
    read.push({ workspace: stage.workspace, files: await readWorkspace(stage, onNote) });
  return read;
}

async function readWorkspace(
  stage: WorkspaceInput,
  onNote: (note: string) => void,
): Promise<JobWorkspace["files"]> {
  try {
    const files = await readWorkspaceFiles(stage);
    for (const note of files.notes) onNote(`note: ${note}`);
    return files;
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error;
    onNote(`${stage.workspace}: ${[error.message, error.hint].filter(Boolean).join(". ")}`);
    return "failed";
  }
}
