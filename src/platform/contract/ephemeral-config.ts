import { z } from "zod";
import { declareEndpoint } from "./endpoint.ts";
import { EXECUTION_ERRORS, PROJECT } from "./executions.ts";
import {
  ByProvisioner,
  day,
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

/** Automatic destruction of a project's infrastructure (provisioning 2.3). */
export const EphemeralConfig = z
  .object({
    enabled: z.boolean().meta({ description: "False: never configured, or disabled since." }),
    executed,
    provisioner: readProvisioner,
    pipeline_id: z.string().optional().meta({ description: "Pipeline that destroys the infrastructure." }),
    ttl_value: z.int().optional().meta({ description: "Delay before the infrastructure is destroyed." }),
    ttl_unit: readUnit.optional(),
    destroy_on_date: z.string().optional().meta({ description: "Day on which it is destroyed, YYYY-MM-DD." }),
    delete_workspace: z
      .boolean()
      .optional()
      .meta({ description: "Whether the records of the workspace go after it was destroyed." }),
    delete_delay_value: z
      .int()
      .optional()
      .meta({ description: "Delay between destroying the infrastructure and deleting the records." }),
    delete_delay_unit: readUnit.optional(),
    delete_on_date: z.string().optional().meta({ description: "Day on which the records go, YYYY-MM-DD." }),
  })
  .meta({ id: "EphemeralConfig" });

const hasBothOrNone = (value: unknown, unit: unknown): boolean =>
  (value === undefined) === (unit === undefined);
const UNPAIRED = "a delay needs its value and its unit";

/** The delay until the destruction has two names: that of the writes, and that of the reads. */
export const EphemeralConfigToWrite = z
  .object({
    enabled: enabledToWrite,
    pipeline_id: pipelineId,
    provisioner,
    destroy_delay_value: duration.optional(),
    destroy_delay_unit: unit.optional(),
    ttl_value: duration.optional().meta({ description: "As `destroy_delay_value`, as it is read." }),
    ttl_unit: unit.optional().meta({ description: "As `destroy_delay_unit`, as it is read." }),
    destroy_on_date: day.optional(),
    delete_delay_value: duration.optional(),
    delete_delay_unit: unit.optional(),
    delete_on_date: day.optional(),
    delete_workspace: z
      .boolean()
      .optional()
      .meta({ description: "Whether the records of the workspace go after it was destroyed; absent: no." }),
  })
  .refine((body) => hasBothOrNone(body.destroy_delay_value, body.destroy_delay_unit), {
    path: ["destroy_delay_unit"],
    message: UNPAIRED,
  })
  .refine((body) => hasBothOrNone(body.ttl_value, body.ttl_unit), { path: ["ttl_unit"], message: UNPAIRED })
  .refine((body) => hasBothOrNone(body.delete_delay_value, body.delete_delay_unit), {
    path: ["delete_delay_unit"],
    message: UNPAIRED,
  })
  .refine(
    ({ destroy_delay_value: value, ttl_value, ...body }) =>
      value === undefined ||
      ttl_value === undefined ||
      (value === ttl_value && body.destroy_delay_unit === body.ttl_unit),
    { path: ["ttl_value"], message: "differs from destroy_delay_value: give one of the two" },
  );
export type EphemeralConfigToWrite = z.output<typeof EphemeralConfigToWrite>;

const common = {
  api: "provisioning",
  area: "settings",
  path: `${SETTINGS}/ephemeral-config`,
  params: z.object(PROJECT),
  errors: EXECUTION_ERRORS,
} as const;

export const getEphemeralConfig = declareEndpoint({
  ...common,
  operation: "get-ephemeral-config",
  method: "GET",
  summary: "When the infrastructure of a project is destroyed automatically",
  description:
    "The configuration as it was last accepted, whether or not its job has reached every workspace. One that was never set, or was removed, answers with `enabled` false. `ttl_value` and `ttl_unit` are what was sent as `destroy_delay_value` and `destroy_delay_unit`, which a write takes under both names.",
  source: "provisioning 2.3 and 4.1",
  query: ByProvisioner,
  response: EphemeralConfig,
  status: 200,
});

export const putEphemeralConfig = declareEndpoint({
  ...common,
  operation: "put-ephemeral-config",
  method: "PUT",
  summary: "Destroy the infrastructure of every workspace automatically",
  description:
    "Keeps the configuration and queues a job that gives every workspace of the project its schedule. A delay counts from the moment this request was accepted; where a delay and a day are given, the earlier one counts. The workspaces are those that executions were recorded for when the job runs; later ones get theirs when their first execution is recorded. Of several jobs for one provisioner the newest wins.",
  source: "provisioning 2.3, 2.4 and 4.1",
  body: EphemeralConfigToWrite,
  response: JobAccepted,
  status: 202,
});

export const deleteEphemeralConfig = declareEndpoint({
  ...common,
  operation: "delete-ephemeral-config",
  method: "DELETE",
  summary: "Keep the infrastructure until somebody destroys it",
  description:
    "Disables the configuration and queues a job that removes the schedule of every workspace of the project. Where there was none the job finds nothing to do.",
  source: "provisioning 2.4 and 4.1",
  query: ByProvisioner,
  response: JobAccepted,
  status: 202,
});
