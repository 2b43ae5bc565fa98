import { type IngestBody, ingest, type ownOperations } from "../../platform/contract/own-operations.ts";
import { releaseProject } from "../../store/bindings.ts";
import { findRow, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import { listCommitPulls } from "../../store/pulls.ts";
import { findRepositoryByName } from "../../store/repositories.ts";
import type { Area, Context } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import type { InputReader, RawInput, UnparsedBody } from "../http/read-input.ts";
import { readInput } from "../http/read-input.ts";
import { pickStageKey, type StageKey } from "../tables/keys.ts";
import type { Db } from "../tables/tables.ts";
import { announce, bindCommit, checkExecution, deleteCommits, getWriterId, listCommits } from "./commits.ts";
import { lockCosts, type StageCosts } from "./costs.ts";
import { readStage, refuseUnknownStage } from "./stages.ts";

/**
 * Ends a stage. Stated values are final: repeating them has no effect, and different values are refused.
 * Values that were not stated (costs, a commit) may be added later.
 */
export async function endStage(body: PreparedIngest, context: Context) {
  const stage = pickStageKey({ account: context.account, ...body });
  await checkExecution(context, stage, body.commit?.sha);
  await transact(context.db, (trx) => store(trx, context, { stage, body }));
  await announce(context, await listCommits(context.db, stage));
  return { body: { accepted: true as const } };
}

export const bindingHandlers: Area<Pick<typeof ownOperations, "unbindCommit" | "releaseProject">> = {
  unbindCommit: async ({ params, query }, { db, account, onUnbind }) => {
    const repository = await findRepositoryByName(db, query.repository);
    const { repository_id: repositoryId } = repository ?? refuse("not_found", "no repository has this name");
    const { sha, ...execution } = { account, ...params };
    const pulls = await listCommitPulls(db, repositoryId, [sha]);
    const shas = [sha, ...pulls.flatMap(({ head_sha, merge_sha }) => [head_sha, merge_sha ?? head_sha])];
    const enqueuePulls = await transact(db, async (trx: Db) => {
      const isRecorded = await deleteCommits(trx, execution, { repositoryId, ...query, shas });
      return onUnbind(trx, { ...execution, repositoryId, shas, isRecorded });
    });
    if (enqueuePulls === null) refuse("not_found", "the execution is not bound to this commit");
    await enqueuePulls();
    return { body: undefined };
  },

  releaseProject: async ({ params }, { db, account }) => {
    if (!(await releaseProject(db, { account, ...params })))
      refuse("not_found", "no repository owns this project");
    return { body: undefined };
  },
};

async function store(
  trx: Db,
  context: Context,
  { stage, body }: { readonly stage: StageKey; readonly body: PreparedIngest },
): Promise<void> {
  const known = (await lockCosts(trx, stage)) ?? refuseUnknownStage();
  const { workspace, status, no_changes_by } = await readStage(trx, stage);
  // A cost change says itself which stage and workspace it is of; it must be this one.
  if (
    body.stages.some((id) => id !== body.pipeline_stage_id) ||
    body.workspaces.some((id) => id !== workspace)
  )
    refuse(
      "bad_request",
      "a cost change names another stage_execution_id or workspace_id than the stage has",
    );
  const costs = buildCosts(body, workspace);
  checkStatement(body, status === "none" ? null : no_changes_by !== null);
  if (body.no_changes && (await findRow(trx, "platform_snapshots", stage)) !== undefined)
    refuse("conflict", "plan data of this stage was sent, so it has a plan");
  const contradicts = (kind: keyof StageCosts) =>
    known[kind] !== null && costs[kind] !== undefined && known[kind] !== costs[kind];
  if (contradicts("cost") || contradicts("modules"))
    refuse("conflict", "this stage has other costs already, which are final");
  if (status !== "none" && status !== body.status)
    refuse("conflict", `this stage has ended as ${status}, which is final`);
  if (Object.keys(costs).length > 0) await updateRows(trx, "platform_costs", stage, costs);
  await updateRows(
    trx,
    "platform_executions",
    { ...stage, status: "none" },
    {
      status: body.status,
      ...(body.no_changes && { no_changes_by: context.token.name ?? `token ${context.token.id}` }),
    },
  );
  if (body.commit !== undefined)
    await bindCommit(trx, {
      ...stage,
      sha: body.commit.sha,
      repository: body.commit.repository.toLowerCase(),
      repository_id: getWriterId(context.token),
      source: "ingest",
      created_ms: context.clock.now(),
    });
}

/** Refuses a statement of "nothing to plan" beside results, and against what a stage has ended with (null: it has not). */
function checkStatement({ no_changes, status, cost, modules }: PreparedIngest, ended: boolean | null): void {
  const isStated = no_changes === true;
  if (isStated && (status !== "success" || cost !== null || modules !== null))
    refuse("bad_request", "no_changes goes with neither costs nor a failure");
  if (ended !== null && ended !== isStated)
    refuse("conflict", "this stage has ended with a plan, or without one, which is final");
}

/** The costs that the request states. Those of modules say what they are about, as the endpoint that reads them answers. */
function buildCosts(
  { cost, modules, stage_id, pipeline_stage_id }: PreparedIngest,
  workspace_id: string,
): Partial<StageCosts> {
  const about = JSON.stringify({ stage_execution_id: pipeline_stage_id, stage_id, workspace_id });
  return {
    ...(cost !== null && { cost }),
    ...(modules !== null && { modules: `{"modules":${modules},${about.slice(1)}` }),
  };
}

/** What the handler needs of a body. A text is handed on by a thread in a tenth of the time of the value that it says. */
interface PreparedIngest extends Omit<IngestBody, "cost" | "modules"> {
  /** As JSON texts: amounts stay the decimal texts that they are. Null: not sent. */
  readonly cost: string | null;
  readonly modules: string | null;
  /** Of the first cost change; empty without any. */
  readonly stage_id: string;
  /** The distinct stages and workspaces that the cost changes name. */
  readonly stages: readonly string[];
  readonly workspaces: readonly string[];
}

export type IngestReader = InputReader<PreparedIngest>;
/** It may take the bytes of the body. */
export type LargeIngestReader = (raw: RawInput & { readonly body: UnparsedBody }) => ReturnType<IngestReader>;

/** Larger bodies are read by another reader, if there is one. One of this size takes about 10 ms, in bytes. */
const LARGE_BODY = 1024 * 1024;

/** Parses and validates a request, and prepares what the handler stores. The result depends on the request only. */
export const readIngest: IngestReader = async (raw) => {
  const read = await readInput(ingest, raw);
  return "problem" in read ? read : { input: prepareIngest(read.input.body) };
};

export const createIngestReader =
  (readLarge: LargeIngestReader = readIngest): IngestReader =>
  (raw) => {
    const { body } = raw;
    return "bytes" in body && body.bytes.length > LARGE_BODY ? readLarge({ ...raw, body }) : readIngest(raw);
  };

function prepareIngest({ cost, modules, ...rest }: IngestBody): PreparedIngest {
  const costs = [...(cost ? [cost] : []), ...Object.values(modules ?? {})];
  return {
    ...rest,
    cost: cost === undefined ? null : JSON.stringify(cost),
    modules: modules === undefined ? null : JSON.stringify(modules),
    stage_id: costs[0]?.stage_id ?? "",
    stages: [...new Set(costs.map(({ stage_execution_id }) => stage_execution_id))],
    workspaces: [...new Set(costs.map(({ workspace_id }) => workspace_id))],
  };
}
