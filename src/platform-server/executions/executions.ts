import { parseSha } from "../../kernel/ids.ts";
import type { executions } from "../../platform/contract/registry.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { parseRepositoryUrl } from "../area/repository-url.ts";
import { coverWorkspace } from "../settings/run-settings-job.ts";
import type { SettingsTables } from "../settings/store/tables.ts";
import { announce, checkExecution, getWriterId } from "./commits.ts";
import { bindCommit } from "./store/commits.ts";
import {
  addAuditEvent,
  createExecution,
  type ExecutionFilter,
  type ExecutionRow,
  findExecution,
  hasExecution,
  listExecutions,
} from "./store/executions.ts";
import type { ExecutionTables } from "./store/tables.ts";

/** Handlers for executions: create, get, list, audit event (provisioning 4.2). */
export const executionHandlers: Area<
  Pick<typeof executions, "createExecution" | "getExecution" | "listExecutions" | "recordAuditEvent">,
  ExecutionTables
> = {
  createExecution: async ({ params, body }, context) => {
    const execution = { ...addAccount(context, { ...params, ...body }), ...body };
    const refused = await checkExecution(context, execution);
    if (refused !== null) return refused;
    const created_ms = context.clock.now();
    const row = await transact(context.db, async (trx) => {
      const stored = await createExecution(trx, {
        ...execution,
        status: "none",
        created_ms,
        head_sha: context.token.headSha,
      });
      await coverWorkspace(
        trx.$extendTables<SettingsTables>().$pickTables<keyof SettingsTables>(),
        stored,
        created_ms,
      );
      return stored;
    });
    if (row.pipeline === execution.pipeline && row.workspace === execution.workspace)
      return { body: toWireExecution(row) };
    return createProblem("conflict", "this execution stage exists with another pipeline or workspace");
  },

  getExecution: async ({ params }, context) => {
    const row = await findExecution(context.db, addAccount(context, params));
    return row === null ? createUnknownStageProblem() : { body: toWireExecution(row) };
  },

  listExecutions: async ({ params, query }, context) => {
    const { limit, page, pipeline_execution_id: id } = query;
    const { rows, total } = await listExecutionRows(context, params, {
      workspace: query.workspace,
      pipelineExecutionId: id,
      pipelines: [query.pipeline, query.pipeline_name].filter((name) => name !== undefined),
      statuses: query.status,
      startMs: query.start_time,
      endMs: query.end_time,
      limit,
      offset: (page - 1) * limit,
    });
    return { body: rows.map(toWireExecution), total };
  },

  recordAuditEvent: async ({ params, body }, context) => {
    const stage = addAccount(context, params);
    if ((await findExecution(context.db, stage)) === null) return createUnknownStageProblem();
    const event = body.audit.git_audit_data;
    const refused = await checkExecution(context, stage, event.hash.toLowerCase());
    if (refused !== null) return refused;
    const created_ms = context.clock.now();
    await addAuditEvent(context.db, { ...stage, ...event, token_id: context.token.id, created_ms });
    const repository = parseRepositoryUrl(event.repo_url);
    const sha = parseSha(event.hash.toLowerCase());
    if (repository === null || sha === null) return { body: undefined };
    const commit = { ...stage, repository, sha, repository_id: getWriterId(context.token) };
    await bindCommit(context.db, { ...commit, source: "audit", created_ms });
    await announce(context, [commit]);
    return { body: undefined };
  },
};

export const createUnknownStageProblem = (): Problem<"not_found"> =>
  createProblem("not_found", "there is no such execution stage");

/**
 * The filter `pipeline_execution_id` has two meanings: its name is that of an execution's id, its description in the live
 * service says "Pipeline identifier". An id of an execution counts as such.
 */
async function listExecutionRows(
  { db, token }: Context<ExecutionTables>,
  params: { readonly org: string; readonly project: string },
  query: ExecutionFilter & { readonly limit: number; readonly offset: number },
) {
  const project = addAccount({ token }, params);
  const found = await listExecutions(db, project, query);
  const { pipelineExecutionId: id, pipelines = [] } = query;
  if (
    id === undefined ||
    found.total > 0 ||
    (await hasExecution(db, { ...project, pipeline_execution_id: id }))
  )
    return found;
  const meant = { ...query, pipelineExecutionId: undefined, pipelines: [...pipelines, id] };
  return listExecutions(db, project, meant);
}

function toWireExecution({ created_ms, head_sha: _, ...row }: ExecutionRow) {
  return { ...row, created: created_ms };
}
