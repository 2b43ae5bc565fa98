import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { EXECUTION_ERRORS, PROJECT } from "./executions.ts";

export const getPushDisabled = endpoint({
  api: "provisioning",
  area: "settings",
  operation: "disabled",
  method: "GET",
  path: "/api/orgs/{org}/projects/{project}/settings/disabled",
  summary: "Whether plan and state data may not be pushed",
  source: "provisioning 4.1",
  params: z.object(PROJECT),
  response: z.object({ disabled: z.boolean() }),
  status: 200,
  errors: EXECUTION_ERRORS,
});

/** Settings of a project (provisioning 4.1), by the name that handlers use. */
export const settings = { getPushDisabled } as const;
