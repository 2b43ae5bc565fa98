import type { Kysely } from "kysely";
import type { IngestBody } from "../../platform/contract/own-operations.ts";
import type { ours } from "../../platform/contract/registry.ts";
import { transact } from "../../store/database/one-connection.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount, type StageKey } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { checkCommit, checkProject } from "../http/access.ts";
import { announce, checkExecutionCommit, getWriterId } from "./commits.ts";
import { createUnknownStageProblem } from "./executions.ts";
import { bindCommit, listCommits } from "./store/commits.ts";
import { lockCosts, type StageCosts, saveCosts } from "./store/costs.ts";
import { findExecution, setFinalStatus } from "./store/executions.ts";
import type { ExecutionTables } from "./store/tables.ts";

/**
 * Ends a stage. Stated values are final: repeating them has no effect, and different values are refused.
 * Values that were not stated (costs, a commit) may be added later.
 */
export const ingestHandlers: Area<Pick<typeof ours, "ingest">, ExecutionTables> = {
  ingest: async ({ body }, context) => {
    const { token } = context;
    const { org, project, pipeline_execution_id, pipeline_stage_id } = body;
    const stage = addAccount(context, { org, project, pipeline_execution_id, pipeline_stage_id });
    const refused =
      checkProject(token, body) ??
      (body.commit === undefined ? null : checkCommit(token, body.commit.sha)) ??
      (await checkExecutionCommit(context, stage));
    if (refused !== null) return refused;
    const failed = await transact(context.db, (trx) => store(trx, context, { stage, body }));
    if (failed !== null) return failed;
    await announce(context, await listCommits(context.db, stage));
    return { body: { accepted: true } };
  },
};

interface Ingestion {
  readonly stage: StageKey;
  readonly body: IngestBody;
}

async function store(
  trx: Kysely<ExecutionTables>,
  context: Context<ExecutionTables>,
  { stage, body }: Ingestion,
): Promise<Problem<"bad_request" | "not_found" | "conflict"> | null> {
  if ((await findExecution(trx, stage)) === null) return createUnknownStageProblem();
  const earlier = await lockCosts(trx, stage);
  const execution = await findExecution(trx, stage);
  if (execution === null) return createUnknownStageProblem();
  const stray = findStrayCost(body, execution.workspace);
  if (stray !== null) return stray;
  if (execution.status !== "none" && execution.status !== body.status)
    return createProblem("conflict", `this stage has ended as ${execution.status}, which is final`);
  const costs = merge(earlier, selectStageCosts(body, execution.workspace));
  if (costs === null) return createProblem("conflict", "this stage has other costs already, which are final");
  await saveCosts(trx, stage, costs);
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
function findStrayCost(body: IngestBody, workspace: string): Problem<"bad_request"> | null {
  const costs = [...(body.cost ? [body.cost] : []), ...Object.values(body.modules ?? {})];
  const stray = costs.some(
    ({ stage_execution_id, workspace_id }) =>
      stage_execution_id !== body.pipeline_stage_id || workspace_id !== workspace,
  );
  return stray
    ? createProblem(
        "bad_request",
        "a cost change names another stage_execution_id or workspace_id than the stage has",
      )
    : null;
}

/** As JSON texts: amounts stay the decimal texts that they are. */
function selectStageCosts(
  { cost, modules, pipeline_stage_id }: IngestBody,
  workspace_id: string,
): StageCosts {
  const sample = cost ?? Object.values(modules ?? {})[0];
  const about = { stage_execution_id: pipeline_stage_id, stage_id: sample?.stage_id ?? "", workspace_id };
  return {
    cost: cost === undefined ? null : JSON.stringify(cost),
    modules: modules === undefined ? null : JSON.stringify({ modules, ...about }),
  };
}

/** What is known after `incoming`; null when it contradicts what was known before. */
function merge(known: StageCosts, incoming: StageCosts): StageCosts | null {
  const contradicts = (a: string | null, b: string | null) => a !== null && b !== null && a !== b;
  if (contradicts(known.cost, incoming.cost) || contradicts(known.modules, incoming.modules)) return null;
  return { cost: known.cost ?? incoming.cost, modules: known.modules ?? incoming.modules };
}
