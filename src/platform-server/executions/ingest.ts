import type { Kysely } from "kysely";
import type { ours } from "../../platform/contract/registry.ts";
import { transact } from "../../store/database/one-connection.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount, type StageKey } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { decodeParts, digestText, type TextParts } from "../area/text-parts.ts";
import { checkCommit, checkProject } from "../http/access.ts";
import { announce, checkExecutionCommit, getWriterId } from "./commits.ts";
import { createUnknownStageProblem } from "./executions.ts";
import type { PreparedIngest, PreparedInputs } from "./read-ingest.ts";
import { bindCommit, listCommits } from "./store/commits.ts";
import { COST_KINDS, type CostKind, lockCosts, saveCosts } from "./store/costs.ts";
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
    const failed = await transact(context.db, (trx) => store(trx, context, { stage, body }));
    if (failed !== null) return failed;
    await announce(context, await listCommits(context.db, stage));
    return { body: { accepted: true } };
  },
};

interface Ingestion {
  readonly stage: StageKey;
  readonly body: PreparedIngest;
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
  const stated = await listStatedCosts(body, execution.workspace);
  if (stated.some(({ kind, digest }) => earlier[kind] !== null && earlier[kind] !== digest))
    return createProblem("conflict", "this stage has other costs already, which are final");
  for (const costs of stated) if (earlier[costs.kind] === null) await saveCosts(trx, stage, costs);
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

interface StatedCosts {
  readonly kind: CostKind;
  readonly parts: TextParts;
  readonly digest: string;
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
  const begun = parts.with(0, `${before}${parts[0] ?? ""}`);
  return begun.with(-1, `${begun.at(-1) ?? ""}${after}`);
}
