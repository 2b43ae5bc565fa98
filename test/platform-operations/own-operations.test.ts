import { ours } from "../../src/platform/contract/registry.ts";
import { ourCases } from "./own-operations.ts";
import { playOperations } from "./run.ts";

const { emitEvent: _, ...rest } = ours;
playOperations(rest, ourCases);
