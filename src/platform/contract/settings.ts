import { z } from "zod";
import { deleteDriftConfig, getDriftConfig, putDriftConfig } from "./drift-config.ts";
import type { Contract } from "./endpoint.ts";
import { declareEndpoint } from "./endpoint.ts";
import { deleteEphemeralConfig, getEphemeralConfig, putEphemeralConfig } from "./ephemeral-config.ts";
import { EXECUTION_ERRORS, PROJECT } from "./executions.ts";
import { list, milliseconds, openEnum } from "./shapes/fields.ts";
import { OPERATIONS, pipelineId, provisioner, readProvisioner, SETTINGS } from "./shapes/settings-shapes.ts";

/** Which pipeline runs for an operation of a provisioner (provisioning 2.1). */
export const DefaultPipeline = z
  .object({
    account: z.string(),
    org: z.string(),
    project: z.string(),
    operation: openEnum(OPERATIONS),
    provisioner: readProvisioner,
    pipeline: z.string(),
    workspace: z.string().default("").meta({ description: "Empty: every workspace of the project." }),
    updated: milliseconds.meta({ description: "Time of the last update, Unix milliseconds." }),
  })
  .meta({ id: "DefaultPipeline" });
export type DefaultPipeline = z.output<typeof DefaultPipeline>;

const workspace = z
  .string()
  .max(128)
  .default("")
  .meta({ description: "Up to 128 characters; empty: every workspace of the project." });

/** The key of an association: operation, provisioner and workspace. */
const AssociationKey = {
  operation: z.enum(OPERATIONS).meta({ description: "Operation of the provisioner." }),
  provisioner,
  workspace,
};

const pipelines = {
  api: "provisioning",
  area: "settings",
  path: `${SETTINGS}/default-pipelines`,
  params: z.object(PROJECT),
  errors: EXECUTION_ERRORS,
} as const;

export const listDefaultPipelines = declareEndpoint({
  ...pipelines,
  operation: "list-default-pipelines",
  method: "GET",
  summary: "Which pipelines run for the operations of the provisioners",
  description: "All associations of the project at once, by provisioner, operation and workspace.",
  source: "provisioning 2.1 and 4.1",
  query: z.object({
    workspace: workspace.meta({ description: "Only the associations of this workspace; empty: all." }),
  }),
  response: list(DefaultPipeline),
  status: 200,
});

export const putDefaultPipeline = declareEndpoint({
  ...pipelines,
  operation: "put-default-pipeline",
  method: "PUT",
  summary: "Set the pipeline of an operation",
  description: "Takes the place of the association with the same operation, provisioner and workspace.",
  source: "provisioning 2.1 and 4.1",
  body: z.object({
    ...AssociationKey,
    pipeline: pipelineId,
    updated: milliseconds.meta({ description: "Time of the update, Unix milliseconds; stored as sent." }),
  }),
  response: "empty",
  status: 200,
});

export const deleteDefaultPipeline = declareEndpoint({
  ...pipelines,
  operation: "delete-default-pipeline",
  method: "DELETE",
  summary: "Remove the pipeline of an operation",
  description: "The association is named in the body. Removing one that is not there changes nothing.",
  source: "provisioning 2.1 and 4.1",
  body: z.object(AssociationKey),
  response: "empty",
  status: 200,
});

export const getPushDisabled = declareEndpoint({
  api: "provisioning",
  area: "settings",
  operation: "disabled",
  method: "GET",
  path: `${SETTINGS}/disabled`,
  summary: "Whether plan and state data may not be pushed",
  description:
    "True: uploads of resource changes are answered with 423. Set by the operator; no operation changes it.",
  source: "provisioning 4.1",
  params: z.object(PROJECT),
  response: z.object({ disabled: z.boolean() }),
  status: 200,
  errors: EXECUTION_ERRORS,
});

/** Settings of a project (provisioning 4.1), by the name that handlers use. */
export const settings = {
  listDefaultPipelines,
  putDefaultPipeline,
  deleteDefaultPipeline,
  getPushDisabled,
  getDriftConfig,
  putDriftConfig,
  deleteDriftConfig,
  getEphemeralConfig,
  putEphemeralConfig,
  deleteEphemeralConfig,
} as const satisfies Contract;
