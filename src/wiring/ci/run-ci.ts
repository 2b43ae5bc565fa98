import { buildLinks } from "../../evaluate/publish/comment-content.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { createLog } from "../process/log.ts";
import { listMissingPermissions, type PermissionProblem } from "./missing-permissions.ts";
import { type JobTools, type OpenJob, openJob } from "./open-job.ts";
import { readTarget, readWorkspaces, type StatedTarget, type WorkspaceInput } from "./read-target.ts";
import { type JobResult, runJob } from "./run-job.ts";

/** Input of a CI job, beside its environment. */
export interface CiInput extends StatedTarget, Omit<JobTools, "log"> {
  readonly stages: readonly WorkspaceInput[];
  /** Receives messages for the reader of the job's log. */
  readonly onNote: (note: string) => void;
}

/** What a CI job found out. */
export interface CiResult {
  readonly result: JobResult;
  /** The comment's Markdown; null: nothing was evaluated. */
  readonly markdown: string | null;
  /** Title of the check; null: nothing was evaluated. */
  readonly title: string | null;
  /** What GitHub refused to the job's token, the worst first. */
  readonly refused: readonly PermissionProblem[];
  /** Workspaces whose files could not be read. */
  readonly unread: readonly string[];
}

/**
 * Evaluates the pull request of a CI job and publishes check and comment.
 *
 * @throws TollgateError `usage`, `settings_invalid`, `token_permission_missing`, `github_failed`, `file_unreadable`
 */
export async function runCi(input: CiInput): Promise<CiResult> {
  const { ci } = input;
  const target = await readTarget(input);
  const workspaces = await readWorkspaces(input.stages, input.onNote);
  const log = createLog(ci.settings.logLevel, { secrets: ci.token === null ? [] : [ci.token] });
  const job = await openJob(ci, { ...input, log });
  try {
    const result = await runJob(job, { ...target, workspaces });
    return {
      result,
      ...(result.state === "evaluated" ? render(job, result.stored.evaluation) : NOTHING_RENDERED),
      refused: listMissingPermissions(job.github.client.denied, target.event.isFork),
      unread: workspaces.flatMap(({ workspace, files }) => (files === "failed" ? [workspace] : [])),
    };
  } catch (error) {
    const [refused] = listMissingPermissions(job.github.client.denied, target.event.isFork);
    if (refused === undefined) throw error;
    throw new TollgateError("token_permission_missing", refused.message, {
      hint: refused.hint,
      cause: error,
    });
  } finally {
    await job.close();
  }
}

const NOTHING_RENDERED = { markdown: null, title: null };

const render = ({ deps }: OpenJob, evaluation: Evaluation): Pick<CiResult, "markdown" | "title"> => {
  return {
    markdown: deps.renderer.comment(evaluation, {
      ...buildLinks(deps, evaluation.pull),
      mentions: new Set(),
    }),
    title: deps.renderer.title(evaluation),
  };
};
