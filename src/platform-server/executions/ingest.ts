import type { Kysely } from "kysely";
import type { ours } from "../../platform/contract/registry.ts";
import { transact } from "../../store/database/one-connection.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount, type StageKey } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { decodeParts, digestText, splitText, type TextParts } from "../area/text-parts.ts";
import { checkCommit, checkProject } from "../http/access.ts";
import { announce, checkExecutionCommit, getWriterId } from "./commits.ts";
import { createUnknownStageProblem } from "./executions.ts";
import type { PreparedIngest, PreparedInputs } from "./read-ingest.ts";
import { bindCommit, listCommits } from "./store/commits.ts";
import {
  COST_KINDS,
  type CostDigests,
  lockCosts,
  readCostDigests,
  type StatedCosts,
  saveCostParts,
  saveCosts,
} from "./store/costs.ts";
import { findExecution, setFinalStatus } from "./store/executions.ts";
import type { ExecutionTables } from "./store/tables.ts";

/**
 * Ends a stage. Stated values are final: repeating them has no effect, and different values are refused.
 * Values that were not stated (costs, a commit) may be added later.
 */
export const ingestHandlers: Area<Pick<typeof ours, "ingest">, ExecutionTables, PreparedInputs> = {
  ingest: async (body, context) => {
    const { token } = context;
    const { org, project, pipeline_execution_id, pipeline_stage_id } = body;
    const stage = addAccount(context, { org, project, pipeline_execution_id, pipeline_stage_id });
    const refused =
      checkProject(token, body) ??
      (body.commit === undefined ? null : checkCommit(token, body.commit.sha)) ??
      (await checkExecutionCommit(context, stage));
    if (refused !== null) return refused;
    const execution = await findExecution(context.db, stage);
    if (execution === null) return createUnknownStageProblem();
    const { workspace } = execution;
    const costs = await listStatedCosts(body, workspace);
    const unsaved = findStrayCost(body, workspace) ?? (await saveLongTexts(context, stage, costs));
    if (unsaved !== null) return unsaved;
    const ingestion = { stage, body, workspace, costs };
    const failed = await transact(context.db, (trx) => store(trx, context, ingestion));
    if (failed !== null) return failed;
    await announce(context, await listCommits(context.db, stage));
    return { body: { accepted: true } };
  },
};

interface Ingestion {
  readonly stage: StageKey;
  readonly body: PreparedIngest;
  readonly workspace: string;
  readonly costs: readonly StatedCosts[];
}

/** Not in the transaction: one that stores 16 MB would keep all others from the embedded database for a second. */
async function saveLongTexts(
  { db }: Context<ExecutionTables>,
  stage: StageKey,
  costs: readonly StatedCosts[],
): Promise<Problem<"conflict"> | null> {
  const long = costs.filter(({ parts }) => parts.length > 1);
  if (long.length === 0) return null;
  const known = await readCostDigests(db, stage);
  const contradiction = findContradiction(known, costs);
  if (contradiction !== null) return contradiction;
  for (const text of long) if (known[text.kind] === null) await saveCostParts(db, stage, text);
  return null;
}

async function store(
  trx: Kysely<ExecutionTables>,
  context: Context<ExecutionTables>,
  { stage, body, workspace, costs }: Ingestion,
): Promise<Problem<"not_found" | "conflict"> | null> {
  const earlier = await lockCosts(trx, stage);
  const execution = await findExecution(trx, stage);
  if (earlier === null || execution?.workspace !== workspace) return createUnknownStageProblem(); // it was deleted meanwhile
  if (execution.status !== "none" && execution.status !== body.status)
    return createProblem("conflict", `this stage has ended as ${execution.status}, which is final`);
  const contradiction = findContradiction(earlier, costs);
  if (contradiction !== null) return contradiction;
  for (const stated of costs) if (earlier[stated.kind] === null) await saveCosts(trx, stage, stated);
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

function findContradiction(known: CostDigests, stated: readonly StatedCosts[]): Problem<"conflict"> | null {
  const contradicts = ({ kind, digest }: StatedCosts) => known[kind] !== null && known[kind] !== digest;
  return stated.some(contradicts)
    ? createProblem("conflict", "this stage has other costs already, which are final")
    : null;
}

/** The costs that the request states. Those of modules say what they are about, as the endpoint that reads them answers. */
function listStatedCosts(
  { cost, modules, stage_id, pipeline_stage_id }: PreparedIngest,
  workspace_id: string,
): Promise<readonly StatedCosts[]> {
  const about = JSON.stringify({ stage_execution_id: pipeline_stage_id, stage_id, workspace_id });
  const texts = {
    cost: cost && decodeParts(cost),
    modules: modules && surround('{"modules":', decodeParts(modules), `,${about.slice(1)}`),
  };
  const stated = COST_KINDS.flatMap((kind) => {
    const parts = texts[kind];
    return parts === null ? [] : [{ kind, parts }];
  });
  return Promise.all(stated.map(async (costs) => ({ ...costs, digest: await digestText(costs.parts) })));
}

function surround(before: string, parts: TextParts, after: string): TextParts {
  return parts.length === 1
    ? splitText(`${before}${parts[0] ?? ""}${after}`)
    : [before, ...parts, ...splitText(after)];
}
