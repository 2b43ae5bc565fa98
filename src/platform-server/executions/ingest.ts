import type { Kysely } from "kysely";
import { type IngestBody, ingest } from "../../platform/contract/own-operations.ts";
import type { ours } from "../../platform/contract/registry.ts";
import { releaseProject } from "../../store/bindings.ts";
import { transact } from "../../store/database/transaction.ts";
import { listCommitPulls } from "../../store/pulls.ts";
import { findRepositoryByName } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount, type StageKey } from "../area/keys.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import type { UnparsedBody } from "../http/body/parse-body.ts";
import { type RawInput, type ReadInput, readInput } from "../http/read-input.ts";
import { announce, checkExecution, getWriterId } from "./commits.ts";
import { createUnknownStageProblem } from "./executions.ts";
import { bindCommit, deleteCommits, listCommits } from "./store/commits.ts";
import { lockCosts, type StageCosts, saveCosts } from "./store/costs.ts";
import { findExecution, setFinalStatus } from "./store/executions.ts";
import type { ExecutionTables } from "./store/tables.ts";

/**
 * Ends a stage. Stated values are final: repeating them has no effect, and different values are refused.
 * Values that were not stated (costs, a commit) may be added later.
 */
export const ingestHandlers: Area<
  Pick<typeof ours, "ingest" | "unbindCommit" | "releaseProject">,
  ExecutionTables,
  PreparedInputs
> = {
  ingest: async (body, context) => {
    const { org, project, pipeline_execution_id, pipeline_stage_id } = body;
    const stage = addAccount(context, { org, project, pipeline_execution_id, pipeline_stage_id });
    const refused = await checkExecution(context, stage, body.commit?.sha);
    if (refused !== null) return refused;
    const failed = await transact(context.db, (trx) => store(trx, context, { stage, body }));
    if (failed !== null) return failed;
    await announce(context, await listCommits(context.db, stage));
    return { body: { accepted: true } };
  },

  unbindCommit: async ({ params, query }, context) => {
    const db = context.db.$extendTables<Tables>();
    const repository = await findRepositoryByName(db, query.repository);
    if (repository === undefined) return createProblem("not_found", "no repository has this name");
    const { sha, ...execution } = addAccount(context, params);
    const { repository_id: repositoryId } = repository;
    const pulls = await listCommitPulls(db, repositoryId, [sha]);
    const shas = [sha, ...pulls.flatMap(({ head_sha, merge_sha }) => [head_sha, merge_sha ?? head_sha])];
    const enqueuePulls = await transact(context.db, async (trx: Kysely<ExecutionTables>) => {
      const isRecorded = await deleteCommits(trx, execution, { repositoryId, ...query, shas });
      return context.onUnbind(trx.$extendTables<Tables>(), { ...execution, repositoryId, shas, isRecorded });
    });
    if (enqueuePulls === null) return createProblem("not_found", "the execution is not bound to this commit");
    await enqueuePulls();
    return { body: undefined };
  },

  releaseProject: async ({ params }, context) =>
    (await releaseProject(context.db.$extendTables<Tables>(), addAccount(context, params)))
      ? { body: undefined }
      : createProblem("not_found", "no repository owns this project"),
};

async function store(
  trx: Kysely<ExecutionTables>,
  context: Context<ExecutionTables>,
  { stage, body }: { readonly stage: StageKey; readonly body: PreparedIngest },
): Promise<Problem<"bad_request" | "not_found" | "conflict"> | null> {
  const known = await lockCosts(trx, stage);
  const execution = await findExecution(trx, stage);
  if (known === null || execution === null) return createUnknownStageProblem();
  const costs = buildCosts(body, execution.workspace);
  const refused = findStrayCost(body, execution.workspace) ?? findContradiction(known, costs);
  if (refused !== null) return refused;
  if (execution.status !== "none" && execution.status !== body.status)
    return createProblem("conflict", `this stage has ended as ${execution.status}, which is final`);
  if (Object.keys(costs).length > 0) await saveCosts(trx, stage, costs);
  await setFinalStatus(trx, stage, body.status);
  if (body.commit !== undefined)
    await bindCommit(trx, {
      ...stage,
      sha: body.commit.sha,
      repository: body.commit.repository.toLowerCase(),
      repository_id: getWriterId(context.token),
      source: "ingest",
      created_ms: context.clock.now(),
    });
  return null;
}

/** A cost change says itself which stage and workspace it is of; it must be this one. */
function findStrayCost(
  { stages, workspaces, pipeline_stage_id }: PreparedIngest,
  workspace: string,
): Problem<"bad_request"> | null {
  const isStray =
    stages.some((stage) => stage !== pipeline_stage_id) || workspaces.some((one) => one !== workspace);
  return isStray
    ? createProblem(
        "bad_request",
        "a cost change names another stage_execution_id or workspace_id than the stage has",
      )
    : null;
}

function findContradiction(known: StageCosts, stated: Partial<StageCosts>): Problem<"conflict"> | null {
  const contradicts = (kind: keyof StageCosts) =>
    known[kind] !== null && stated[kind] !== undefined && known[kind] !== stated[kind];
  return contradicts("cost") || contradicts("modules")
    ? createProblem("conflict", "this stage has other costs already, which are final")
    : null;
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

/** The input of the ingestion's handler, by the name of its endpoint. */
export interface PreparedInputs {
  readonly ingest: PreparedIngest;
}

type ReadIngest = Promise<ReadInput<PreparedIngest> | Problem<"bad_request">>;
export type IngestReader = (raw: RawInput) => ReadIngest;
/** It may take the bytes of the body. */
export type LargeIngestReader = (raw: RawInput & { readonly body: UnparsedBody }) => ReadIngest;

/** Larger bodies are read by another reader, if there is one. One of this size takes about 10 ms, in bytes. */
const LARGE_BODY = 1024 * 1024;

/** Parses and validates a request, and prepares what the handler stores. The result depends on the request only. */
export const readIngest: IngestReader = async (raw) => {
  const read = await readInput(ingest, raw);
  return isProblem(read) ? read : { input: prepareIngest(read.input.body) };
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
