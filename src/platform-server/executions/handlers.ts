import { parseSha } from "../../kernel/ids.ts";
import type { EndpointInput } from "../../platform/contract/endpoint.ts";
import type { executions } from "../../platform/contract/executions.ts";
import { has, insertNew } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area, Context } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { readPiece } from "../area/read-piece.ts";
import { coverWorkspace } from "../settings/run-settings-job.ts";
import { pickStageKey } from "../tables/keys.ts";
import { announce, bindCommit, checkExecution, getWriterId } from "./commits.ts";
import { type ExecutionRow, hasExecution, readStage } from "./stages.ts";

/** Handlers for executions: create, get, list, audit event (provisioning 4.2). */
export const executionHandlers: Area<typeof executions> = {
  createExecution: async ({ params, body }, context) => {
    const { account, token, clock } = context;
    const execution = { account, ...params, ...body };
    await checkExecution(context, execution);
    const created_ms = clock.now();
    const row = await transact(context.db, async (trx) => {
      const own = { status: "none", created_ms, head_sha: token.headSha, no_changes_by: null } as const;
      const row = { ...execution, ...own };
      await insertNew(trx, "platform_executions", row);
      const stored = await readStage(trx, execution);
      const { org, project, workspace } = stored;
      await coverWorkspace(trx, { account, org, project, workspace }, created_ms);
      return stored;
    });
    if (row.pipeline !== execution.pipeline || row.workspace !== execution.workspace)
      refuse("conflict", "this execution stage exists with another pipeline or workspace");
    return { body: toWireExecution(row) };
  },

  getExecution: async ({ params }, { db, account }) => ({
    body: toWireExecution(await readStage(db, { account, ...params })),
  }),

  /**
   * The filter `pipeline_execution_id` has two meanings: its name is that of an execution's id, its description in the live
   * service says "Pipeline identifier". An id of an execution counts as such.
   */
  listExecutions: async ({ params, query }, context) => {
    const { account, db } = context;
    const { pipeline_execution_id, pipeline, pipeline_name } = query;
    const pipelines = [pipeline, pipeline_name].filter((name) => name !== undefined);
    const all = selectExecutions(context, { params, query }, pipelines);
    if (pipeline_execution_id === undefined) return readPage(all, query);
    const named = await readPage(all.where(has({ pipeline_execution_id })), query);
    if (named.total > 0 || (await hasExecution(db, { account, ...params, pipeline_execution_id })))
      return named;
    return readPage(
      selectExecutions(context, { params, query }, [...pipelines, pipeline_execution_id]),
      query,
    );
  },

  recordAuditEvent: async ({ params, body }, context) => {
    const { account, db, token } = context;
    const stage = pickStageKey({ account, ...params });
    await readStage(db, stage);
    const event = body.audit.git_audit_data;
    await checkExecution(context, stage, event.hash.toLowerCase());
    const created_ms = context.clock.now();
    await db
      .insertInto("platform_audit_events")
      .values({ ...stage, ...event, token_id: token.id, created_ms })
      .execute();
    const repository = parseRepositoryUrl(event.repo_url);
    const sha = parseSha(event.hash.toLowerCase());
    if (repository === null || sha === null) return { body: undefined };
    const commit = { ...stage, repository, sha, repository_id: getWriterId(token) };
    await bindCommit(db, { ...commit, source: "audit", created_ms });
    await announce(context, [commit]);
    return { body: undefined };
  },
};

/** Absent filters match everything. An execution must be of each of the pipelines: two different ones match nothing. */
function selectExecutions(
  { db, account }: Context,
  { params, query }: EndpointInput<typeof executions.listExecutions>,
  pipelines: readonly string[],
) {
  const { workspace, status, start_time, end_time } = query;
  return db
    .selectFrom("platform_executions")
    .where(has({ account, ...params }))
    .where((eb) =>
      eb.and([
        ...pipelines.map((pipeline) => eb("pipeline", "=", pipeline)),
        ...(workspace === undefined ? [] : [eb("workspace", "=", workspace)]),
        ...(status === undefined ? [] : [eb("status", "in", status)]),
        ...(start_time === undefined ? [] : [eb("created_ms", ">=", start_time)]),
        ...(end_time === undefined ? [] : [eb("created_ms", "<=", end_time)]),
      ]),
    );
}

/** Newest first. */
async function readPage(
  found: ReturnType<typeof selectExecutions>,
  { limit, page }: { readonly limit: number; readonly page: number },
) {
  const ordered = found
    .selectAll()
    .orderBy("created_ms", "desc")
    .orderBy("pipeline_execution_id")
    .orderBy("pipeline_stage_id");
  const { rows, total } = await readPiece(ordered, { limit, offset: (page - 1) * limit });
  return { body: rows.map(toWireExecution), total };
}

function toWireExecution({ created_ms, head_sha: _, no_changes_by, ...row }: ExecutionRow) {
  return { ...row, created: created_ms, ...(no_changes_by !== null && { no_changes_by }) };
}

const SCHEME = /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?[^/]+\/(.*)$/i;
const SCP = /^(?:[^/@:]+@)?[^/:]+:(?!\/\/)(.*)$/;
const OWNER_AND_NAME = /^([a-z0-9-]{1,39})\/([a-z0-9._-]{1,100})$/;

/**
 * Returns `owner/name` in lower case from a repository URL in any of git's forms (`https://…/o/n.git`,
 * `git@host:o/n`, `ssh://git@host/o/n/`). Null unless the path is exactly an owner and a name.
 */
function parseRepositoryUrl(url: string): string | null {
  const trimmed = url.trim();
  const path = (SCHEME.exec(trimmed) ?? SCP.exec(trimmed))?.[1];
  const bare = path
    ?.toLowerCase()
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "")
    .replace(/\.git$/, "");
  const [, owner, name] = OWNER_AND_NAME.exec(bare ?? "") ?? [];
  return owner === undefined || name === undefined ? null : `${owner}/${name}`;
}
