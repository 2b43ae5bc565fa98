import { z } from "zod";
import { createTokenSchema, identifier, openEnum, openTokens } from "./fields.ts";

/** Operations of a pipeline on a workspace. */
export const OPERATIONS = [
  "plan",
  "apply",
  "destroy",
  "drift",
  "synth",
  "diff",
  "deploy",
  "remediation",
] as const;

export const PROVISIONERS = ["iac_tool_1", "iac_tool_2", "iac_tool_3", "iac_tool_4"] as const;

/** The documents name hours and days; the running service also accepts the shorter units. */
export const UNITS = ["hours", "days", "minutes", "seconds"] as const;
export type Unit = (typeof UNITS)[number];

export const SETTINGS = "/api/orgs/{org}/projects/{project}/settings";

export const provisioner = createTokenSchema("provisioner", PROVISIONERS);
export const readProvisioner = openTokens("provisioner", PROVISIONERS);

/** `?provisioner=`: the tool whose configuration is requested. */
export const ByProvisioner = z.object({
  provisioner: provisioner.meta({ description: "The infrastructure tool whose configuration is meant." }),
});

/** A duration in its unit, at most a million. */
export const duration = z
  .int()
  .min(1)
  .max(1_000_000)
  .meta({ description: "A number of units, 1 to 1,000,000." });
export const unit = z.enum(UNITS).meta({ description: "Unit of the number beside it." });
export const readUnit = openEnum(UNITS);

/** Of a configuration: whether the platform acts on it. */
export const executed = z
  .boolean()
  .optional()
  .meta({ description: "False: the configuration is only kept, because this platform has no pipelines." });

/** Sent back as it was read. To write a configuration enables it. */
export const enabledToWrite = z
  .literal(true, { error: "a configuration that is written is enabled; delete it to disable it" })
  .optional();

/** A day of the calendar, `YYYY-MM-DD`; one that does not exist is refused. */
export const day = z.iso
  .date()
  .meta({ description: "A day that exists, YYYY-MM-DD; it begins at midnight UTC." });

export const pipelineId = identifier.meta({
  description: "Identifier of the pipeline to run, 1 to 128 characters.",
});

/** Answer to a bulk operation, which continues in the background (provisioning 2.4). */
export const JobAccepted = z
  .object({
    job_id: z.int().meta({ description: "Number of the background job that covers every workspace." }),
    status: z.string().meta({ description: "What the job is going to do." }),
  })
  .meta({ id: "JobAccepted" });
