import type { Handlers } from "../../platform/contract/endpoint.ts";
import type { contract } from "../../platform/contract/registry.ts";
import type { Context } from "../deps.ts";
import type { Problem } from "../http/problem.ts";
import { changeHandlers } from "./changes.ts";
import { costHandlers } from "./costs.ts";
import { executionHandlers } from "./executions.ts";
import { ingestHandlers } from "./ingest.ts";
import { listingHandlers } from "./listing.ts";
import { settingsHandlers } from "./settings.ts";
import { uploadHandlers } from "./uploads.ts";

/** An answer to every endpoint of the contract; one that is missing does not compile. */
export const handlers: Handlers<typeof contract, Context, Problem> = {
  ...executionHandlers,
  ...uploadHandlers,
  ...changeHandlers,
  ...listingHandlers,
  ...costHandlers,
  ...settingsHandlers,
  ...ingestHandlers,
};
