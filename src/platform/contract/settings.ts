import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { EXECUTION_ERRORS, PROJECT } from "./executions.ts";
import {
  createTokenSchema,
  identifier,
  list,
  milliseconds,
  openEnum,
  openTokens,
  textOrEmpty,
} from "./shapes/fields.ts";

/** Operations of a pipeline on a workspace. */
const OPERATIONS = ["plan", "apply", "destroy", "drift", "synth", "diff", "deploy", "remediation"] as const;

export const PROVISIONERS = ["iac_tool_1", "iac_tool_2", "iac_tool_3", "iac_tool_4"] as const;

/** The documents name hours and days; the running service also accepts the shorter units. */
export const UNITS = ["hours", "days", "minutes", "seconds"] as const;
export type Unit = (typeof UNITS)[number];

const SETTINGS = "/api/orgs/{org}/projects/{project}/settings";

const provisioner = createTokenSchema("provisioner", PROVISIONERS);
const readProvisioner = openTokens("provisioner", PROVISIONERS);

/** `?provisioner=`: the tool whose configuration is requested. */
const ByProvisioner = z.object({
  provisioner: provisioner.describe("The infrastructure tool whose configuration is meant."),
});

/** A duration in its unit, at most a million. */
const duration = z.int().min(1).max(1_000_000).describe("A number of units, 1 to 1,000,000.");
const unit = z.enum(UNITS).describe("Unit of the number beside it.");
const readUnit = openEnum(UNITS);

/** Of a configuration: whether the platform acts on it. */
const executed = z
  .boolean()
  .optional()
  .describe("False: the configuration is only kept, because this platform has no pipelines.");

/** Sent back as it was read. To write a configuration enables it. */
const enabledToWrite = z
  .literal(true, { error: "a configuration that is written is enabled; delete it to disable it" })
  .optional();

/** A day of the calendar, `YYYY-MM-DD`; one that does not exist is refused. */
const day = z.iso.date().describe("A day that exists, YYYY-MM-DD; it begins at midnight UTC.");

const pipelineId = identifier.describe("Identifier of the pipeline to run, 1 to 128 characters.");

/** Answer to a bulk operation, which continues in the background (provisioning 2.4). */
const JobAccepted = z
  .object({
    job_id: z.int().describe("Number of the background job that covers every workspace."),
    status: z.string().describe("What the job is going to do."),
  })
  .meta({ id: "JobAccepted" });

/** Which pipeline runs for an operation of a provisioner (provisioning 2.1). */
export const DefaultPipeline = z
  .object({
    account: z.string(),
    org: z.string(),
    project: z.string(),
    operation: openEnum(OPERATIONS),
    provisioner: readProvisioner,
    pipeline: z.string(),
    workspace: z.string().default("").describe("Empty: every workspace of the project."),
    updated: milliseconds.describe("Time of the last update, Unix milliseconds."),
  })
  .meta({ id: "DefaultPipeline" });
export type DefaultPipeline = z.output<typeof DefaultPipeline>;

const workspace = textOrEmpty(128, "Up to 128 characters; empty: every workspace of the project.");

/** The key of an association: operation, provisioner and workspace. */
const AssociationKey = {
  operation: z.enum(OPERATIONS).describe("Operation of the provisioner."),
  provisioner,
  workspace,
};

const settingsDefaults = {
  api: "provisioning",
  area: "settings",
  params: z.object(PROJECT),
  status: 200,
  errors: EXECUTION_ERRORS,
} as const;

const pipelines = { ...settingsDefaults, path: `${SETTINGS}/default-pipelines` } as const;

/** Drift detection of a project (provisioning 2.2). */
const DriftConfig = z
  .object({
    enabled: z.boolean().describe("False: never configured, or disabled since."),
    executed,
    provisioner: readProvisioner,
    pipeline_id: z.string().optional().describe("Pipeline that looks for drift."),
    run_every: z.int().optional().describe("Interval in `run_every_unit`; only while enabled."),
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

const drift = { ...settingsDefaults, path: `${SETTINGS}/drift-config` } as const;

/** Automatic destruction of a project's infrastructure (provisioning 2.3). */
const EphemeralConfig = z
  .object({
    enabled: z.boolean().describe("False: never configured, or disabled since."),
    executed,
    provisioner: readProvisioner,
    pipeline_id: z.string().optional().describe("Pipeline that destroys the infrastructure."),
    ttl_value: z.int().optional().describe("Delay before the infrastructure is destroyed."),
    ttl_unit: readUnit.optional(),
    destroy_on_date: z.string().optional().describe("Day on which it is destroyed, YYYY-MM-DD."),
    delete_workspace: z
      .boolean()
      .optional()
      .describe("Whether the records of the workspace go after it was destroyed."),
    delete_delay_value: z
      .int()
      .optional()
      .describe("Delay between destroying the infrastructure and deleting the records."),
    delete_delay_unit: readUnit.optional(),
    delete_on_date: z.string().optional().describe("Day on which the records go, YYYY-MM-DD."),
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
    ttl_value: duration.optional().describe("As `destroy_delay_value`, as it is read."),
    ttl_unit: unit.optional().describe("As `destroy_delay_unit`, as it is read."),
    destroy_on_date: day.optional(),
    delete_delay_value: duration.optional(),
    delete_delay_unit: unit.optional(),
    delete_on_date: day.optional(),
    delete_workspace: z
      .boolean()
      .optional()
      .describe("Whether the records of the workspace go after it was destroyed; absent: no."),
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

const ephemeral = { ...settingsDefaults, path: `${SETTINGS}/ephemeral-config` } as const;

/** Settings of a project (provisioning 4.1), by the name that handlers use. */
export const settings = {
  listDefaultPipelines: declareEndpoint({
    ...pipelines,
    operation: "list-default-pipelines",
    method: "GET",
    summary: "Which pipelines run for the operations of the provisioners",
    description: "All associations of the project at once, by provisioner, operation and workspace.",
    source: "provisioning 2.1 and 4.1",
    query: z.object({
      workspace: workspace.describe("Only the associations of this workspace; empty: all."),
    }),
    response: list(DefaultPipeline),
  }),
  putDefaultPipeline: declareEndpoint({
    ...pipelines,
    operation: "put-default-pipeline",
    method: "PUT",
    summary: "Set the pipeline of an operation",
    description: "Takes the place of the association with the same operation, provisioner and workspace.",
    source: "provisioning 2.1 and 4.1",
    body: z.object({
      ...AssociationKey,
      pipeline: pipelineId,
      updated: milliseconds.describe("Time of the update, Unix milliseconds; stored as sent."),
    }),
    response: "empty",
  }),
  deleteDefaultPipeline: declareEndpoint({
    ...pipelines,
    operation: "delete-default-pipeline",
    method: "DELETE",
    summary: "Remove the pipeline of an operation",
    description: "The association is named in the body. Removing one that is not there changes nothing.",
    source: "provisioning 2.1 and 4.1",
    body: z.object(AssociationKey),
    response: "empty",
  }),
  getPushDisabled: declareEndpoint({
    ...settingsDefaults,
    operation: "disabled",
    method: "GET",
    path: `${SETTINGS}/disabled`,
    summary: "Whether plan and state data may not be pushed",
    description:
      "True: uploads of resource changes are answered with 423. Set by the operator; no operation changes it.",
    source: "provisioning 4.1",
    response: z.object({ disabled: z.boolean() }),
  }),
  getDriftConfig: declareEndpoint({
    ...drift,
    operation: "get-drift-config",
    method: "GET",
    summary: "How drift of a project is looked for",
    description:
      "The configuration as it was last accepted, whether or not its job has reached every workspace. One that was never set, or was removed, answers with `enabled` false.",
    source: "provisioning 2.2 and 4.1",
    query: ByProvisioner,
    response: DriftConfig,
  }),
  putDriftConfig: declareEndpoint({
    ...drift,
    operation: "put-drift-config",
    method: "PUT",
    summary: "Look for drift of every workspace at an interval",
    description:
      "Keeps the configuration and queues a job that gives every workspace of the project its trigger. The workspaces are those that executions were recorded for when the job runs; later ones get theirs when their first execution is recorded. Of several jobs for one provisioner the newest wins.",
    source: "provisioning 2.2, 2.4 and 4.1",
    body: DriftConfigToWrite,
    response: JobAccepted,
    status: 202,
  }),
  deleteDriftConfig: declareEndpoint({
    ...drift,
    operation: "delete-drift-config",
    method: "DELETE",
    summary: "Stop looking for drift",
    description:
      "Disables the configuration and queues a job that removes the trigger of every workspace of the project. Where there was none the job finds nothing to do.",
    source: "provisioning 2.4 and 4.1",
    query: ByProvisioner,
    response: JobAccepted,
    status: 202,
  }),
  getEphemeralConfig: declareEndpoint({
    ...ephemeral,
    operation: "get-ephemeral-config",
    method: "GET",
    summary: "When the infrastructure of a project is destroyed automatically",
    description:
      "The configuration as it was last accepted, whether or not its job has reached every workspace. One that was never set, or was removed, answers with `enabled` false. `ttl_value` and `ttl_unit` are what was sent as `destroy_delay_value` and `destroy_delay_unit`, which a write takes under both names.",
    source: "provisioning 2.3 and 4.1",
    query: ByProvisioner,
    response: EphemeralConfig,
  }),
  putEphemeralConfig: declareEndpoint({
    ...ephemeral,
    operation: "put-ephemeral-config",
    method: "PUT",
    summary: "Destroy the infrastructure of every workspace automatically",
    description:
      "Keeps the configuration and queues a job that gives every workspace of the project its schedule. A delay counts from the moment this request was accepted; where a delay and a day are given, the earlier one counts. The workspaces are those that executions were recorded for when the job runs; later ones get theirs when their first execution is recorded. Of several jobs for one provisioner the newest wins.",
    source: "provisioning 2.3, 2.4 and 4.1",
    body: EphemeralConfigToWrite,
    response: JobAccepted,
    status: 202,
  }),
  deleteEphemeralConfig: declareEndpoint({
    ...ephemeral,
    operation: "delete-ephemeral-config",
    method: "DELETE",
    summary: "Keep the infrastructure until somebody destroys it",
    description:
      "Disables the configuration and queues a job that removes the schedule of every workspace of the project. Where there was none the job finds nothing to do.",
    source: "provisioning 2.4 and 4.1",
    query: ByProvisioner,
    response: JobAccepted,
    status: 202,
  }),
} as const satisfies Contract;

export const {
  listDefaultPipelines,
  putDefaultPipeline,
  getPushDisabled,
  getDriftConfig,
  putDriftConfig,
  getEphemeralConfig,
  putEphemeralConfig,
} = settings;
