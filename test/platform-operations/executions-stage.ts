import { createExecution } from "../../src/platform/contract/executions.ts";
import { ingest } from "../../src/platform/contract/own-operations.ts";
import { uploadChangeCounts, uploadChangePage } from "../../src/platform/contract/resource-changes.ts";
import { change, cost, countsOf } from "../platform-server/stories.ts";
import type { NeverAnswered, Stage } from "./case.ts";

export const PROJECT = { org: "acme", project: "payments" };
export const EXECUTION = { ...PROJECT, pipeline_execution_id: "run-1" };
export const STAGE = { ...EXECUTION, pipeline_stage_id: "stage-1" };
export const OTHER = { ...STAGE, pipeline_stage_id: "stage-2" };

export const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** What a stage run is recorded with. */
export const RUN = {
  pipeline: "deploy",
  pipeline_execution_id: "run-1",
  pipeline_stage_id: "stage-1",
  workspace: "prod-network",
};

export const recorded = (stage: Stage) => stage.call(createExecution, { params: PROJECT, body: RUN });

const ROWS = [change("deleted", "db"), change("added", "web")];
/** What `uploaded` uploads. */
export const COUNTS = countsOf({ planned_changes: ROWS });

export async function uploaded(stage: Stage): Promise<void> {
  await recorded(stage);
  await stage.call(uploadChangePage, {
    params: { ...STAGE, category: "planned_changes", page: 1 },
    body: bytes(ROWS),
  });
}

export async function committed(stage: Stage): Promise<void> {
  await uploaded(stage);
  await stage.call(uploadChangeCounts, { params: STAGE, body: bytes(COUNTS) });
}

export async function ended(stage: Stage): Promise<void> {
  await recorded(stage);
  const { pipeline: _, workspace: __, ...ids } = RUN;
  await stage.call(ingest, {
    body: {
      ...PROJECT,
      ...ids,
      status: "success",
      cost: cost("120.005"),
      modules: { root: cost("120.005") },
    },
  });
}

/** Reasons that several operations share. */
export const NEVER = {
  nothingWritten: { never: "a read contradicts nothing" },
  nothingLocked: { never: "only uploads can be forbidden" },
  added: { never: "it is added to what is there" },
} as const satisfies Record<string, NeverAnswered>;
export const READ = { 409: NEVER.nothingWritten, 423: NEVER.nothingLocked } as const;
