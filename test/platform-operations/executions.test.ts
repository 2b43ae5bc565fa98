import { executions } from "../../src/platform/contract/registry.ts";
import { executionCases } from "./executions.ts";
import { playOperations } from "./run.ts";

playOperations(executions, executionCases);
