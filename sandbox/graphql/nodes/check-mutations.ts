import { CheckRunChange, NewCheckRunBody } from "../../actions/check-run-body.ts";
import { createRunByBody, updateRunByBody } from "../../actions/write-check-run.ts";
import type { CheckRun } from "../../state/checks.ts";
import { parseNodeId } from "../../state/node-id.ts";
import { ApiRefusal } from "../../state/refusal.ts";
import type { Repository } from "../../state/repositories.ts";
import {
  type CallerView,
  canSee,
  createGraphqlError,
  type NodeFields,
  requirePermissions,
} from "./caller-view.ts";
import { buildRunFields } from "./checks.ts";

/** Input of `createCheckRun` and `updateCheckRun`; GitHub's schema was applied to it. */
export interface CheckRunInput {
  readonly repositoryId: string;
  readonly checkRunId?: string;
  readonly headSha?: string;
  readonly name?: string;
  readonly externalId?: string;
  readonly detailsUrl?: string;
  readonly status?: string;
  readonly conclusion?: string;
  readonly output?: object;
  readonly actions?: readonly object[];
}

export const createRunByInput = (view: CallerView, input: CheckRunInput): NodeFields =>
  answerInput(() => {
    const repository = requireRepository(view, input);
    const body = NewCheckRunBody.safeParse(toRestBody(input));
    if (!body.success) throw createGraphqlError("UNPROCESSABLE", body.error.issues[0]?.message ?? "invalid");
    const run = createRunByBody(view.world, { repository, appId: view.caller.app.id, body: body.data });
    return { checkRun: () => buildRunFields(view, run) };
  });

export const updateRunByInput = (view: CallerView, input: CheckRunInput): NodeFields =>
  answerInput(() => {
    const run = requireOwnRun(view, input);
    const body = CheckRunChange.safeParse(toRestBody(input));
    if (!body.success) throw createGraphqlError("UNPROCESSABLE", body.error.issues[0]?.message ?? "invalid");
    const updated = updateRunByBody(view.world, run, body.data);
    return { checkRun: () => buildRunFields(view, updated) };
  });

function requireOwnRun(view: CallerView, input: CheckRunInput): CheckRun {
  const repository = requireRepository(view, input);
  const { checkRunId = "" } = input;
  const run = view.world.checkRuns.get(parseNodeId("CheckRun", checkRunId) ?? -1);
  if (run === null || run.repositoryId !== repository.id) throw createMissing(checkRunId);
  if (run.appId === view.caller.app.id) return run;
  throw createGraphqlError("FORBIDDEN", "Resource not accessible by integration");
}

function requireRepository(view: CallerView, { repositoryId }: CheckRunInput): Repository {
  const repository = view.world.repositories.get(parseNodeId("Repository", repositoryId) ?? -1);
  if (repository === null || !canSee(view, repository)) throw createMissing(repositoryId);
  requirePermissions(view, "checks:write");
  return repository;
}

const createMissing = (id: string) =>
  createGraphqlError("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);

const toRestBody = (input: CheckRunInput): object => ({
  ...(input.name !== undefined && { name: input.name }),
  ...(input.headSha !== undefined && { head_sha: input.headSha }),
  ...(input.externalId !== undefined && { external_id: input.externalId }),
  ...(input.detailsUrl !== undefined && { details_url: input.detailsUrl }),
  ...(input.status !== undefined && { status: input.status.toLowerCase() }),
  ...(input.conclusion !== undefined && { conclusion: input.conclusion.toLowerCase() }),
  ...(input.output !== undefined && { output: input.output }),
  ...(input.actions !== undefined && { actions: input.actions }),
});

/** A refusal of the REST route is an error of the field. */
function answerInput(answer: () => NodeFields): NodeFields {
  try {
    return answer();
  } catch (error) {
    if (error instanceof ApiRefusal) throw createGraphqlError("UNPROCESSABLE", error.message);
    throw error;
  }
}
