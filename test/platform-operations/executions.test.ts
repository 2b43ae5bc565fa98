import { costChanges } from "../../src/platform/contract/cost-changes.ts";
import { executions } from "../../src/platform/contract/executions.ts";
import { resourceChanges } from "../../src/platform/contract/resource-changes.ts";
import { executionCases } from "./executions.ts";
import { playOperations } from "./run.ts";

playOperations({ ...executions, ...resourceChanges, ...costChanges }, executionCases);
