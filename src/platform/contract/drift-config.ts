import { z } from "zod";
import { declareEndpoint } from "./endpoint.ts";
import { EXECUTION_ERRORS, PROJECT } from "./executions.ts";
import {
  ByProvisioner,
  duration,
  enabledToWrite,
  executed,
  JobAccepted,
  pipelineId,
  provisioner,
  readProvisioner,
  readUnit,
  SETTINGS,
  unit,
} from "./shapes/settings-shapes.ts";

/** Drift detection of a project (provisioning 2.2). */
export const DriftConfig = z
  .object({
    enabled: z.boolean().meta({ description: "False: never configured, or disabled since." }),
    executed,
    provisioner: readProvisioner,
    pipeline_id: z.string().optional().meta({ description: "Pipeline that looks for drift." }),
    run_every: z.int().optional().meta({ description: "Interval in `run_every_unit`; only while enabled." }),
    run_every_unit: readUnit.optional(),
  })
  .meta({ id: "DriftConfig" });

export const DriftConfigToWrite = z.object({
  enabled: enabledToWrite,
  pipeline_id: pipelineId,
  provisioner,
  run_every: duration,
  run_every_unit: unit,
});
export type DriftConfigToWrite = z.output<typeof DriftConfigToWrite>;

const common = {
  api: "provisioning",
  area: "settings",
  path: `${SETTINGS}/drift-config`,
  params: z.object(PROJECT),
  errors: EXECUTION_ERRORS,
} as const;

export const getDriftConfig = declareEndpoint({
  ...common,
  operation: "get-drift-config",
  method: "GET",
  summary: "How drift of a project is looked for",
  description:
    "The configuration as it was last accepted, whether or not its job has reached every workspace. One that was never set, or was removed, answers with `enabled` false.",
  source: "provisioning 2.2 and 4.1",
  query: ByProvisioner,
  response: DriftConfig,
  status: 200,
});

export const putDriftConfig = declareEndpoint({
  ...common,
  operation: "put-drift-config",
  method: "PUT",
  summary: "Look for drift of every workspace at an interval",
  description:
    "Keeps the configuration and queues a job that gives every workspace of the project its trigger. The workspaces are those that executions were recorded for when the job runs; later ones get theirs when their first execution is recorded. Of several jobs for one provisioner the newest wins.",
  source: "provisioning 2.2, 2.4 and 4.1",
  body: DriftConfigToWrite,
  response: JobAccepted,
  status: 202,
});

export const deleteDriftConfig = declareEndpoint({
  ...common,
  operation: "delete-drift-config",
  method: "DELETE",
  summary: "Stop looking for drift",
  description:
    "Disables the configuration and queues a job that removes the trigger of every workspace of the project. Where there was none the job finds nothing to do.",
  source: "provisioning 2.4 and 4.1",
  query: ByProvisioner,
  response: JobAccepted,
  status: 202,
});
