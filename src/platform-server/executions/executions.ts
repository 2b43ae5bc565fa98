import { parseSha } from "../../kernel/ids.ts";
import type { executions } from "../../platform/contract/registry.ts";
import { addAuditEvent } from "../../store/platform/audit-events.ts";
import { bindCommit } from "../../store/platform/commits.ts";
import {
  createExecution,
  type ExecutionRow,
  findExecution,
  listExecutions,
} from "../../store/platform/executions.ts";
import type { Area } from "../area.ts";
import { problem } from "../http/problem.ts";
import { repositoryOf } from "../repository-url.ts";
import { announce, writerOf } from "./commits.ts";
import { noSuchStage, stageIn } from "./stage.ts";

/** Executions: create, get, list, audit event (provisioning 4.2). */
export const executionHandlers: Area<
  Pick<typeof executions, "createExecution" | "getExecution" | "listExecutions" | "recordAuditEvent">
> = {
  createExecution: async ({ params, body }, context) => {
    const asked = { ...stageIn(context, { ...params, ...body }), ...body };
    const row = await createExecution(context.db, {
      ...asked,
      status: "none",
      created_ms: context.clock.now(),
    });
    if (row.pipeline === asked.pipeline && row.workspace === asked.workspace) return { body: written(row) };
    return problem("conflict", "this execution stage exists with another pipeline or workspace");
  },

  getExecution: async ({ params }, context) => {
    const row = await findExecution(context.db, stageIn(context, params));
    return row === null ? noSuchStage() : { body: written(row) };
  },

  listExecutions: async ({ params, query }, context) => {
    const { rows, total } = await listExecutions(
      context.db,
      { account: context.token.account, ...params },
      {
        workspace: query.workspace,
        pipelineExecutionId: query.pipeline_execution_id,
        pipeline: query.pipeline_name,
        statuses: query.status,
        startMs: query.start_time,
        endMs: query.end_time,
        limit: query.limit,
        offset: (query.page - 1) * query.limit,
      },
    );
    return { body: rows.map(written), total };
  },

  recordAuditEvent: async ({ params, body }, context) => {
    const stage = stageIn(context, params);
    if ((await findExecution(context.db, stage)) === null) return noSuchStage();
    const event = body.audit.git_audit_data;
    const created_ms = context.clock.now();
    await addAuditEvent(context.db, { ...stage, ...event, token_id: context.token.id, created_ms });
    const repository = repositoryOf(event.repo_url);
    const sha = parseSha(event.hash.toLowerCase());
    if (repository === null || sha === null) return { body: undefined };
    const commit = { ...stage, repository, sha, repository_id: writerOf(context.token) };
    await bindCommit(context.db, { ...commit, source: "audit", created_ms });
    await announce(context, [commit]);
    return { body: undefined };
  },
};

function written({ created_ms, ...row }: ExecutionRow) {
  return { ...row, created: created_ms };
}
